#pragma once

// Shapes of models that published tables size.

#include <string_view>

#include <shardlab/transformer/shape.hpp>

namespace shardlab::verifying {

/// The GPT of the papers: an MLP of 4h, biases, LayerNorm, learned positions and dropout; the head is the embedding.
TransformerShape gpt(int hidden, int layers, int heads, int vocabulary, int sequence);

/// A model of the table of public models, by its name there.
TransformerShape public_model(std::string_view name);

/// A model of Korthikanti et al., table 3, by its size: `22B`, `175B`, `530B`, `1T`.
TransformerShape korthikanti_model(std::string_view size);

}  // namespace shardlab::verifying
