#pragma once

/// @file
/// The product of two matrices, each read where it lies: whole, in part, or transposed.

#include <cstddef>

#include <shardlab/array.hpp>

namespace shardlab {

/// A matrix to be read where it lies. It is valid as long as the matrix that it was made from lives and keeps its size.
/// T is float or double.
template <typename T>
struct MatrixView {
    const T* data = nullptr;        ///< element (0, 0)
    std::size_t rows = 0;           ///< number of rows
    std::size_t columns = 0;        ///< number of columns
    std::size_t row_stride = 0;     ///< elements from one row to the next
    std::size_t column_stride = 1;  ///< elements from one column to the next

    MatrixView() = default;

    /// The whole of a matrix. Implicit, so that a matrix stands wherever a view is asked for.
    MatrixView(const MatrixOf<T>& matrix)  // NOLINT(google-explicit-constructor)
        : data(matrix.data()), rows(matrix.shape(0)), columns(matrix.shape(1)), row_stride(matrix.shape(1)) {}

    /// The element of that row and column, which the view must have.
    T operator()(std::size_t row, std::size_t column) const { return data[row * row_stride + column * column_stride]; }
};

/// The same elements with rows and columns exchanged.
template <typename T>
MatrixView<T> transposed(MatrixView<T> view);

/// `count` rows from row `first` on.
/// @throws invalid_argument naming rows if the view does not have them
template <typename T>
MatrixView<T> rows_of(MatrixView<T> view, std::size_t first, std::size_t count);

/// `count` columns from column `first` on.
/// @throws invalid_argument naming columns if the view does not have them
template <typename T>
MatrixView<T> columns_of(MatrixView<T> view, std::size_t first, std::size_t count);

/// A view of a matrix of float64, to be transposed or cut.
inline MatrixView<double> view(const Matrix& matrix) {
    return matrix;
}

/// A view of a matrix of float32.
inline MatrixView<float> view(const Matrix32& matrix) {
    return matrix;
}

/// The elements of a view, as a matrix of its own.
/// @throws invalid_argument naming view, before it allocates, if they or a side exceed largest_array
template <typename T>
MatrixOf<T> copy_of(MatrixView<T> view);

/// The product a·b. a is (m, k), b is (k, n), the result is (m, n).
///
/// Each element is summed over k from 0 upwards, whatever m and n are and however a and b lie in memory: a slice of
/// rows of `a` gives the same bits as those rows of the whole product, which is why a column-parallel layer is exact.
/// Products and sums are rounded one by one, as a plain loop does it, and with no k every element is 0.
/// @throws invalid_argument naming b if the inner sizes differ, or, before it allocates, if the result or a side of it
///         exceeds largest_array
Matrix matmul(MatrixView<double> a, MatrixView<double> b);

/// The same in float32.
Matrix32 matmul(MatrixView<float> a, MatrixView<float> b);

}  // namespace shardlab
