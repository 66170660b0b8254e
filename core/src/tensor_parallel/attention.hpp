#pragma once

/// @file
/// The attention of one rank: its heads, forward and backward.

#include <vector>

#include <shardlab/array.hpp>

namespace shardlab::tensor_parallel {

/// The heads of a rank, and the tokens that attend to each other.
struct AttentionShape {
    int heads = 1;      ///< query heads
    int kv_heads = 1;   ///< key and value heads, which divide heads: consecutive query heads share one
    int head_size = 1;  ///< features of a head
    int batch = 1;      ///< sequences; token s·batch + b is the s-th of sequence b
};

/// The matrices of an attention, or the gradients of the loss with respect to them.
struct AttentionWeights {
    Matrix query_key_value;  ///< shape ((heads + 2·kv_heads)·head_size, hidden): queries, then keys, then values
    Matrix output;           ///< shape (hidden, heads·head_size)
};

/// What the forward leaves for the backward.
struct AttentionTrace {
    Matrix query_key_value;             ///< shape (tokens, (heads + 2·kv_heads)·head_size)
    std::vector<Matrix> probabilities;  ///< shape (sequence, sequence), a head of a sequence after the other
    Matrix mixed;                       ///< what the output's matrix is given, shape (tokens, heads·head_size)
};

/// What the backward gives.
struct AttentionGradients {
    Matrix input;              ///< shape (tokens, hidden)
    AttentionWeights weights;  ///< shapes of the weights
};

/// Causal softmax(Q·Kᵀ/√d)·V of every head, then the output's matrix. Source: Vaswani et al., arXiv:1706.03762,
/// section 3.2; grouped queries: Ainslie et al., arXiv:2305.13245, section 2.2.
/// @param x shape (tokens, hidden)
/// @return shape (tokens, hidden)
Matrix attention_forward(const AttentionShape& shape, const AttentionWeights& weights, const Matrix& x,
                         AttentionTrace& trace);

/// @param output_gradient shape (tokens, hidden)
AttentionGradients attention_backward(const AttentionShape& shape, const AttentionWeights& weights, const Matrix& x,
                                      const AttentionTrace& trace, const Matrix& output_gradient);

}  // namespace shardlab::tensor_parallel
