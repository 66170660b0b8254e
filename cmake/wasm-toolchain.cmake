# Compiles for WebAssembly with the Emscripten whose em++ comes first on the PATH: an emsdk of the user's own if it is
# activated, else the distribution's. Works where emcmake does not: the Node options that emcmake of Emscripten 3.1.6
# passes to the tests are refused by Node 20.

find_program(SHARDLAB_EMXX em++ PATHS ENV PATH NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
find_program(SHARDLAB_EM_CONFIG em-config PATHS ENV PATH NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
find_program(SHARDLAB_NODE NAMES node nodejs NO_CMAKE_FIND_ROOT_PATH)
mark_as_advanced(SHARDLAB_EMXX SHARDLAB_EM_CONFIG SHARDLAB_NODE)
if(NOT SHARDLAB_EMXX OR NOT SHARDLAB_EM_CONFIG)
    message(FATAL_ERROR "There is no Emscripten on the PATH (em++ and em-config). On Debian and Ubuntu: "
                        "apt-get install emscripten. Elsewhere: https://emscripten.org/docs/getting_started/downloads.html")
endif()
if(NOT SHARDLAB_NODE)
    message(FATAL_ERROR "There is no Node.js on the PATH (node); version 18 or newer is needed.")
endif()

execute_process(COMMAND "${SHARDLAB_EM_CONFIG}" EMSCRIPTEN_ROOT
                OUTPUT_VARIABLE emscripten_root OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
include("${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake")

set(CMAKE_CROSSCOMPILING_EMULATOR "${SHARDLAB_NODE}" CACHE FILEPATH "Runs the tests" FORCE)

# Debian's Emscripten does not find the JavaScript parser of its own distribution when it optimises its glue code.
if(emscripten_root STREQUAL "/usr/share/emscripten" AND EXISTS /usr/share/nodejs/acorn)
    set(CMAKE_CXX_LINKER_LAUNCHER "${CMAKE_COMMAND}" -E env NODE_PATH=/usr/share/nodejs)
endif()
