# Real ranks, more of them than there are cores: bindings/mpi/launch.sh starts them.

add_executable(shardlab_mpi_tests mpi/run.cpp)
target_include_directories(shardlab_mpi_tests PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
target_link_libraries(shardlab_mpi_tests PRIVATE shardlab_mpi_ranks shardlab_catch2)
shardlab_warnings(shardlab_mpi_tests)
shardlab_optimize(shardlab_mpi_tests BUILDING)

set(launch "${PROJECT_SOURCE_DIR}/bindings/mpi/launch.sh")
# What the MPI library does not free at its end is not ours.
set(environment "ASAN_OPTIONS=detect_leaks=0")
foreach(ranks RANGE 1 4)
    add_test(NAME mpi/run_on_${ranks} COMMAND "${launch}" ${ranks} $<TARGET_FILE:shardlab_mpi_tests>)
    set_tests_properties(mpi/run_on_${ranks} PROPERTIES ENVIRONMENT "${environment}" TIMEOUT 120)
endforeach()

shardlab_node_tests(mpi "${environment}" "SHARDLAB_LAUNCH=${launch}" "SHARDLAB_MPI=$<TARGET_FILE:shardlab_mpi>"
    "SHARDLAB_CLI=$<TARGET_FILE:shardlab_cli>")
