#pragma once

/// @file
/// The MLP of one rank: its features, forward and backward.

#include <optional>

#include <shardlab/array.hpp>
#include <shardlab/tensor_parallel/activation.hpp>

namespace shardlab::tensor_parallel {

/// The matrices of an MLP, or the gradients of the loss with respect to them.
struct MlpWeights {
    Matrix up;                   ///< shape (ffn, hidden)
    std::optional<Matrix> gate;  ///< shape (ffn, hidden), for SwiGLU
    Matrix down;                 ///< shape (hidden, ffn)
};

/// What the forward leaves for the backward.
struct MlpTrace {
    Matrix up;         ///< up·x, shape (tokens, ffn)
    Matrix gate;       ///< gate·x, shape (tokens, ffn); empty without a gate
    Matrix activated;  ///< what the second matrix is given, shape (tokens, ffn)
};

/// What the backward gives.
struct MlpGradients {
    Matrix input;        ///< shape (tokens, hidden)
    MlpWeights weights;  ///< shapes of the weights
};

/// @param x shape (tokens, hidden)
/// @return shape (tokens, hidden)
Matrix mlp_forward(const MlpWeights& weights, const Matrix& x, MlpTrace& trace);

/// @param output_gradient shape (tokens, hidden)
MlpGradients mlp_backward(const MlpWeights& weights, const Matrix& x, const MlpTrace& trace,
                          const Matrix& output_gradient);

}  // namespace shardlab::tensor_parallel
