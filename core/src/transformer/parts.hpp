#pragma once

// Parameters of the parts of a layer: of matrices, which a token is multiplied with, and of vectors, which it is not.

#include <shardlab/transformer/shape.hpp>

namespace shardlab::transformer {

/// Parameters of a part.
struct Part {
    double matrices = 0;
    double vectors = 0;

    double total() const { return matrices + vectors; }
};

/// Queries, keys, values and output, with latents and their norms.
Part attention(const TransformerShape& shape);

/// An MLP of so many inner features.
Part mlp(const TransformerShape& shape, int ffn, bool bias);

/// The router of a layer with experts.
Part router(const TransformerShape& shape);

/// One of the routed experts.
Part routed_expert(const TransformerShape& shape);

/// The shared experts together, with their gate.
Part shared_experts(const TransformerShape& shape);

/// Weights, and biases where there are any, of a norm over the hidden features.
double norm(const TransformerShape& shape);

/// The bias of the output head, where it has one.
double output_bias(const TransformerShape& shape);

/// The norms of a layer, but for those of latents.
double layer_norms(const TransformerShape& shape);

}  // namespace shardlab::transformer
