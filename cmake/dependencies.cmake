# The header-only libraries that the core and the tests use.
#
# Natively find_package does it. Emscripten's toolchain searches its own sysroot only, and handing it /usr/include whole
# would mix the system's C library into WebAssembly; so there the folders of the header-only libraries alone are linked
# into the build tree.

# Makes an imported target `name` whose include directory holds links to the given header folders of the host.
function(shardlab_stage_headers name)
    string(MAKE_C_IDENTIFIER ${name} folder_name)
    set(stage "${PROJECT_BINARY_DIR}/host-headers/${folder_name}")
    file(MAKE_DIRECTORY "${stage}")
    foreach(folder IN LISTS ARGN)
        find_path(SHARDLAB_HOST_${folder} ${folder} PATHS ENV CPATH /usr/local/include /usr/include
                  NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
        file(CREATE_LINK "${SHARDLAB_HOST_${folder}}/${folder}" "${stage}/${folder}" SYMBOLIC)
        mark_as_advanced(SHARDLAB_HOST_${folder})
    endforeach()
    add_library(${name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${name} INTERFACE "${stage}")
endfunction()

if(EMSCRIPTEN)
    shardlab_stage_headers(xtensor xtensor xtl)
else()
    # Global, so that a project which adds this one as a subdirectory sees what the library links to.
    find_package(xtensor REQUIRED GLOBAL)
    find_package(FastFloat REQUIRED GLOBAL)
endif()
