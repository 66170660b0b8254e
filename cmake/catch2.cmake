# Gives the target `shardlab_catch2`, Catch2 of version 2 or 3 with its main, and the options that the versions spell
# differently:
#   catch2_list_names     prints the names of all cases, one a line
#   catch2_refuse_none    fails where no case matches
#
# Natively the distribution's package is used. For WebAssembly version 2 is a header and is compiled like ours; of
# version 3 the packages hold a native library only, so it is compiled from the sources in SHARDLAB_CATCH2_SOURCE_DIR.

set(SHARDLAB_CATCH2_SOURCE_DIR "" CACHE PATH "Sources of Catch2 3, for WebAssembly where the system's Catch2 is version 3")

add_library(shardlab_catch2 INTERFACE)

macro(shardlab_use_catch2_header)
    add_library(shardlab_catch2_main STATIC "${PROJECT_SOURCE_DIR}/tests/catch_main.cpp")
    target_link_libraries(shardlab_catch2_main PUBLIC Catch2::Catch2)
    shardlab_optimize(shardlab_catch2_main BUILDING)
    target_link_libraries(shardlab_catch2 INTERFACE shardlab_catch2_main)
    set(catch2_list_names --list-test-names-only)
    set(catch2_refuse_none --warn NoTests)
endmacro()

# Its own targets take the level of the build type, of which the preset for WebAssembly has none.
function(shardlab_add_catch2_sources)
    string(APPEND CMAKE_CXX_FLAGS_RELEASE " -O1")
    add_subdirectory("${SHARDLAB_CATCH2_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/catch2" EXCLUDE_FROM_ALL)
endfunction()

macro(shardlab_use_catch2_library)
    target_link_libraries(shardlab_catch2 INTERFACE Catch2::Catch2WithMain)
    set(catch2_list_names --list-tests --verbosity quiet)
    set(catch2_refuse_none)
endmacro()

if(NOT EMSCRIPTEN)
    find_package(Catch2 REQUIRED)
    include(Catch)
    if(Catch2_VERSION VERSION_LESS 3)
        shardlab_use_catch2_header()
    else()
        shardlab_use_catch2_library()
    endif()
elseif(SHARDLAB_CATCH2_SOURCE_DIR)
    shardlab_add_catch2_sources()
    shardlab_use_catch2_library()
else()
    shardlab_stage_headers(Catch2::Catch2 catch2)
    if(NOT EXISTS "${SHARDLAB_HOST_catch2}/catch2/catch.hpp")
        message(FATAL_ERROR "The system's Catch2 is version 3, a native library: for WebAssembly set "
                            "SHARDLAB_CATCH2_SOURCE_DIR to its sources (./lab does it), or SHARDLAB_TESTS=OFF.")
    endif()
    shardlab_use_catch2_header()
endif()
