// What the page's Tests view asks of the module beside its cases: what it was made from and with.

#include <string>

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include "exact_bits.hpp"
#include "identity.hpp"

using emscripten::val;

namespace {

/// What the module was made from and with, and the bits that it computes.
val build() {
    val bits = val::array();
    int count = 0;
    for (const exact_bits::Result& result : exact_bits::results()) {
        val entry = val::object();
        entry.set("name", std::string(result.name));
        entry.set("hash", identity::hex(result.hash()));
        bits.set(count++, entry);
    }
    val description = val::object();
    description.set("sources", identity::sources());
    description.set("compiler", identity::compiler());
    description.set("bits", bits);
    return description;
}

}  // namespace

EMSCRIPTEN_BINDINGS(shardlab_tests) {
    emscripten::function("build", &build);
}
