#include <shardlab/tensor_parallel.hpp>

#include "calls.hpp"
#include "convert.hpp"
#include "routines.hpp"

namespace shardlab::wasm {
namespace {

BlockOptions block_options(const val& options) {
    return {.ranks = integer(options, "ranks", 1, most_ranks),
            .sequence_parallel = flag(options, "sequenceParallel"),
            .keep_gathered = flag(options, "keepGathered"),
            .forget = std::nullopt};
}

BlockShape block_shape(const val& options) {
    const int heads = integer(options, "heads", 1);
    return {.hidden = integer(options, "hidden", 1),
            .heads = heads,
            .kv_heads = optional_number(options, "kvHeads") ? integer(options, "kvHeads", 1) : heads,
            .ffn = integer(options, "ffn", 1),
            .vocabulary = integer(options, "vocabulary", 1),
            .batch = integer(options, "batch", 1),
            .sequence = integer(options, "sequence", 1),
            .activation = activation_from_name(text(options, "activation")),
            .norm = norm_from_name(text(options, "norm")),
            .dropout = number(options, "dropout")};
}

}  // namespace

val tensor_parallel_block(const val& options) {
    const Block block = block_from_name(text(options, "block"));
    const BlockShape shape = block_shape(options);
    BlockOptions asked = block_options(options);
    asked.forget = optional_mistake(options);
    const BlockRun run = run_block(block, shape, random_block_data(block, shape, number(options, "seed")), asked);

    val result = val::object();
    result.set("output", plain(run.output));
    result.set("inputGradient", plain(run.input_gradient));
    set_errors(result, run.output_error, run.gradient_errors);
    set_calls(result, run.collectives);
    result.set("weightElementsPerRank", copied(run.weight_elements));
    result.set("gatheredElementsKept", run.gathered_elements_kept);
    const BlockCost cost = block_cost(block, shape, asked);
    result.set("multiplicationsPerRank", cost.multiplications);
    result.set("kvHeadCopies", cost.kv_head_copies);
    return result;
}

val tensor_parallel_mlp(const val& options) {
    const Matrix w1 = matrix(options, "w1");
    const Matrix w2 = matrix(options, "w2");
    const Matrix x = matrix(options, "x");
    const Matrix output_gradient = matrix(options, "outputGradient");
    const int ranks = integer(options, "ranks", 1, most_ranks);
    const TensorParallelMlp mlp = shardlab::tensor_parallel_mlp(w1, w2, x, output_gradient, ranks);

    val result = val::object();
    result.set("output", plain(mlp.output));
    result.set("inputGradient", plain(mlp.input_gradient));
    result.set("forwardAllReduces", mlp.forward_all_reduces);
    result.set("backwardAllReduces", mlp.backward_all_reduces);
    result.set("communicationBytesPerRank", mlp.communication_bytes_per_rank);
    result.set("outputMaxRelError", mlp.output_max_rel_error);
    result.set("inputGradientMaxRelError", mlp.input_gradient_max_rel_error);
    return result;
}

val tensor_parallel_cost(const val& options) {
    const ModelConfig config = optional_config(options, "config").value_or(ModelConfig{});
    const TransformerShape model = shape_from_config(config);
    const ModelCost cost =
        model_cost(model, integer(options, "microBatch", 1), integer(options, "sequence", 1), block_options(options));
    val calls = val::array();
    for (const RepeatedCall& repeated : cost.collectives) {
        val object = plain_call(repeated.call);
        object.set("count", repeated.count);
        calls.call<void>("push", object);
    }
    val result = val::object();
    result.set("communicationBytesPerToken", cost.communication_bytes_per_token);
    result.set("layerBytesPerToken", cost.layer_bytes_per_token);
    result.set("layerMultiplications", cost.layer_multiplications);
    result.set("layers", model.layers);
    result.set("kvHeadCopies", cost.kv_head_copies);
    result.set("collectives", calls);
    return result;
}

}  // namespace shardlab::wasm
