#include <shardlab/tensor_parallel/linear.hpp>

#include "calls.hpp"
#include "convert.hpp"
#include "routines.hpp"

namespace shardlab::wasm {

val tensor_parallel_matmul(const val& options) {
    const Matrix w = matrix(options, "w");
    const Matrix x = matrix(options, "x");
    const int ranks = integer(options, "ranks", 1, most_ranks);
    const Split split = split_from_name(text(options, "split"));
    const TensorParallelMatmul product = shardlab::tensor_parallel_matmul(w, x, ranks, split);

    val result = val::object();
    result.set("result", plain(product.result));
    result.set("weightShards", plain(product.weight_shards));
    result.set("partialOutputs", plain(product.partial_outputs));
    result.set("communicationBytesPerRank", product.communication_bytes_per_rank);
    result.set("maxAbsError", product.max_abs_error);
    result.set("maxRelError", product.max_rel_error);
    return result;
}

val tensor_parallel_linear(const val& options) {
    const Matrix w = matrix(options, "w");
    const Matrix x = matrix(options, "x");
    const Matrix output_gradient = matrix(options, "outputGradient");
    const int ranks = integer(options, "ranks", 1, most_ranks);
    const Split split = split_from_name(text(options, "split"));
    const TensorParallelLinear layer =
        shardlab::tensor_parallel_linear(w, x, output_gradient, ranks, split, optional_mistake(options));

    val result = val::object();
    result.set("result", plain(layer.forward.result));
    result.set("weightShards", plain(layer.forward.weight_shards));
    result.set("partialOutputs", plain(layer.forward.partial_outputs));
    result.set("inputGradient", plain(layer.input_gradient));
    result.set("partialInputGradients", plain(layer.partial_input_gradients));
    result.set("weightGradient", plain(layer.weight_gradient));
    set_errors(result, {.name = "", .max_abs = layer.forward.max_abs_error, .max_rel = layer.forward.max_rel_error},
               {layer.input_error, layer.weight_error});
    set_calls(result, layer.collectives);
    return result;
}

}  // namespace shardlab::wasm
