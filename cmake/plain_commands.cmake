# Copies a tree's compile commands without its precompiled headers:
#   cmake -D FROM=TREE -D TO=FOLDER -P plain_commands.cmake

file(READ "${FROM}/compile_commands.json" commands)
string(REPLACE " -Winvalid-pch" "" commands "${commands}")
string(REGEX REPLACE "( -Xclang)? -include(-pch)?( -Xclang)? [^ ]*cmake_pch[.]hxx([.]pch)?" "" commands "${commands}")
if(commands MATCHES "-include[^\n]*cmake_pch")
    message(FATAL_ERROR "A command of ${FROM}/compile_commands.json still has a precompiled header: ${CMAKE_MATCH_0}")
endif()
file(WRITE "${TO}/compile_commands.json" "${commands}")
