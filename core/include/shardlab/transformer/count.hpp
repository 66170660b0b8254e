#pragma once

/// @file
/// The parameters of a transformer, counted exactly, by part.

#include <shardlab/transformer/shape.hpp>

namespace shardlab {

/// Parameters of one layer by part. Of the two kinds of MLP a layer has one.
struct LayerParameters {
    double attention = 0;       ///< projections, their biases, and latents with their norms
    double mlp = 0;             ///< the dense MLP
    double router = 0;          ///< with its bias
    double experts = 0;         ///< all routed experts
    double shared_experts = 0;  ///< with their gate
    double norms = 0;           ///< of the layer and of its heads

    double total() const { return attention + mlp + router + experts + shared_experts + norms; }  ///< the sum
};

/// Parameters of a layer with a dense MLP, or with experts.
/// @throws invalid_argument as require_shape() does; naming ffn or experts.count where the shape has no such layer
LayerParameters count_layer(const TransformerShape& shape, bool with_experts);

/// Parameters by part; all but the last two add up to `total`.
struct ParameterCounts {
    double token_embedding = 0;     ///< V·h
    double position_embedding = 0;  ///< sequence·h where positions are learned
    double attention = 0;           ///< over all layers
    double mlp = 0;                 ///< over all layers with a dense MLP
    double router = 0;              ///< over all layers with experts
    double experts = 0;             ///< routed experts, over all layers with them
    double shared_experts = 0;      ///< over all layers with experts
    double norms = 0;               ///< over all layers, and the one at the end
    double output_head = 0;         ///< V·h unless tied
    double total = 0;               ///< the sum
    double active = 0;              ///< of them, those that one token meets: all but the experts it is not routed to
    double prediction_heads = 0;    ///< heads that predict further tokens, without the embedding and the output head
                                    ///< that they share; not part of the total
};

/// Counts a decoder's parameters, exactly up to 2^53.
/// @throws invalid_argument as require_shape() does; naming params above 2^53 in all, with the prediction heads
ParameterCounts count_parameters(const TransformerShape& shape);

}  // namespace shardlab
