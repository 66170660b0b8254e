find_program(SHARDLAB_NODE NAMES node nodejs NO_CMAKE_FIND_ROOT_PATH)
mark_as_advanced(SHARDLAB_NODE)

# shardlab_node_tests(SUITE [VARIABLE=value...] [LABELS label...] [LONGEST name...])
#
# Makes a ctest of every tests/SUITE/*.test.mjs, with the given pairs in its environment. The files are found, not
# listed: one that nobody listed would silently never run. Those of the names, in their order, start before all others
# where ctest has not measured them yet, so that nothing long is left at the end for one processor.
function(shardlab_node_tests suite)
    cmake_parse_arguments(PARSE_ARGV 1 tests "" "" "LABELS;LONGEST")
    list(LENGTH tests_LONGEST last_cost)
    if(NOT SHARDLAB_NODE)
        message(STATUS "There is no Node.js: the tests of ${suite} are left out")
        return()
    endif()
    file(GLOB files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${suite}/*.test.mjs")
    foreach(file IN LISTS files)
        string(REGEX REPLACE "^.*/(.*)[.]test[.]mjs$" "\\1" name "${file}")
        add_test(NAME ${suite}/${name} COMMAND "${SHARDLAB_NODE}" --test "${file}")
        set_tests_properties(${suite}/${name} PROPERTIES
            ENVIRONMENT "${tests_UNPARSED_ARGUMENTS}" LABELS "${tests_LABELS}")
        list(FIND tests_LONGEST "${name}" place)
        if(NOT place EQUAL -1)
            math(EXPR cost "100 * (1 + ${last_cost} - ${place})")
            set_tests_properties(${suite}/${name} PROPERTIES COST ${cost})
        endif()
    endforeach()
endfunction()
