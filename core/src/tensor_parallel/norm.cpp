#include "norm.hpp"

#include <cmath>
#include <cstdint>

namespace shardlab::tensor_parallel {
namespace {

constexpr double epsilon = 1e-5;

/// A number in [0, 1) that belongs to a place: the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
double uniform_at(std::uint64_t seed, std::uint64_t place) {
    std::uint64_t bits = seed + (place + 1) * 0x9E3779B97F4A7C15U;
    bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
    bits ^= bits >> 31U;
    constexpr double spacing = 1.0 / 9007199254740992.0;  // 2^-53
    return static_cast<double>(bits >> 11U) * spacing;
}

bool has_shift(const Matrix& weights) {
    return weights.shape(0) == 2;
}

double mean_of(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

double variance_of(std::span<const double> values, double mean) {
    double sum = 0;
    for (const double value : values) {
        sum += (value - mean) * (value - mean);
    }
    return sum / static_cast<double>(values.size());
}

}  // namespace

Matrix norm_forward(const Matrix& weights, const Matrix& x, NormTrace& trace) {
    const bool shifts = has_shift(weights);
    trace.normalized = Matrix(x.shape());
    trace.deviation = Vector::from_shape({x.shape(0)});
    Matrix output(x.shape());
    for (std::size_t token = 0; token < x.shape(0); ++token) {
        const double mean = shifts ? mean_of(row(x, token)) : 0;
        const double deviation = std::sqrt(variance_of(row(x, token), mean) + epsilon);
        trace.deviation(token) = deviation;
        for (std::size_t feature = 0; feature < x.shape(1); ++feature) {
            const double normalized = (x(token, feature) - mean) / deviation;
            trace.normalized(token, feature) = normalized;
            output(token, feature) = normalized * weights(0, feature) + (shifts ? weights(1, feature) : 0);
        }
    }
    return output;
}

NormGradients norm_backward(const Matrix& weights, const NormTrace& trace, const Matrix& output_gradient) {
    const bool shifts = has_shift(weights);
    const Matrix& normalized = trace.normalized;
    const auto features = static_cast<double>(normalized.shape(1));
    NormGradients gradients{.input = Matrix(normalized.shape()), .weights = Matrix(weights.shape(), 0.0)};
    for (std::size_t token = 0; token < normalized.shape(0); ++token) {
        double mean = 0;
        double along = 0;
        for (std::size_t feature = 0; feature < normalized.shape(1); ++feature) {
            const double slope = output_gradient(token, feature) * weights(0, feature);
            mean += shifts ? slope / features : 0;
            along += slope * normalized(token, feature) / features;
            gradients.weights(0, feature) += output_gradient(token, feature) * normalized(token, feature);
            if (shifts) {
                gradients.weights(1, feature) += output_gradient(token, feature);
            }
        }
        for (std::size_t feature = 0; feature < normalized.shape(1); ++feature) {
            const double slope = output_gradient(token, feature) * weights(0, feature);
            gradients.input(token, feature) =
                (slope - mean - normalized(token, feature) * along) / trace.deviation(token);
        }
    }
    return gradients;
}

Matrix Dropout::apply(const Matrix& activation) const {
    if (probability == 0) {
        return activation;
    }
    Matrix kept(activation.shape());
    const std::size_t columns = activation.shape(1);
    for (std::size_t i = 0; i < activation.shape(0); ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            const bool drops = uniform_at(static_cast<std::uint64_t>(seed), (first + i) * columns + j) < probability;
            kept(i, j) = drops ? 0 : activation(i, j) / (1 - probability);
        }
    }
    return kept;
}

}  // namespace shardlab::tensor_parallel
