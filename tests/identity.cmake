# Gives `shardlab_identity`, objects that know what a build was made from and which bits it computes.

file(GLOB_RECURSE hashed RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/core/include/*.hpp" "${PROJECT_SOURCE_DIR}/core/src/*.?pp")
file(GLOB hashed_tests RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS *.?pp lab/*.?pp data/*.csv data/pipelining/*.csv)
list(APPEND hashed ${hashed_tests})
list(TRANSFORM hashed PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE hashed_files)

set(source_hash "${CMAKE_CURRENT_BINARY_DIR}/embedded/source_hash.hpp")
set(hash_sources "${PROJECT_SOURCE_DIR}/cmake/hash_sources.cmake")
add_custom_command(OUTPUT "${source_hash}"
    COMMAND "${CMAKE_COMMAND}" -D "OUTPUT=${source_hash}" -P "${hash_sources}" -- ${hashed}
    DEPENDS ${hashed_files} "${hash_sources}"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" COMMENT "Hashing the sources" VERBATIM)

add_library(shardlab_identity OBJECT exact_bits.cpp identity.cpp "${source_hash}")
shardlab_optimize(shardlab_identity BUILDING)
target_include_directories(shardlab_identity PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/embedded")
target_include_directories(shardlab_identity INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}")
target_link_libraries(shardlab_identity PUBLIC shardlab::core)
shardlab_warnings(shardlab_identity)
