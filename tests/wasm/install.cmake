# Puts beside the page what its Tests view and its exercise load:
#   cmake -D MODULE=DIR -D REPORT=native_report.json -D SITE=DIR -P install.cmake

file(COPY_FILE "${MODULE}/shardlab_tests.mjs" "${SITE}/tests/shardlab_tests.mjs" ONLY_IF_DIFFERENT)
file(COPY_FILE "${MODULE}/shardlab_tests.wasm" "${SITE}/tests/shardlab_tests.wasm" ONLY_IF_DIFFERENT)
file(COPY_FILE "${MODULE}/lab_exercise.mjs" "${SITE}/exercise/lab_exercise.mjs" ONLY_IF_DIFFERENT)
file(COPY_FILE "${MODULE}/lab_exercise.wasm" "${SITE}/exercise/lab_exercise.wasm" ONLY_IF_DIFFERENT)
# A page without a native build beside it says so; a missing file would be an error on its console.
if(EXISTS "${REPORT}")
    file(COPY_FILE "${REPORT}" "${SITE}/tests/native.json" ONLY_IF_DIFFERENT)
else()
    file(WRITE "${SITE}/tests/native.json" "null\n")
endif()
