# Runs one fuzzer for a while, for ctest:
#   cmake -D FUZZER=... -D SEEDS=folder -D WORK=folder -D SECONDS=number -P run.cmake

if(DEFINED ENV{SHARDLAB_FUZZ_SECONDS})
    set(SECONDS "$ENV{SHARDLAB_FUZZ_SECONDS}")
endif()
if(NOT SECONDS MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "SHARDLAB_FUZZ_SECONDS is '${SECONDS}'; it must be a whole number of at least 1")
endif()

set(dictionary "${SEEDS}.dict")
if(EXISTS "${dictionary}")
    set(dictionary_option "-dict=${dictionary}")
endif()

# A fuzzer whose inputs are bytes and not text may have no seeds.
if(EXISTS "${SEEDS}")
    set(seeds "${SEEDS}")
endif()

# What is absurd must be refused before it is allocated: no single array here needs a sixteenth of a gigabyte. No input
# needs a second; ten are for a machine that is busy with other things.
file(MAKE_DIRECTORY "${WORK}")
execute_process(
    COMMAND "${FUZZER}" -max_total_time=${SECONDS} -timeout=10 -max_len=1024 -len_control=0 -malloc_limit_mb=64 -rss_limit_mb=1024
            -print_final_stats=1 "-artifact_prefix=${WORK}-" ${dictionary_option}
            "${WORK}" ${seeds}
    COMMAND_ERROR_IS_FATAL ANY)
