#include <emscripten/bind.h>

#include "exported.hpp"
#include "routines.hpp"

// The routines of the module `training`, which is loaded when the first of them is called.

EMSCRIPTEN_BINDINGS(shardlab_training) {
    using namespace shardlab::wasm;
    using emscripten::function;

    function("dataParallelTrain", &exported<data_parallel_train>);
    function("gradientBuckets", &exported<gradient_buckets>);
    function("tensorParallelBlock", &exported<tensor_parallel_block>);
    function("tensorParallelCost", &exported<tensor_parallel_cost>);
    function("tensorParallelMlp", &exported<tensor_parallel_mlp>);
}
