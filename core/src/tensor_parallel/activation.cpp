#include <cmath>
#include <numbers>

#include <shardlab/tensor_parallel/activation.hpp>

namespace shardlab {
namespace {

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

}  // namespace

double gelu(double x) {
    return 0.5 * x * std::erfc(-x / std::numbers::sqrt2);
}

double gelu_derivative(double x) {
    const double cumulative = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * x * x) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    return cumulative + x * density;
}

double silu(double x) {
    return x * sigmoid(x);
}

double silu_derivative(double x) {
    return sigmoid(x) * (1 + x * sigmoid(-x));
}

}  // namespace shardlab
