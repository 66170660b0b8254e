#pragma once

/// @file
/// A model small enough to be trained in a moment: a multilayer perceptron, and its exact gradient.
///
/// Nothing in it is transcendental, so that a training has the same bits natively and in WebAssembly.

#include <cstddef>
#include <span>
#include <vector>

#include <shardlab/array.hpp>
#include <shardlab/matmul.hpp>

namespace shardlab {

/// Widest layer of a perceptron.
inline constexpr int most_mlp_width = 1024;

/// Largest magnitude of a parameter, an input or a target, so that no loss and no gradient overflows.
inline constexpr double largest_mlp_value = 1e50;

/// The widths of a perceptron with one hidden layer. The standard one has 960 parameters, which 2, 3, 4, 5, 6, 8, 16,
/// 32 and 64 ranks share evenly.
struct MlpShape {
    int inputs = 8;   ///< features of a row of inputs
    int hidden = 56;  ///< features of the hidden layer
    int outputs = 8;  ///< features of a row of outputs
};

/// Checks the widths: 1 to most_mlp_width each.
/// @return the shape, unchanged
/// @throws invalid_argument naming inputs, hidden or outputs
MlpShape require_mlp_shape(const MlpShape& shape);

/// Number of parameters, (inputs + 1)·hidden + (hidden + 1)·outputs.
/// @throws invalid_argument as require_mlp_shape() does
std::size_t mlp_parameters(const MlpShape& shape);

/// What a forward leaves for the backward.
struct MlpActivations {
    Matrix hidden;   ///< shape (rows, hidden), after the activation function
    Matrix outputs;  ///< shape (rows, outputs)
};

/// The forward: outputs = f(inputs·W1 + b1)·W2 + b2, with f(x) = x / sqrt(1 + x^2), which is shaped like tanh.
///
/// Source of f: Carlile et al., "Improving deep learning by inverse square root linear units", arXiv:1710.09967, the
/// inverse square root unit with alpha = 1.
/// @param parameters in the order of the layers: W1 of shape (inputs, hidden), b1, W2 of shape (hidden, outputs), b2
/// @param inputs shape (rows, inputs)
/// @throws invalid_argument naming a width, parameters if their number is not mlp_parameters(), or inputs; either also
///         for a value over largest_mlp_value
MlpActivations mlp_forward(const MlpShape& shape, std::span<const double> parameters, MatrixView<double> inputs);

/// The mean of (output - target)^2 over all elements.
/// @param outputs shape (rows, outputs), of at least one element
/// @param targets the same shape
/// @throws invalid_argument naming outputs or targets, also for a value over largest_mlp_value^2 or largest_mlp_value
double mean_squared_loss(const Matrix& outputs, MatrixView<double> targets);

/// The gradient of mean_squared_loss() with respect to the parameters, in their order.
/// @param activations what mlp_forward() left for these inputs
/// @throws invalid_argument as mlp_forward() and mean_squared_loss() do, or naming hidden
std::vector<double> mlp_backward(const MlpShape& shape, std::span<const double> parameters, MatrixView<double> inputs,
                                 const MlpActivations& activations, MatrixView<double> targets);

}  // namespace shardlab
