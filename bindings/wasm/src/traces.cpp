#include <emscripten/bind.h>

#include "exported.hpp"
#include "routines.hpp"

// The module `traces`, which is loaded when the first trace is read: the steps of the routine measureTraces, in which
// the package's TypeScript hands it the pieces of files. A routine that the first module has is here too, so that what
// measures needs no other.

EMSCRIPTEN_BINDINGS(shardlab_traces) {
    using namespace shardlab::wasm;
    using emscripten::function;

    function("fitAllReduce", &exported<fit_all_reduce>);
    function("traceOpen", &exported<trace_open>);
    function("traceFeed", &exported<trace_feed>);
    function("traceFinish", &exported<trace_finish>);
    function("traceClose", &exported<trace_close>);
    function("tracesMeasured", &exported<traces_measured>);
}
