# Tests that read the sources: the format of all C++, and clang-tidy on the library and the commands. They belong to
# `./lab test --full`, and are there where the tools are.

find_program(SHARDLAB_CLANG_FORMAT clang-format)
find_program(SHARDLAB_CLANG_TIDY clang-tidy)
mark_as_advanced(SHARDLAB_CLANG_FORMAT SHARDLAB_CLANG_TIDY)

if(SHARDLAB_CLANG_FORMAT)
    file(GLOB_RECURSE formatted CONFIGURE_DEPENDS
        "${PROJECT_SOURCE_DIR}/core/*.[ch]pp" "${PROJECT_SOURCE_DIR}/bindings/*.[ch]pp" "${PROJECT_SOURCE_DIR}/tests/*.[ch]pp")
    add_test(NAME linters/clang_format COMMAND "${SHARDLAB_CLANG_FORMAT}" --dry-run -Werror ${formatted})
    set_tests_properties(linters/clang_format PROPERTIES LABELS full)
endif()

if(SHARDLAB_CLANG_TIDY)
    # It reads each source by itself: with the headers that g++ has precompiled clang can do nothing, and what a source
    # forgets to include is missed where they come first.
    set(tidy_commands "${CMAKE_CURRENT_BINARY_DIR}/linters")
    add_test(NAME linters/compile_commands
        COMMAND "${CMAKE_COMMAND}" -D "FROM=${PROJECT_BINARY_DIR}" -D "TO=${tidy_commands}"
                -P "${PROJECT_SOURCE_DIR}/cmake/plain_commands.cmake")
    set_tests_properties(linters/compile_commands PROPERTIES FIXTURES_SETUP tidy_commands LABELS full)
    set(tidy_targets shardlab_hot shardlab shardlab_published shardlab_command_line shardlab_cli)
    if(TARGET shardlab_mpi)
        list(APPEND tidy_targets shardlab_mpi_ranks shardlab_mpi)
    endif()
    foreach(target IN LISTS tidy_targets)
        get_target_property(folder ${target} SOURCE_DIR)
        get_target_property(sources ${target} SOURCES)
        list(FILTER sources EXCLUDE REGEX "TARGET_OBJECTS")
        foreach(source IN LISTS sources)
            cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}")
            file(RELATIVE_PATH name "${PROJECT_SOURCE_DIR}" "${source}")
            # The compile commands are g++'s, whose warnings clang need not know.
            add_test(NAME linters/clang_tidy/${name}
                COMMAND "${SHARDLAB_CLANG_TIDY}" -p "${tidy_commands}" --quiet
                        --extra-arg=-Wno-unknown-warning-option "${source}")
            set_tests_properties(linters/clang_tidy/${name} PROPERTIES FIXTURES_REQUIRED tidy_commands LABELS full)
        endforeach()
    endforeach()
endif()
