#include <emscripten/bind.h>

#include "exported.hpp"
#include "routines.hpp"

// The routine of the module `verify`, which is loaded when it is called.

EMSCRIPTEN_BINDINGS(shardlab_verify) {
    using namespace shardlab::wasm;
    using emscripten::function;

    function("verify", &exported<verify>);
}
