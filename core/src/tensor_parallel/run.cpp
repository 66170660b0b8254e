#include "run.hpp"

#include <memory>
#include <utility>

#include "attention_part.hpp"
#include "mlp_part.hpp"
#include "regions.hpp"
#include "sublayer.hpp"
#include "transformer.hpp"
#include "vocabulary.hpp"

namespace shardlab::tensor_parallel {
namespace {

/// What each rank holds of an activation outside of the blocks: all of it, or its part of the sequence.
PerRank distributed(const Matrix& activation, const BlockOptions& options) {
    PerRank held;
    for (int rank = 0; rank < options.ranks; ++rank) {
        held.push_back(options.sequence_parallel ? copy_of(row_shard(activation, options.ranks, rank)) : activation);
    }
    return held;
}

std::unique_ptr<Part> make_part(Block block, const BlockShape& shape, const BlockData& data,
                                const BlockOptions& options) {
    if (block == Block::mlp) {
        return std::make_unique<MlpPart>(options.ranks, data, options.forget != Mistake::column_first);
    }
    return std::make_unique<AttentionPart>(options.ranks, shape, data, options.forget != Mistake::whole_heads);
}

void count_weights(const Part& part, Outcome& outcome) {
    for (std::size_t rank = 0; rank < outcome.weight_elements.size(); ++rank) {
        outcome.weight_elements[rank] += part.weight_elements(static_cast<int>(rank));
    }
}

void run_part(Block block, const BlockShape& shape, const BlockData& data, const BlockOptions& options,
              const Regions& regions, Outcome& outcome) {
    const std::unique_ptr<Part> part = make_part(block, shape, data, options);
    Sublayer sublayer(*part, regions, name(block));
    outcome.output = sublayer.forward(distributed(data.input, options));
    outcome.gathered_elements_kept = sublayer.gathered_elements_kept();
    outcome.input_gradient = sublayer.backward(distributed(data.output_gradient, options));
    part->collect(outcome.gradients, outcome.calls);
    count_weights(*part, outcome);
}

/// The gradients of the LayerNorms: those of the tokens that each rank has, summed, or of all tokens on every rank.
void collect_norms(const Residual& attention, const Residual& mlp, const BlockOptions& options, Group& group,
                   Gradients& gradients) {
    PerRank both;
    for (std::size_t rank = 0; rank < attention.norm_gradients().size(); ++rank) {
        both.push_back(stacked({attention.norm_gradients()[rank], mlp.norm_gradients()[rank]}));
    }
    if (options.sequence_parallel) {
        both = group.all_reduce(std::move(both), Pass::step, "norm gradients");
    }
    gradients["attention_norm"] = copy_of(row_shard(both.front(), 2, 0));
    gradients["mlp_norm"] = copy_of(row_shard(both.front(), 2, 1));
}

void run_transformer(const BlockShape& shape, const BlockData& data, const BlockOptions& options,
                     const Regions& regions, Outcome& outcome) {
    const std::unique_ptr<Part> attention_part = make_part(Block::attention, shape, data, options);
    const std::unique_ptr<Part> mlp_part = make_part(Block::mlp, shape, data, options);
    Sublayer attention(*attention_part, regions, name(Block::attention));
    Sublayer mlp(*mlp_part, regions, name(Block::mlp));

    const PerRank input = distributed(data.input, options);
    const std::size_t rows = options.sequence_parallel ? input.front().shape(0) : 0;
    const auto masks = [&](double seed) { return dropouts(shape.dropout, seed, options.ranks, rows); };
    Residual first(attention, data.weights.at("attention_norm"), masks(2 * data.dropout_seed));
    Residual second(mlp, data.weights.at("mlp_norm"), masks(2 * data.dropout_seed + 1));

    outcome.output = second.forward(first.forward(input));
    outcome.gathered_elements_kept = attention.gathered_elements_kept() + mlp.gathered_elements_kept();
    outcome.input_gradient = first.backward(second.backward(distributed(data.output_gradient, options)));
    attention_part->collect(outcome.gradients, outcome.calls);
    mlp_part->collect(outcome.gradients, outcome.calls);
    collect_norms(first, second, options, regions.group(), outcome.gradients);
    count_weights(*attention_part, outcome);
    count_weights(*mlp_part, outcome);
    for (double& elements : outcome.weight_elements) {
        elements += static_cast<double>(data.weights.at("attention_norm").size() + data.weights.at("mlp_norm").size());
    }
}

}  // namespace

Outcome run_on_ranks(Block block, const BlockShape& shape, const BlockData& data, const BlockOptions& options) {
    Outcome outcome;
    outcome.weight_elements.assign(static_cast<std::size_t>(options.ranks), 0.0);
    Group group(options.ranks, outcome.calls);
    const Regions regions(group, options);
    if (block == Block::transformer) {
        run_transformer(shape, data, options, regions, outcome);
    } else if (block == Block::vocabulary) {
        VocabularyRun run = run_vocabulary(shape, data, regions);
        outcome.output = std::move(run.losses);
        outcome.input_gradient = std::move(run.hidden_gradients);
        outcome.gradients = std::move(run.gradients);
        outcome.weight_elements = std::move(run.weight_elements);
        outcome.gathered_elements_kept = run.gathered_elements_kept;
    } else {
        run_part(block, shape, data, options, regions, outcome);
    }
    return outcome;
}

}  // namespace shardlab::tensor_parallel
