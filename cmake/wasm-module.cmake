# How an executable becomes a WebAssembly module that a page or a worker loads. DYNAMIC_EXECUTION=0 keeps the glue code
# from making functions out of text, which a page's policy forbids.
function(shardlab_link_for_browser target)
    target_link_options(${target} PRIVATE
        -lembind
        -sMODULARIZE
        -sEXPORT_ES6
        -sENVIRONMENT=web,worker
        -sDYNAMIC_EXECUTION=0
        -sALLOW_MEMORY_GROWTH
        -sTOTAL_STACK=1MB
        -sFILESYSTEM=0
        -sINCOMING_MODULE_JS_API=instantiateWasm,locateFile)
    set_target_properties(${target} PROPERTIES SUFFIX .mjs)
endfunction()
