# Writes a header that holds text files as string constants, so that published tables need no file system:
#   cmake -D OUTPUT=published_tables.hpp -P embed_csv.cmake -- FILE.csv...
# FILE.csv becomes `shardlab::published::FILE`.

set(header "#pragma once\n\n#include <string_view>\n\nnamespace shardlab::published {\n")
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
    set(file "${CMAKE_ARGV${index}}")
    if(file MATCHES "([^/]+)[.]csv$")
        set(name "${CMAKE_MATCH_1}")
        file(READ "${file}" text)
        string(APPEND header "\ninline constexpr std::string_view ${name} = R\"csv(${text})csv\";\n")
    endif()
endforeach()
file(WRITE "${OUTPUT}" "${header}\n}  // namespace shardlab::published\n")
