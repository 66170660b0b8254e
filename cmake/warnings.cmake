# Warnings are ours to fix, not a consumer's: they are private to a target and only on when Shardlab is the top project.
function(shardlab_warnings target)
    if(SHARDLAB_WARNINGS)
        target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
    endif()
endfunction()
