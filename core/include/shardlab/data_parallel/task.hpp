#pragma once

/// @file
/// What a perceptron is trained on: another perceptron's outputs, seen with noise.

#include <vector>

#include <shardlab/array.hpp>
#include <shardlab/data_parallel/model.hpp>

namespace shardlab {

/// Most steps of a training.
inline constexpr int most_training_steps = 10000;

/// Largest seed of a training: 2^32.
inline constexpr double largest_training_seed = 4294967296.0;

/// Rows of inputs, and what the model is to make of them.
struct Batch {
    Matrix inputs;   ///< shape (rows, inputs)
    Matrix targets;  ///< shape (rows, outputs)
};

/// A regression with fresh rows in every step: no row is seen twice, and the noise keeps gradients from vanishing.
///
/// Every number is a pure function of shape, seed and step, the same bits on every platform.
class RegressionTask {
public:
    /// @param seed a whole number from 0 to largest_training_seed
    /// @throws invalid_argument naming inputs, hidden, outputs or seed
    RegressionTask(const MlpShape& shape, double seed);

    /// Parameters to begin with: uniform in ±1/sqrt(n) in a layer of n inputs, biases too.
    std::vector<double> initial_parameters() const;

    /// The rows of a training step: inputs uniform in [-1, 1), targets the teacher's outputs plus noise uniform in
    /// [-0.25, 0.25). The teacher's parameters are drawn as the initial ones are, three times as large.
    /// @param step 0 to most_training_steps - 1
    /// @param rows rows of the whole batch, at least 1; a longer batch begins with the rows of a shorter one
    /// @throws invalid_argument naming step or rows
    Batch batch(int step, double rows) const;

private:
    MlpShape shape_;
    double seed_;
    std::vector<double> teacher_;
};

}  // namespace shardlab
