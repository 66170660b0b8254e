#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <shardlab/errors.hpp>
#include <shardlab/matmul.hpp>
#include <shardlab/tensor_parallel/activation.hpp>
#include <shardlab/tensor_parallel/linear.hpp>

namespace shardlab {
namespace {

void require_matrix(const char* parameter, const Matrix& matrix) {
    if (matrix.size() == 0) {
        throw invalid_argument(parameter, std::to_string(matrix.shape(0)) + " x " + std::to_string(matrix.shape(1)),
                               "have at least one row and one column");
    }
    require_finite(parameter, matrix);
}

void require_rows(const char* parameter, const Matrix& matrix, std::size_t rows, const char* of_what) {
    if (matrix.shape(0) != rows) {
        throw invalid_argument(parameter, std::to_string(matrix.shape(0)) + " x " + std::to_string(matrix.shape(1)),
                               "have as many rows as " + std::string(of_what) + ", which is " + std::to_string(rows));
    }
}

/// A product that overflows is the caller's to mend, so the error names its argument.
Matrix finite_product(MatrixView<double> a, MatrixView<double> b, const char* parameter) {
    Matrix product = matmul(a, b);
    for (const double element : product) {
        if (!std::isfinite(element)) {
            throw invalid_argument(parameter, number_text(element) + " in a product",
                                   "have values whose products and sums stay finite");
        }
    }
    return product;
}

/// Refuses a product that would take minutes, or partial sums that would not fit, before anything is computed.
/// @param copies ranks that hold a partial sum of the whole product; 1 where each holds a part of it
void require_feasible(const char* parameter, double rows, double inner, double columns, int copies) {
    constexpr double most_multiplications = 4294967296.0;  // 2^32: some seconds on one core
    if (rows * inner * columns > most_multiplications) {
        throw invalid_argument(parameter,
                               number_text(rows) + " x " + number_text(inner) + " times " + number_text(inner) + " x " +
                                   number_text(columns),
                               "take at most " + number_text(most_multiplications) + " multiplications");
    }
    if (rows * columns * copies > largest_array) {
        throw invalid_argument(parameter,
                               number_text(rows) + " x " + number_text(columns) + " outputs on each of " +
                                   number_text(copies) + (copies == 1 ? " rank" : " ranks"),
                               "have at most " + number_text(largest_array) + " elements of partial sums in all");
    }
}

Matrix concatenated_rows(const std::vector<Matrix>& parts, std::size_t rows) {
    Matrix whole = zeros("w", static_cast<double>(rows), static_cast<double>(parts.front().shape(1)));
    auto place = whole.begin();
    for (const Matrix& part : parts) {
        place = std::copy(part.begin(), part.end(), place);
    }
    return whole;
}

/// A sum over ranks and what it cost.
struct ReducedSum {
    Matrix sum;
    double busiest_rank_bytes;
};

/// Partial sums that are too large to be added are the caller's to mend, so the error names its argument.
AllReduce summed(Matrix partial_sums, const char* parameter) {
    try {
        return ring_all_reduce(std::move(partial_sums));
    } catch (const invalid_argument& error) {
        throw invalid_argument(parameter, error.value() + " in a partial sum", error.rule());
    }
}

ReducedSum all_reduced(const std::vector<Matrix>& partial_sums, const char* parameter) {
    const Matrix& first = partial_sums.front();
    Matrix buffers = zeros(parameter, static_cast<double>(partial_sums.size()), static_cast<double>(first.size()));
    for (std::size_t rank = 0; rank < partial_sums.size(); ++rank) {
        std::copy(partial_sums[rank].begin(), partial_sums[rank].end(), row(buffers, rank).begin());
    }
    const AllReduce reduced = summed(std::move(buffers), parameter);
    Matrix sum(first.shape());
    const std::span<const double> result = row(reduced.buffers, 0);
    std::copy(result.begin(), result.end(), sum.begin());
    return {std::move(sum), reduced.ledger.busiest_rank_bytes()};
}

/// The rows of a matrix that belong to a rank.
MatrixView<double> row_shard(const Matrix& matrix, int ranks, int rank) {
    const Chunk part = chunk(matrix.shape(0), ranks, rank);
    return rows_of(view(matrix), static_cast<std::size_t>(part.offset), static_cast<std::size_t>(part.count));
}

/// The columns of a matrix that belong to a rank.
MatrixView<double> column_shard(const Matrix& matrix, int ranks, int rank) {
    const Chunk part = chunk(matrix.shape(1), ranks, rank);
    return columns_of(view(matrix), static_cast<std::size_t>(part.offset), static_cast<std::size_t>(part.count));
}

void split_columns(const Matrix& w, const Matrix& x, int ranks, TensorParallelMatmul& sharded) {
    for (int rank = 0; rank < ranks; ++rank) {
        sharded.weight_shards.push_back(copy_of(row_shard(w, ranks, rank)));
        sharded.partial_outputs.push_back(finite_product(sharded.weight_shards.back(), x, "w"));
    }
    sharded.result = concatenated_rows(sharded.partial_outputs, w.shape(0));
}

void split_rows(const Matrix& w, const Matrix& x, int ranks, TensorParallelMatmul& sharded) {
    for (int rank = 0; rank < ranks; ++rank) {
        sharded.weight_shards.push_back(copy_of(column_shard(w, ranks, rank)));
        sharded.partial_outputs.push_back(finite_product(sharded.weight_shards.back(), row_shard(x, ranks, rank), "w"));
    }
    ReducedSum reduced = all_reduced(sharded.partial_outputs, "w");
    sharded.result = std::move(reduced.sum);
    sharded.communication_bytes_per_rank = reduced.busiest_rank_bytes;
}

template <typename Function>
Matrix mapped(const Matrix& matrix, Function function) {
    Matrix result(matrix.shape());
    std::transform(matrix.begin(), matrix.end(), result.begin(), function);
    return result;
}

/// What one rank's pair of weights, or the whole pair, makes of an input.
struct MlpPass {
    Matrix output;
    Matrix input_gradient;
};

MlpPass mlp_pass(MatrixView<double> w1, MatrixView<double> w2, const Matrix& x, const Matrix& output_gradient) {
    const Matrix hidden = finite_product(w1, x, "w1");
    Matrix output = finite_product(w2, mapped(hidden, gelu), "w2");
    Matrix hidden_gradient = finite_product(transposed(w2), output_gradient, "output_gradient");
    std::transform(hidden_gradient.begin(), hidden_gradient.end(), hidden.begin(), hidden_gradient.begin(),
                   [](double gradient, double value) { return gradient * gelu_derivative(value); });
    return {std::move(output), finite_product(transposed(w1), hidden_gradient, "output_gradient")};
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

Split split_from_name(std::string_view name) {
    if (name == "column") {
        return Split::column;
    }
    if (name == "row") {
        return Split::row;
    }
    throw invalid_argument("split", std::string(name), "be column or row");
}

TensorParallelMatmul tensor_parallel_matmul(const Matrix& w, const Matrix& x, int ranks, Split split) {
    require_int("ranks", ranks, 1, most_ranks);
    require_matrix("w", w);
    require_matrix("x", x);
    require_rows("x", x, w.shape(1), "w has columns");
    require_feasible("w", static_cast<double>(w.shape(0)), static_cast<double>(w.shape(1)),
                     static_cast<double>(x.shape(1)), split == Split::row ? ranks : 1);

    TensorParallelMatmul sharded;
    if (split == Split::column) {
        split_columns(w, x, ranks, sharded);
    } else {
        split_rows(w, x, ranks, sharded);
    }
    const Matrix whole = finite_product(w, x, "w");
    sharded.max_abs_error = max_abs_difference(elements(sharded.result), elements(whole));
    sharded.max_rel_error = relative_error(elements(sharded.result), elements(whole));
    return sharded;
}

TensorParallelMlp tensor_parallel_mlp(const Matrix& w1, const Matrix& w2, const Matrix& x,
                                      const Matrix& output_gradient, int ranks) {
    require_int("ranks", ranks, 1, most_ranks);
    require_mlp(w1, w2, x, output_gradient);
    const auto batch = static_cast<double>(x.shape(1));
    const auto ffn = static_cast<double>(w1.shape(0));
    require_feasible("w1", ffn, static_cast<double>(w1.shape(1)), batch, 1);
    require_feasible("w1", static_cast<double>(w1.shape(1)), ffn, batch, ranks);
    require_feasible("w2", static_cast<double>(w2.shape(0)), ffn, batch, ranks);

    std::vector<Matrix> partial_outputs;
    std::vector<Matrix> partial_input_gradients;
    for (int rank = 0; rank < ranks; ++rank) {
        MlpPass pass = mlp_pass(row_shard(w1, ranks, rank), column_shard(w2, ranks, rank), x, output_gradient);
        partial_outputs.push_back(std::move(pass.output));
        partial_input_gradients.push_back(std::move(pass.input_gradient));
    }
    ReducedSum output = all_reduced(partial_outputs, "w2");
    ReducedSum input_gradient = all_reduced(partial_input_gradients, "w1");

    const MlpPass whole = mlp_pass(w1, w2, x, output_gradient);
    TensorParallelMlp sharded;
    sharded.forward_all_reduces = 1;
    sharded.backward_all_reduces = 1;
    sharded.communication_bytes_per_rank = output.busiest_rank_bytes + input_gradient.busiest_rank_bytes;
    sharded.output_max_rel_error = relative_error(elements(output.sum), elements(whole.output));
    sharded.input_gradient_max_rel_error = relative_error(elements(input_gradient.sum), elements(whole.input_gradient));
    sharded.output = std::move(output.sum);
    sharded.input_gradient = std::move(input_gradient.sum);
    return sharded;
}

}  // namespace shardlab
