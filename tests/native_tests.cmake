# What ctest runs in a native tree.

# A ctest a case. Catch2 2 passes where a name matches no case, which a name with odd characters might do.
catch_discover_tests(shardlab_tests EXTRA_ARGS ${catch2_refuse_none})

# What the page's Tests view compares with.
find_package(nlohmann_json REQUIRED)
add_executable(shardlab_report native/report.cpp)
set_target_properties(shardlab_report PROPERTIES OUTPUT_NAME native_report)
target_link_libraries(shardlab_report PRIVATE shardlab::core shardlab_identity nlohmann_json::nlohmann_json)
shardlab_warnings(shardlab_report)
add_custom_command(OUTPUT native_report.json
    COMMAND shardlab_report > native_report.json
    DEPENDS shardlab_report COMMENT "Recording the bits of the native build" VERBATIM)
add_custom_target(shardlab_native_report ALL DEPENDS "${CMAKE_CURRENT_BINARY_DIR}/native_report.json")

if(TARGET shardlab_cli)
    shardlab_node_tests(cli SHARDLAB_CLI=$<TARGET_FILE:shardlab_cli>)
endif()

if(TARGET shardlab_mpi)
    include(mpi_tests.cmake)
endif()

if(TARGET shardlab_cli)
    include(real_tests.cmake)
endif()

# Another project finds the installed library, or adds this one as a subdirectory.
foreach(way IN ITEMS find_package add_subdirectory)
    add_test(NAME consumer/${way}
        COMMAND "${CMAKE_COMMAND}" -D WAY=${way} -D "SOURCE=${PROJECT_SOURCE_DIR}" -D "BUILD=${PROJECT_BINARY_DIR}"
                -D "WORK=${CMAKE_CURRENT_BINARY_DIR}/consumer_${way}" -D CONFIG=$<CONFIG> -D "FLAGS=${CMAKE_CXX_FLAGS}"
                -P "${CMAKE_CURRENT_SOURCE_DIR}/consumer/run.cmake")
endforeach()
# It compiles the whole library once more.
set_tests_properties(consumer/add_subdirectory PROPERTIES LABELS full)

if(TARGET docs)
    add_test(NAME docs COMMAND "${CMAKE_COMMAND}" --build "${PROJECT_BINARY_DIR}" --target docs)
endif()

shardlab_node_tests(project "SHARDLAB_SOURCE=${PROJECT_SOURCE_DIR}" LONGEST guard_rails)

include(linters)
