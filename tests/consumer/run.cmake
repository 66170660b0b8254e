# Builds and runs the project of this folder against Shardlab, WAY being find_package (of a fresh installation of the
# tree BUILD) or add_subdirectory (of SOURCE). The consumer does not set the language standard or any flag of ours.

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK}")
if(WAY STREQUAL "find_package")
    run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix" --config "${CONFIG}")
    set(way "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
else()
    set(way "-DSHARDLAB_SOURCE=${SOURCE}")
endif()
run("${CMAKE_COMMAND}" -G Ninja -S "${CMAKE_CURRENT_LIST_DIR}" -B "${WORK}/build" "-DCMAKE_CXX_FLAGS=${FLAGS}" "${way}")
run("${CMAKE_COMMAND}" --build "${WORK}/build")
run("${WORK}/build/consumer")
