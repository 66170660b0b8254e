#include "shards.hpp"

#include <algorithm>

#include <shardlab/collective/schedule.hpp>

namespace shardlab::tensor_parallel {

MatrixView<double> row_shard(const Matrix& matrix, int ranks, int rank) {
    const Chunk part = chunk(matrix.shape(0), ranks, rank);
    return rows_of(view(matrix), static_cast<std::size_t>(part.offset), static_cast<std::size_t>(part.count));
}

MatrixView<double> column_shard(const Matrix& matrix, int ranks, int rank) {
    const Chunk part = chunk(matrix.shape(1), ranks, rank);
    return columns_of(view(matrix), static_cast<std::size_t>(part.offset), static_cast<std::size_t>(part.count));
}

Matrix stacked(const PerRank& parts) {
    std::size_t rows = 0;
    for (const Matrix& part : parts) {
        rows += part.shape(0);
    }
    Matrix whole = zeros("matrix", static_cast<double>(rows), static_cast<double>(parts.front().shape(1)));
    auto place = whole.begin();
    for (const Matrix& part : parts) {
        place = std::copy(part.begin(), part.end(), place);
    }
    return whole;
}

Matrix side_by_side(const PerRank& parts) {
    std::size_t columns = 0;
    for (const Matrix& part : parts) {
        columns += part.shape(1);
    }
    Matrix whole = zeros("matrix", static_cast<double>(parts.front().shape(0)), static_cast<double>(columns));
    std::size_t first = 0;
    for (const Matrix& part : parts) {
        for (std::size_t i = 0; i < part.shape(0); ++i) {
            const std::span<const double> source = row(part, i);
            std::copy(source.begin(), source.end(), row(whole, i).subspan(first).begin());
        }
        first += part.shape(1);
    }
    return whole;
}

void add(Matrix& sum, const Matrix& term) {
    std::transform(sum.begin(), sum.end(), term.begin(), sum.begin(), [](double a, double b) { return a + b; });
}

}  // namespace shardlab::tensor_parallel
