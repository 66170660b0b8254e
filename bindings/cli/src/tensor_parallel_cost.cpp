#include <string>

#include <nlohmann/json.hpp>

#include <shardlab/tensor_parallel.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "model_option.hpp"
#include "tensor_parallel_listing.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add("config", "FILE", "a Hugging Face config.json of a dense model");
    options.add("ranks", "N", "ranks of the tensor-parallel group");
    options.add_with_default("micro_batch", "N", "1", "sequences in a micro-batch");
    options.add("sequence", "N", "tokens of a sequence");
    options.add_flag("sequence_parallel", "outside of the blocks each rank holds its part of the sequence");
    options.add_flag("keep_gathered", "keep for the backward what sequence parallelism gathered");
}

/// Sizes that stand in the file are blamed on the file, and the others on their options.
ModelCost cost_of(const Options& options, const TransformerShape& model, int micro_batch, int sequence,
                  const BlockOptions& asked) {
    try {
        return model_cost(model, micro_batch, sequence, asked);
    } catch (const invalid_argument& error) {
        const std::string& name = error.parameter();
        const bool is_option = name == "sequence" || name == "ranks";
        const std::string blamed = name == "batch" ? "micro_batch"
                                   : is_option     ? name
                                                   : "--config " + options.text("config") + ": " + name;
        throw invalid_argument(blamed, error.value(), error.rule());
    }
}

void run(const Options& options, std::ostream& out) {
    const BlockOptions asked{.ranks = options.whole("ranks", 1, most_ranks),
                             .sequence_parallel = options.given("sequence_parallel"),
                             .keep_gathered = options.given("keep_gathered"),
                             .forget = std::nullopt};
    const int micro_batch = options.whole("micro_batch", 1);
    const int sequence = options.whole("sequence", 1);
    const TransformerShape model = model_in_config(options).shape;
    const ModelCost cost = cost_of(options, model, micro_batch, sequence, asked);

    Answer answer(out);
    answer.add("communication_bytes_per_token", cost.communication_bytes_per_token);
    answer.add("communication_bytes_per_token_and_layer", cost.layer_bytes_per_token);
    answer.add("multiplications_per_rank_and_layer", cost.layer_multiplications);
    answer.add("layers", model.layers);
    answer.add("kv_head_copies", cost.kv_head_copies);
    answer.add_records("collectives", cost.collectives.size(), [&](std::size_t index) {
        nlohmann::ordered_json record = record_of(cost.collectives[index].call);
        record["count"] = cost.collectives[index].count;
        return record;
    });
    answer.close();
}

}  // namespace

const Command tensor_parallel_cost_command = {
    .name = "tensor-parallel-cost",
    .summary = "List the collectives that tensor parallelism makes a model call, and the bytes that it sends per token",
    .example = "shardlab tensor-parallel-cost --config config.json --ranks 8 --sequence 8192",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
