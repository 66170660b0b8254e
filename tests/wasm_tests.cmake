# What ctest runs in a WebAssembly tree, under Node.

# The bytes of the module are part of the script: Emscripten before 3.1.13 cannot load a file in Node 18. The size of
# the stack is named because newer releases give 64 KiB; both know this spelling.
target_link_options(shardlab_tests PRIVATE
    -sSINGLE_FILE -sENVIRONMENT=node -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH -sTOTAL_STACK=1MB)

# A ctest a file, because each start of Node costs a fifth of a second: Catch2 tags every case with its file's name.
foreach(source IN LISTS test_sources)
    cmake_path(GET source STEM subject)
    add_test(NAME ${subject} COMMAND shardlab_tests --filenames-as-tags "[#${subject}]" ${catch2_refuse_none})
endforeach()

# Nothing may be tested in one world only.
set(SHARDLAB_NATIVE_TESTS "${PROJECT_SOURCE_DIR}/build/native/tests/shardlab_tests" CACHE FILEPATH
    "The native tests, to compare the lists of cases")
add_test(NAME same_cases
    COMMAND "${SHARDLAB_NODE}" "${CMAKE_CURRENT_SOURCE_DIR}/compare_cases.mjs"
            "${SHARDLAB_NATIVE_TESTS}" $<TARGET_FILE:shardlab_tests> ${catch2_list_names})

shardlab_node_tests(package "SHARDLAB_PACKAGE=${SHARDLAB_PACKAGE_DIR}")
shardlab_node_tests(browser "SHARDLAB_PACKAGE=${SHARDLAB_PACKAGE_DIR}" "SHARDLAB_SITE=${SHARDLAB_SITE_DIR}")
