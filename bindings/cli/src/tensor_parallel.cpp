#include <nlohmann/json.hpp>

#include <shardlab/tensor_parallel.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "tensor_parallel_listing.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add_with_default("block", "NAME", "linear", "linear, mlp, attention, transformer or vocabulary");
    options.add_with_default("ranks", "N", "2", "world size");
    options.add_with_default("split", "column|row", "column", "linear: how the weights are split");
    options.add_with_default("in_features", "N", "8", "linear: columns of W, rows of x");
    options.add_with_default("out_features", "N", "8", "linear: rows of W");
    options.add_with_default("batch", "N", "2", "sequences; of linear, columns of x");
    options.add_with_default("sequence", "N", "8", "tokens of a sequence");
    options.add_with_default("hidden", "N", "16", "features of a token");
    options.add_with_default("heads", "N", "4", "query heads");
    options.add("kv_heads", "N", "key and value heads; as many as query heads when left out");
    options.add_with_default("ffn", "N", "64", "features between the two matrices of the MLP");
    options.add_with_default("activation", "gelu|swiglu", "gelu", "between the two matrices of the MLP");
    options.add_with_default("vocabulary", "N", "64", "tokens that there are");
    options.add_with_default("norm", "layer|rms", "layer", "transformer: before the attention and the MLP");
    options.add_with_default("dropout", "P", "0", "transformer: part of the activations that is dropped");
    options.add_flag("sequence_parallel", "outside of the blocks each rank holds its part of the sequence");
    options.add_flag("keep_gathered", "keep for the backward what sequence parallelism gathered");
    options.add("forget", "NAME", "forward-all-reduce, backward-all-reduce, column-first or whole-heads");
    options.add_with_default("seed", "N", "0", "all numbers are made from it");
}

std::optional<Mistake> mistake_asked_for(const Options& options) {
    return options.given("forget") ? std::optional(mistake_from_name(options.text("forget"))) : std::nullopt;
}

void answer_linear(const Options& options, std::ostream& out) {
    if (options.given("sequence_parallel")) {
        throw invalid_argument("sequence_parallel", "given", "be left out with the block linear, which is one matrix");
    }
    const Split split = split_from_name(options.text("split"));
    const int ranks = options.whole("ranks", 1, most_ranks);
    const double in_features = require_count("in_features", options.count("in_features"), 1, largest_array);
    const double out_features = require_count("out_features", options.count("out_features"), 1, largest_array);
    const double batch = require_count("batch", options.count("batch"), 1, largest_array);
    const double seed = require_count("seed", options.count("seed"), 0, largest_count - 2);
    const std::optional<Mistake> forget = mistake_asked_for(options);

    const Matrix w = blaming("out_features", [&] { return random_matrix(out_features, in_features, seed); });
    const Matrix x = blaming("batch", [&] { return random_matrix(in_features, batch, seed + 1); });
    const Matrix gradient = blaming("batch", [&] { return random_matrix(out_features, batch, seed + 2); });
    const TensorParallelLinear layer = [&] {
        try {
            return tensor_parallel_linear(w, x, gradient, ranks, split, forget);
        } catch (const invalid_argument& error) {
            const std::string parameter = error.parameter() == "w" ? "out_features" : error.parameter();
            throw invalid_argument(parameter, error.value(), error.rule());
        }
    }();

    Answer answer(out);
    answer.add("max_abs_error", layer.forward.max_abs_error);
    answer.add("max_rel_error", layer.forward.max_rel_error);
    add_gradient_errors(answer, {layer.input_error, layer.weight_error});
    add_collectives(answer, layer.collectives);
    answer.add("communication_bytes_per_rank", layer.forward.communication_bytes_per_rank);
    answer.add_rows("result", layer.forward.result);
    answer.close();
}

BlockShape shape_asked_for(const Options& options) {
    const int heads = options.whole("heads", 1);
    return {.hidden = options.whole("hidden", 1),
            .heads = heads,
            .kv_heads = options.given("kv_heads") ? options.whole("kv_heads", 1) : heads,
            .ffn = options.whole("ffn", 1),
            .vocabulary = options.whole("vocabulary", 1),
            .batch = options.whole("batch", 1),
            .sequence = options.whole("sequence", 1),
            .activation = activation_from_name(options.text("activation")),
            .norm = norm_from_name(options.text("norm")),
            .dropout = options.number("dropout")};
}

void answer_block(const Options& options, std::ostream& out) {
    const Block block = block_from_name(options.text("block"));
    const BlockShape shape = shape_asked_for(options);
    const BlockOptions asked{.ranks = options.whole("ranks", 1, most_ranks),
                             .sequence_parallel = options.given("sequence_parallel"),
                             .keep_gathered = options.given("keep_gathered"),
                             .forget = mistake_asked_for(options)};
    const BlockCost cost = block_cost(block, shape, asked);
    const BlockRun run = run_block(block, shape, random_block_data(block, shape, options.count("seed")), asked);

    Answer answer(out);
    answer.add("max_abs_error", run.output_error.max_abs);
    answer.add("max_rel_error", run.output_error.max_rel);
    add_gradient_errors(answer, run.gradient_errors);
    add_collectives(answer, run.collectives);
    answer.add_list("weight_elements_per_rank", run.weight_elements);
    answer.add("kv_head_copies", cost.kv_head_copies);
    answer.add("gathered_bytes_kept_per_rank", run.gathered_elements_kept * sizeof(double));
    answer.close();
}

void run(const Options& options, std::ostream& out) {
    options.text("block") == "linear" ? answer_linear(options, out) : answer_block(options, out);
}

}  // namespace

const Command tensor_parallel_command = {
    .name = "tensor-parallel",
    .summary = "Run a block of a transformer over some ranks, forward and backward, beside the whole block",
    .example = "shardlab tensor-parallel --block transformer --ranks 4 --sequence-parallel",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
