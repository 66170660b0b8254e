#pragma once

/// @file
/// Norms and dropout, which a rank does alone on the tokens that it holds.

#include <cstddef>

#include <shardlab/array.hpp>

namespace shardlab::tensor_parallel {

/// What the forward of a norm leaves for the backward.
struct NormTrace {
    Matrix normalized;  ///< shape (tokens, hidden)
    Vector deviation;   ///< of each token's features, shape (tokens)
};

/// (x - mean) / √(variance + 1e-5) · scale + shift, token by token; where the weights have no shift, the same without
/// the mean: x / √(mean of squares + 1e-5) · scale.
/// @param weights scale and shift, shape (2, hidden), or the scale alone
Matrix norm_forward(const Matrix& weights, const Matrix& x, NormTrace& trace);

/// What the backward of a norm gives.
struct NormGradients {
    Matrix input;    ///< shape (tokens, hidden)
    Matrix weights;  ///< shape of the weights
};

NormGradients norm_backward(const Matrix& weights, const NormTrace& trace, const Matrix& output_gradient);

/// Which elements of an activation are dropped: decided for each by its place in the whole activation, so that a rank
/// that holds some of the tokens drops what one with all of them drops.
struct Dropout {
    double probability = 0;  ///< 0 to below 1
    double seed = 0;         ///< of this mask
    std::size_t first = 0;   ///< the token that the rank's first row is

    /// The activation with the dropped elements 0 and the others over 1 - probability; the same map takes a gradient
    /// back.
    Matrix apply(const Matrix& activation) const;
};

}  // namespace shardlab::tensor_parallel
