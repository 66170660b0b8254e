#pragma once

// The GPT that papers size: an MLP of 4h, biases, LayerNorm, learned positions and dropout; the head is the embedding.

#include <shardlab/transformer.hpp>

namespace shardlab::verifying {

inline TransformerShape gpt(int hidden, int layers, int heads, int vocabulary, int sequence) {
    TransformerShape shape = model_preset("megatron-22b").shape;
    shape.hidden = hidden;
    shape.layers = layers;
    shape.heads = heads;
    shape.kv_heads = heads;
    shape.head_size = hidden / heads;
    shape.ffn = 4 * hidden;
    shape.vocabulary = vocabulary;
    shape.sequence = sequence;
    return shape;
}

}  // namespace shardlab::verifying
