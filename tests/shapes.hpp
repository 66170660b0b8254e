#pragma once

// Transformer shapes that several tests size.

#include <shardlab/transformer/shape.hpp>

/// A GPT of an MLP of 4h, with biases, LayerNorm and learned positions; the head is the embedding.
inline shardlab::TransformerShape gpt_shape(int hidden, int layers, int heads, int vocabulary, int sequence) {
    return {.hidden = hidden,
            .layers = layers,
            .heads = heads,
            .kv_heads = heads,
            .head_size = hidden / heads,
            .ffn = 4 * hidden,
            .vocabulary = vocabulary,
            .sequence = sequence,
            .tied_embeddings = true,
            .learned_positions = true,
            .qkv_bias = true,
            .attention_output_bias = true,
            .mlp_bias = true,
            .norm_bias = true,
            .dropout = shardlab::dropout_everywhere};
}

/// A Llama: grouped queries, SwiGLU, RMSNorm, no bias, no dropout.
inline shardlab::TransformerShape llama_shape(int hidden, int layers, int heads, int kv_heads, int ffn,
                                              int vocabulary) {
    return {.hidden = hidden,
            .layers = layers,
            .heads = heads,
            .kv_heads = kv_heads,
            .head_size = hidden / heads,
            .ffn = ffn,
            .vocabulary = vocabulary,
            .sequence = 8192,
            .gated_mlp = true};
}

inline shardlab::TransformerShape llama_3_70b() {
    return llama_shape(8192, 80, 64, 8, 28672, 128256);
}

/// Experts in place of every layer's MLP but the first's, one of them shared.
inline shardlab::TransformerShape mixture_shape() {
    shardlab::TransformerShape shape = llama_shape(1024, 8, 16, 4, 4096, 32000);
    shape.experts = {.count = 16, .per_token = 4, .ffn = 512, .shared_ffn = 512, .dense_layers = {0}};
    return shape;
}
