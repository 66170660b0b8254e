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

set(SHARDLAB_NATIVE_TESTS "${PROJECT_SOURCE_DIR}/build/native/tests/shardlab_tests" CACHE FILEPATH
    "The native tests, to compare the lists of cases")
# A module of cases that a page loads, under this name.
function(shardlab_tests_module target name goal)
    target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
    shardlab_link_for_browser(${target})
    target_link_options(${target} PRIVATE -sINVOKE_RUN=0 -sEXPORTED_RUNTIME_METHODS=callMain)
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/page")
    shardlab_warnings(${target})
    shardlab_optimize(${target} ${goal})
endfunction()

# The same objects once more, as the module of the page's Tests view. Everything that the view needs and the page's own
# build does not make is copied beside it each time, because that build empties the folder.
add_executable(shardlab_tests_page wasm/page.cpp wasm/reporter.cpp $<TARGET_OBJECTS:shardlab_tests>)
target_link_libraries(shardlab_tests_page PRIVATE
    shardlab::core shardlab::published shardlab_catch2 shardlab_identity shardlab_lab_cases shardlab_tests_module)
shardlab_tests_module(shardlab_tests_page shardlab_tests BUILDING)

# The lab's cases alone, against functions that a student writes on the page: the module of its exercise. It is a part of
# a page's download, so that it is optimised for that.
add_executable(shardlab_exercise_page wasm/student.cpp wasm/reporter.cpp)
target_link_libraries(shardlab_exercise_page PRIVATE shardlab::core shardlab_catch2 shardlab_lab_cases)
shardlab_tests_module(shardlab_exercise_page lab_exercise DOWNLOAD)

set(SHARDLAB_NATIVE_REPORT "${PROJECT_SOURCE_DIR}/build/native/tests/native_report.json" CACHE FILEPATH
    "What the native build was made from and the bits that it computes, for the Tests view to compare")
if(TARGET shardlab_site)
    add_custom_target(shardlab_site_tests ALL
        COMMAND "${CMAKE_COMMAND}" -D "MODULE=$<TARGET_FILE_DIR:shardlab_tests_page>"
                -D "REPORT=${SHARDLAB_NATIVE_REPORT}" -D "SITE=${SHARDLAB_SITE_DIR}"
                -P "${CMAKE_CURRENT_SOURCE_DIR}/wasm/install.cmake"
        COMMAND "${SHARDLAB_NODE}" "${PROJECT_SOURCE_DIR}/web/exercise.mjs" --site "${SHARDLAB_SITE_DIR}"
                "$<$<BOOL:${SHARDLAB_BASE_URL}>:--base-url=${SHARDLAB_BASE_URL}>"
        COMMENT "Putting the tests and the exercise beside the page" COMMAND_EXPAND_LISTS VERBATIM)
    add_dependencies(shardlab_site_tests shardlab_site shardlab_tests_page shardlab_exercise_page)
    add_dependencies(shardlab_site_archive shardlab_site_tests)
endif()

# Nothing may be tested in one world only.
add_test(NAME same_cases
    COMMAND "${SHARDLAB_NODE}" "${CMAKE_CURRENT_SOURCE_DIR}/compare_cases.mjs"
            "${SHARDLAB_NATIVE_TESTS}" $<TARGET_FILE:shardlab_tests> ${catch2_list_names})

shardlab_node_tests(package "SHARDLAB_PACKAGE=${SHARDLAB_PACKAGE_DIR}" LONGEST npm)

# The page's exercise, without the page.
string(JOIN " " list_names ${catch2_list_names})
shardlab_node_tests(exercise
    "SHARDLAB_EXERCISE=$<TARGET_FILE_DIR:shardlab_exercise_page>"
    "SHARDLAB_NATIVE_TESTS=${SHARDLAB_NATIVE_TESTS}" "SHARDLAB_LIST_NAMES=${list_names}")

# The page in the engines of all browsers. Where one is missing, its test fails and says what to install.
shardlab_node_tests(engines "SHARDLAB_SITE=${SHARDLAB_SITE_DIR}" LABELS full)

find_program(SHARDLAB_CHROMIUM NAMES chromium chromium-browser google-chrome NO_CMAKE_FIND_ROOT_PATH)
mark_as_advanced(SHARDLAB_CHROMIUM)
if(SHARDLAB_CHROMIUM)
    shardlab_node_tests(browser
        "SHARDLAB_PACKAGE=${SHARDLAB_PACKAGE_DIR}" "SHARDLAB_SITE=${SHARDLAB_SITE_DIR}"
        "SHARDLAB_NATIVE_TESTS=${SHARDLAB_NATIVE_TESTS}" "SHARDLAB_LIST_NAMES=${list_names}"
        LONGEST course state errors keyboard page tests-view exercise pipeline memory ring collectives)
else()
    message(STATUS "There is no Chromium: the tests of the page are left out")
endif()

# The page's widgets in notes as others write them, with the tools that these are written with.
option(SHARDLAB_HOSTS "Fetch the tools for course notes, and test the widgets in what they make" OFF)
if(SHARDLAB_HOSTS AND SHARDLAB_CHROMIUM)
    set(hosts "${CMAKE_CURRENT_SOURCE_DIR}/browser/hosts")
    set(hosts_modules "${hosts}/node_modules/.package-lock.json")
    add_custom_command(OUTPUT "${hosts_modules}"
        COMMAND "${SHARDLAB_NPM}" ci --no-audit --no-fund --loglevel=error
        COMMAND "${CMAKE_COMMAND}" -E touch "${hosts_modules}"
        DEPENDS "${hosts}/package-lock.json" "${hosts}/package.json"
        WORKING_DIRECTORY "${hosts}" COMMENT "Fetching the tools for course notes" USES_TERMINAL VERBATIM)
    add_custom_target(shardlab_hosts ALL DEPENDS "${hosts_modules}")
    shardlab_node_tests(browser/hosts "SHARDLAB_SITE=${SHARDLAB_SITE_DIR}" LABELS full LONGEST docusaurus)
endif()
