# Warnings are ours to fix, not a consumer's: they are private to a target and only on when Shardlab is the top project.
function(shardlab_warnings target)
    if(NOT SHARDLAB_WARNINGS)
        return()
    endif()
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # g++ 12 sees overlapping copies in "text" + std::string that are not there (its bug 105651).
        target_compile_options(${target} PRIVATE -Wno-restrict)
    endif()
endfunction()
