#pragma once

/// @file
/// Optimizers that step any part of a model's parameters, with the state of that part alone.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace shardlab {

/// How gradients become steps.
enum class OptimizerKind : std::uint8_t { sgd, adam };

/// `sgd` or `adam`.
const char* name(OptimizerKind kind);

/// The optimizer of that name.
/// @throws invalid_argument naming optimizer
OptimizerKind optimizer_from_name(std::string_view name);

/// An optimizer and its numbers.
struct OptimizerOptions {
    OptimizerKind kind = OptimizerKind::sgd;  ///< which
    double learning_rate = 0.05;              ///< 0 to 1000
    double momentum = 0;                      ///< of SGD, 0 to 1; Adam passes it over
};

/// Steps the parameters that it was made for. Every element is stepped by itself, so that optimizers of the shards of
/// a vector give the same bits as one optimizer of the whole.
///
/// SGD: v = momentum·v + g, p = p - learning_rate·v; without momentum it has no state.
///
/// Adam: m = b1·m + (1 - b1)·g, v = b2·v + (1 - b2)·g^2, p = p - learning_rate·(m / (1 - b1^t)) /
/// (sqrt(v / (1 - b2^t)) + 1e-8), with b1 = 0.9 and b2 = 0.999.
/// Source: Kingma and Ba, arXiv:1412.6980, algorithm 1.
class Optimizer {
public:
    /// SGD of no parameters.
    Optimizer() : Optimizer({}, 0) {}

    /// @throws invalid_argument naming optimizer, learning_rate or momentum
    Optimizer(const OptimizerOptions& options, std::size_t elements);

    /// One step.
    /// @param parameters shape (elements), changed
    /// @param gradients shape (elements)
    /// @throws invalid_argument naming parameters or gradients, for another number of elements or a magnitude over
    /// 1e150
    void step(std::span<double> parameters, std::span<const double> gradients);

    /// Numbers that it keeps from step to step: none, one or two an element.
    std::size_t state_elements() const noexcept { return first_moment_.size() + second_moment_.size(); }

private:
    void step_sgd(std::span<double> parameters, std::span<const double> gradients);
    void step_adam(std::span<double> parameters, std::span<const double> gradients);

    OptimizerOptions options_;
    std::size_t elements_;
    std::vector<double> first_moment_;   // (elements), or empty
    std::vector<double> second_moment_;  // (elements), or empty
    double first_power_ = 1;             // b1^t
    double second_power_ = 1;            // b2^t
};

}  // namespace shardlab
