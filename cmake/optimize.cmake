# What a target of a Release build is optimised for:
#   SPEED      what runs long
#   DOWNLOAD   what runs shortly: few bytes in WebAssembly, which is downloaded before it runs; natively speed all the same
#   BUILDING   what is built often and runs seldom: three times as fast to compile
#
# The preset for WebAssembly names no level of its own, since emcc makes neither of two levels on one command line.
function(shardlab_optimize target goal)
    set(native_SPEED)
    set(native_DOWNLOAD)
    set(native_BUILDING -O1)
    set(wasm_SPEED -O3)
    set(wasm_DOWNLOAD -Os)
    set(wasm_BUILDING -O1)
    if(NOT EMSCRIPTEN)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${native_${goal}}>)
        return()
    endif()
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${wasm_${goal}}>)
    # A module is optimised once more as a whole. For few bytes that would slow down what runs long; and where it would
    # take a minute for nothing, the core in it is optimised already.
    set(link ${wasm_${goal}})
    if(goal STREQUAL "DOWNLOAD")
        set(link -O3)
    endif()
    target_link_options(${target} PRIVATE $<$<CONFIG:Release>:${link}>)
endfunction()
