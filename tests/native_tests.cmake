# What ctest runs in a native tree.

# A ctest a case. Catch2 2 passes where a name matches no case, which a name with odd characters might do.
catch_discover_tests(shardlab_tests EXTRA_ARGS ${catch2_refuse_none})

if(TARGET shardlab_cli)
    shardlab_node_tests(cli SHARDLAB_CLI=$<TARGET_FILE:shardlab_cli>)
endif()

# Another project finds the installed library, or adds this one as a subdirectory.
foreach(way IN ITEMS find_package add_subdirectory)
    add_test(NAME consumer/${way}
        COMMAND "${CMAKE_COMMAND}" -D WAY=${way} -D "SOURCE=${PROJECT_SOURCE_DIR}" -D "BUILD=${PROJECT_BINARY_DIR}"
                -D "WORK=${CMAKE_CURRENT_BINARY_DIR}/consumer_${way}" -D CONFIG=$<CONFIG> -D "FLAGS=${CMAKE_CXX_FLAGS}"
                -P "${CMAKE_CURRENT_SOURCE_DIR}/consumer/run.cmake")
endforeach()

if(TARGET docs)
    add_test(NAME docs COMMAND "${CMAKE_COMMAND}" --build "${PROJECT_BINARY_DIR}" --target docs)
endif()

shardlab_node_tests(project "SHARDLAB_SOURCE=${PROJECT_SOURCE_DIR}")

include(linters)
