#pragma once

/// @file
/// Matrices cut into the parts of ranks, and put together again.

#include <vector>

#include <shardlab/array.hpp>
#include <shardlab/matmul.hpp>

namespace shardlab::tensor_parallel {

/// What each rank holds of a matrix or an activation.
using PerRank = std::vector<Matrix>;

/// The rows of a matrix that belong to a rank.
MatrixView<double> row_shard(const Matrix& matrix, int ranks, int rank);

/// The columns of a matrix that belong to a rank.
MatrixView<double> column_shard(const Matrix& matrix, int ranks, int rank);

/// Matrices one below the other.
Matrix stacked(const PerRank& parts);

/// Matrices of as many rows, side by side.
Matrix side_by_side(const PerRank& parts);

/// Adds a matrix of the same shape.
void add(Matrix& sum, const Matrix& term);

}  // namespace shardlab::tensor_parallel
