#include <emscripten/bind.h>

#include "exported.hpp"
#include "routines.hpp"

// The module `training`, which is loaded when the first of its routines is called. Some that the first module has are
// here too, so that the widgets of data and tensor parallelism need no other.

EMSCRIPTEN_BINDINGS(shardlab_training) {
    using namespace shardlab::wasm;
    using emscripten::function;

    function("dataParallelGradientAverage", &exported<data_parallel_gradient_average>);
    function("dataParallelTrain", &exported<data_parallel_train>);
    function("gradientBuckets", &exported<gradient_buckets>);
    function("tensorParallelBlock", &exported<tensor_parallel_block>);
    function("tensorParallelCost", &exported<tensor_parallel_cost>);
    function("tensorParallelLinear", &exported<tensor_parallel_linear>);
    function("tensorParallelMatmul", &exported<tensor_parallel_matmul>);
    function("tensorParallelMlp", &exported<tensor_parallel_mlp>);
    function("parseCsv", &exported<parse_csv>);
    function("randomMatrix", &exported<random_matrix>);
}
