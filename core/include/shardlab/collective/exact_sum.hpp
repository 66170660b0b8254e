#pragma once

/// @file
/// The exact sum over the ranks, beside which the rounding of an algorithm's order of summation shows.

#include <span>

#include <shardlab/array.hpp>

namespace shardlab {

/// The sum of all values, rounded once: the double nearest to the exact sum, ties to even.
///
/// The sum stands as an expansion of doubles that do not overlap, which grows by a value without an error.
/// Source: Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates", Discrete &
/// Computational Geometry 18 (1997), Grow-Expansion.
/// @throws invalid_argument naming values if one is not finite, or so large that a sum of as many could overflow
double exact_sum(std::span<const double> values);

/// The exact sum of each column, rounded once.
/// @param buffers shape (ranks, elements); T is float or double
/// @return shape (elements)
/// @throws invalid_argument naming buffers, as require_reducible() does for a sum
template <typename T>
Vector exact_sums(const MatrixOf<T>& buffers);

/// The largest difference between a computed sum and the exact one: over all columns, |sum - exact sum| rounded once.
/// @param buffers shape (ranks, elements), what was summed; T is float or double
/// @param sum shape (elements), what came out
/// @throws invalid_argument as exact_sums() does, or naming sum for another shape or an element that is not finite
template <typename T>
double largest_difference_to_exact_sum(const MatrixOf<T>& buffers, std::span<const T> sum);

}  // namespace shardlab
