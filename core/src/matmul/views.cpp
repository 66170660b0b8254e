#include <string>
#include <utility>

#include <shardlab/errors.hpp>
#include <shardlab/matmul.hpp>

namespace shardlab {
namespace {

void require_part(const char* parameter, std::size_t first, std::size_t count, std::size_t of) {
    if (first > of || count > of - first) {
        throw invalid_argument(parameter, std::to_string(count) + " from " + std::to_string(first) + " on",
                               "lie within the " + std::to_string(of) + " that there are");
    }
}

/// A part of a view. One of no elements stays where it is: it may have no memory in which a pointer could move.
template <typename T>
MatrixView<T> part(MatrixView<T> view, std::size_t rows, std::size_t columns, std::size_t offset) {
    view.rows = rows;
    view.columns = columns;
    if (rows > 0 && columns > 0) {
        view.data += offset;
    }
    return view;
}

}  // namespace

template <typename T>
MatrixView<T> transposed(MatrixView<T> view) {
    std::swap(view.rows, view.columns);
    std::swap(view.row_stride, view.column_stride);
    return view;
}

template <typename T>
MatrixView<T> rows_of(MatrixView<T> view, std::size_t first, std::size_t count) {
    require_part("rows", first, count, view.rows);
    return part(view, count, view.columns, first * view.row_stride);
}

template <typename T>
MatrixView<T> columns_of(MatrixView<T> view, std::size_t first, std::size_t count) {
    require_part("columns", first, count, view.columns);
    return part(view, view.rows, count, first * view.column_stride);
}

template <typename T>
MatrixOf<T> copy_of(MatrixView<T> view) {
    MatrixOf<T> copy = zeros<T>("view", static_cast<double>(view.rows), static_cast<double>(view.columns));
    for (std::size_t i = 0; i < view.rows; ++i) {
        for (std::size_t j = 0; j < view.columns; ++j) {
            copy(i, j) = view(i, j);
        }
    }
    return copy;
}

template MatrixView<float> transposed(MatrixView<float>);
template MatrixView<double> transposed(MatrixView<double>);
template MatrixView<float> rows_of(MatrixView<float>, std::size_t, std::size_t);
template MatrixView<double> rows_of(MatrixView<double>, std::size_t, std::size_t);
template MatrixView<float> columns_of(MatrixView<float>, std::size_t, std::size_t);
template MatrixView<double> columns_of(MatrixView<double>, std::size_t, std::size_t);
template Matrix32 copy_of(MatrixView<float>);
template Matrix copy_of(MatrixView<double>);

}  // namespace shardlab
