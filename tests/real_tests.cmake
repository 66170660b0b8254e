# Real training on two ranks of this machine, where there is a PyTorch. A Python that lacks it says so at once, and is
# asked again by every configuration.

if(NOT SHARDLAB_TORCH_PYTHON)
    foreach(python IN ITEMS python3 /usr/bin/python3)
        execute_process(COMMAND ${python} -c "import torch" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
        if(status EQUAL 0)
            set(SHARDLAB_TORCH_PYTHON ${python} CACHE STRING "A Python that has PyTorch")
            mark_as_advanced(SHARDLAB_TORCH_PYTHON)
            break()
        endif()
    endforeach()
endif()
if(NOT SHARDLAB_TORCH_PYTHON)
    message(STATUS "There is no PyTorch: the tests of real training are left out (./lab real installs it)")
    return()
endif()
shardlab_node_tests(real "SHARDLAB_PYTHON=${SHARDLAB_TORCH_PYTHON}" "SHARDLAB_CLI=$<TARGET_FILE:shardlab_cli>" LABELS full)
