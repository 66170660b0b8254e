#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <shardlab/errors.hpp>
#include <shardlab/tensor_parallel/linear.hpp>

#include "mlp.hpp"
#include "products.hpp"
#include "shards.hpp"

namespace shardlab {
namespace {

using namespace tensor_parallel;

/// What one rank's pair of weights, or the whole pair, makes of an input.
struct MlpPass {
    Matrix output;
    Matrix input_gradient;
};

/// A matrix whose columns are tokens as one whose rows are, and back.
Matrix turned(const Matrix& matrix) {
    return copy_of(transposed(view(matrix)));
}

/// Runs a pair of weights on an input and an output's gradient whose rows are tokens.
MlpPass mlp_pass(MatrixView<double> w1, MatrixView<double> w2, const Matrix& x, const Matrix& output_gradient) {
    const MlpWeights weights{.up = copy_of(w1), .gate = std::nullopt, .down = copy_of(w2)};
    MlpTrace trace;
    Matrix output = mlp_forward(weights, x, trace);
    require_finite_product(trace.up, "w1");
    require_finite_product(output, "w2");
    Matrix input_gradient = mlp_backward(weights, x, trace, output_gradient).input;
    require_finite_product(input_gradient, "output_gradient");
    return {std::move(output), std::move(input_gradient)};
}

void require_mlp(const Matrix& w1, const Matrix& w2, const Matrix& x, const Matrix& output_gradient) {
    require_matrix("w1", w1);
    require_matrix("w2", w2);
    require_matrix("x", x);
    require_matrix("output_gradient", output_gradient);
    require_rows("x", x, w1.shape(1), "w1 has columns");
    if (w2.shape(1) != w1.shape(0)) {
        throw invalid_argument("w2", std::to_string(w2.shape(0)) + " x " + std::to_string(w2.shape(1)),
                               "have as many columns as w1 has rows, which is " + std::to_string(w1.shape(0)));
    }
    require_rows("output_gradient", output_gradient, w2.shape(0), "w2 has rows");
    if (output_gradient.shape(1) != x.shape(1)) {
        throw invalid_argument(
            "output_gradient",
            std::to_string(output_gradient.shape(0)) + " x " + std::to_string(output_gradient.shape(1)),
            "have as many columns as x, which is " + std::to_string(x.shape(1)));
    }
}

}  // namespace

TensorParallelMlp tensor_parallel_mlp(const Matrix& w1, const Matrix& w2, const Matrix& x,
                                      const Matrix& output_gradient, int ranks) {
    require_int("ranks", ranks, 1, most_ranks);
    require_mlp(w1, w2, x, output_gradient);
    const auto batch = static_cast<double>(x.shape(1));
    const auto ffn = static_cast<double>(w1.shape(0));
    require_feasible("w1", ffn, static_cast<double>(w1.shape(1)), batch, 1);
    require_feasible("w1", static_cast<double>(w1.shape(1)), ffn, batch, ranks);
    require_feasible("w2", static_cast<double>(w2.shape(0)), ffn, batch, ranks);

    const Matrix tokens = turned(x);
    const Matrix gradient = turned(output_gradient);
    std::vector<Matrix> partial_outputs;
    std::vector<Matrix> partial_input_gradients;
    for (int rank = 0; rank < ranks; ++rank) {
        MlpPass pass = mlp_pass(row_shard(w1, ranks, rank), column_shard(w2, ranks, rank), tokens, gradient);
        partial_outputs.push_back(std::move(pass.output));
        partial_input_gradients.push_back(std::move(pass.input_gradient));
    }
    ReducedSum output = all_reduced(partial_outputs, "w2");
    ReducedSum input_gradient = all_reduced(partial_input_gradients, "w1");

    const MlpPass whole = mlp_pass(w1, w2, tokens, gradient);
    TensorParallelMlp sharded;
    sharded.forward_all_reduces = 1;
    sharded.backward_all_reduces = 1;
    sharded.communication_bytes_per_rank = output.busiest_rank_bytes + input_gradient.busiest_rank_bytes;
    sharded.output_max_rel_error = relative_error(elements(output.sum), elements(whole.output));
    sharded.input_gradient_max_rel_error = relative_error(elements(input_gradient.sum), elements(whole.input_gradient));
    sharded.output = turned(output.sum);
    sharded.input_gradient = turned(input_gradient.sum);
    return sharded;
}

}  // namespace shardlab
