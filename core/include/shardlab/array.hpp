#pragma once

/// @file
/// The arrays of the lab: dense, row-major, `double`, and `float` where collectives show what its rounding does. The
/// only header that includes xtensor.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// Since 0.26 xtensor's headers stand in folders.
#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/containers/xtensor.hpp>
#else
#include <xtensor/xtensor.hpp>
#endif

namespace shardlab {

/// One row of numbers: shape (elements).
using Vector = xt::xtensor<double, 1>;

/// Rows of equal length: shape (rows, columns). A group's buffers are a matrix with a row per rank.
template <typename T>
using MatrixOf = xt::xtensor<T, 2>;

/// A matrix of float64.
using Matrix = MatrixOf<double>;

/// A matrix of float32.
using Matrix32 = MatrixOf<float>;

/// Largest number of elements that one array may have: 2^26, 512 MiB. The same in every build, so that a request is
/// refused alike natively and in a browser's 32-bit memory.
inline constexpr double largest_array = 67108864.0;

/// A matrix of zeros of shape (rows, columns). T is float or double.
/// @param parameter named in the error, since the caller knows which of its arguments made the matrix large
/// @throws invalid_argument, before it allocates, if a side is no whole number, or a side or rows * columns exceeds
///         largest_array
template <typename T = double>
MatrixOf<T> zeros(std::string_view parameter, double rows, double columns);

/// A matrix of shape (rows, columns) of numbers uniform in [-1, 1), the same bits on every platform.
///
/// std::mt19937_64 fixes its output; the standard's distributions do not, so the top 53 bits are scaled here.
/// @param seed any whole number from 0 to 2^53
/// @throws invalid_argument as zeros() does
Matrix random_matrix(double rows, double columns, double seed);

/// Row `index` of a matrix, as a view that lives as long as the matrix does.
template <typename T>
std::span<T> row(MatrixOf<T>& matrix, std::size_t index) {
    return {matrix.data() + index * matrix.shape(1), matrix.shape(1)};
}

/// Row `index` of a matrix, read-only.
template <typename T>
std::span<const T> row(const MatrixOf<T>& matrix, std::size_t index) {
    return {matrix.data() + index * matrix.shape(1), matrix.shape(1)};
}

/// Every element rounded to the nearest float32.
/// @throws invalid_argument naming `parameter` for an element that is not finite as float32
Matrix32 to_float32(std::string_view parameter, const Matrix& matrix);

/// Every element as float64, which holds it exactly.
Matrix to_float64(const Matrix32& matrix);

/// The largest |a - b| over all elements of two arrays of one size; 0 for empty ones.
/// @throws invalid_argument if the sizes differ, or a difference is not finite
double max_abs_difference(std::span<const double> a, std::span<const double> b);

/// The relative error of an array: max|a - b| / max|b|, or the largest double if that is larger; 0 if both are all
/// zero, 1 if only b is.
/// @throws invalid_argument as max_abs_difference() does
double relative_error(std::span<const double> a, std::span<const double> b);

/// Checks that every element is finite. T is float or double.
/// @throws invalid_argument that names the first row and element that is not
template <typename T>
void require_finite(std::string_view parameter, const MatrixOf<T>& matrix);

/// All elements of a matrix in row-major order.
template <typename T>
std::span<const T> elements(const MatrixOf<T>& matrix) {
    return {matrix.data(), matrix.size()};
}

/// All elements of a vector.
inline std::span<const double> elements(const Vector& vector) {
    return {vector.data(), vector.size()};
}

}  // namespace shardlab
