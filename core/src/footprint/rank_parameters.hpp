#pragma once

/// @file
/// The parameters of a rank after tensor and expert parallelism, before ZeRO shards them.

#include <shardlab/layout.hpp>
#include <shardlab/states.hpp>
#include <shardlab/transformer/shape.hpp>

namespace shardlab {

/// Parameters of one rank, by the ranks that hold the same.
struct RankParameters {
    ParameterGroup dense;    ///< held by dp·cp ranks
    ParameterGroup experts;  ///< held by dp·cp/ep ranks

    RankParameters& operator+=(const RankParameters& other);
    double total() const { return dense.all + experts.all; }
};

/// Those of so many layers.
RankParameters operator*(int layers, const RankParameters& layer);

/// A rank's part of one layer. Norms, routers, latents and the biases of outputs are whole on every rank; of key and
/// value heads a rank has at least one.
RankParameters layer_on_rank(const TransformerShape& shape, bool with_experts, const Layout& layout);

/// Rows of the vocabulary on the rank that has most, times the hidden size.
double vocabulary_on_rank(const TransformerShape& shape, const Layout& layout);

/// Learned positions: whole on every rank.
double positions_on_rank(const TransformerShape& shape);

/// The bias of the output head, where it has one: cut as the vocabulary is.
double output_bias_on_rank(const TransformerShape& shape, const Layout& layout);

/// The norm after the last layer: whole on every rank.
double final_norm_on_rank(const TransformerShape& shape);

}  // namespace shardlab
