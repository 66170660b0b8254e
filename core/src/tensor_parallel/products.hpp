#pragma once

/// @file
/// Products of a caller's own matrices, each refused in the name of the argument that is to blame.

#include <cstddef>
#include <vector>

#include <shardlab/array.hpp>
#include <shardlab/matmul.hpp>

namespace shardlab::tensor_parallel {

/// Checks that a matrix has elements and that they are finite.
void require_matrix(const char* parameter, const Matrix& matrix);

/// Checks that a matrix has as many rows as something else.
void require_rows(const char* parameter, const Matrix& matrix, std::size_t rows, const char* of_what);

/// A product that overflows is the caller's to mend, so the error names its argument.
void require_finite_product(const Matrix& product, const char* parameter);

/// The product of two matrices, checked so.
Matrix finite_product(MatrixView<double> a, MatrixView<double> b, const char* parameter);

/// Refuses a product that would take minutes, or partial sums that would not fit, before anything is computed.
/// @param copies ranks that hold a partial sum of the whole product; 1 where each holds a part of it
void require_feasible(const char* parameter, double rows, double inner, double columns, int copies);

/// A sum over ranks and what it cost.
struct ReducedSum {
    Matrix sum;
    double busiest_rank_bytes;
};

/// The sum of the ranks' matrices, by a ring all-reduce. Partial sums that are too large to be added are the caller's
/// to mend, so the error names its argument.
ReducedSum all_reduced(const std::vector<Matrix>& partial_sums, const char* parameter);

}  // namespace shardlab::tensor_parallel
