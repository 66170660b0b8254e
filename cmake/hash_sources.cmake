# Writes a header with one hash over the names and the contents of files, in the order of their names:
#   cmake -D OUTPUT=source_hash.hpp -P hash_sources.cmake -- FILE...

set(files "")
math(EXPR last "${CMAKE_ARGC} - 1")
set(is_file FALSE)
foreach(index RANGE ${last})
    if(is_file)
        list(APPEND files "${CMAKE_ARGV${index}}")
    elseif(CMAKE_ARGV${index} STREQUAL "--")
        set(is_file TRUE)
    endif()
endforeach()
list(SORT files)

set(lines "")
foreach(file IN LISTS files)
    file(SHA256 "${file}" hash)
    string(APPEND lines "${hash}  ${file}\n")
endforeach()
string(SHA256 hash "${lines}")
file(WRITE "${OUTPUT}" "#pragma once\n\n#define SHARDLAB_SOURCE_HASH \"${hash}\"\n")
