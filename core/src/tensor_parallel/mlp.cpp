#include "mlp.hpp"

#include <algorithm>
#include <utility>

#include <shardlab/matmul.hpp>

#include "shards.hpp"

namespace shardlab::tensor_parallel {
namespace {

template <typename Function>
Matrix mapped(const Matrix& matrix, Function function) {
    Matrix result(matrix.shape());
    std::transform(matrix.begin(), matrix.end(), result.begin(), function);
    return result;
}

/// The product of each element with its like.
Matrix product(const Matrix& a, const Matrix& b) {
    Matrix result(a.shape());
    std::transform(a.begin(), a.end(), b.begin(), result.begin(), [](double x, double y) { return x * y; });
    return result;
}

}  // namespace

Matrix mlp_forward(const MlpWeights& weights, const Matrix& x, MlpTrace& trace) {
    trace.up = matmul(x, transposed(view(weights.up)));
    if (weights.gate) {
        trace.gate = matmul(x, transposed(view(*weights.gate)));
        trace.activated = product(mapped(trace.gate, silu), trace.up);
    } else {
        trace.activated = mapped(trace.up, gelu);
    }
    return matmul(trace.activated, transposed(view(weights.down)));
}

MlpGradients mlp_backward(const MlpWeights& weights, const Matrix& x, const MlpTrace& trace,
                          const Matrix& output_gradient) {
    const Matrix activated = matmul(output_gradient, weights.down);
    MlpGradients gradients;
    gradients.weights.down = matmul(transposed(view(output_gradient)), trace.activated);
    if (weights.gate) {
        const Matrix up = product(activated, mapped(trace.gate, silu));
        const Matrix gate = product(product(activated, trace.up), mapped(trace.gate, silu_derivative));
        gradients.weights.up = matmul(transposed(view(up)), x);
        gradients.weights.gate = matmul(transposed(view(gate)), x);
        gradients.input = matmul(up, weights.up);
        add(gradients.input, matmul(gate, *weights.gate));
        return gradients;
    }
    const Matrix up = product(activated, mapped(trace.up, gelu_derivative));
    gradients.weights.up = matmul(transposed(view(up)), x);
    gradients.input = matmul(up, weights.up);
    return gradients;
}

}  // namespace shardlab::tensor_parallel
