#include "products.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <shardlab/collective.hpp>
#include <shardlab/errors.hpp>

namespace shardlab::tensor_parallel {
namespace {

AllReduce summed(Matrix partial_sums, const char* parameter) {
    try {
        return ring_all_reduce(std::move(partial_sums));
    } catch (const invalid_argument& error) {
        throw invalid_argument(parameter, error.value() + " in a partial sum", error.rule());
    }
}

}  // namespace

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

void require_finite_product(const Matrix& product, const char* parameter) {
    for (const double element : product) {
        if (!std::isfinite(element)) {
            throw invalid_argument(parameter, number_text(element) + " in a product",
                                   "have values whose products and sums stay finite");
        }
    }
}

Matrix finite_product(MatrixView<double> a, MatrixView<double> b, const char* parameter) {
    Matrix product = matmul(a, b);
    require_finite_product(product, parameter);
    return product;
}

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

}  // namespace shardlab::tensor_parallel
