#include <string>
#include <utility>

#include <shardlab/errors.hpp>
#include <shardlab/matmul.hpp>

namespace shardlab {
namespace {

void require_part(const char* parameter, std::size_t first, std::size_t count, std::size_t of) {
    if (first > of || count > of - first) {
        throw invalid_argument(parameter, std::to_string(first) + " to " + std::to_string(first + count),
                               "lie within the " + std::to_string(of) + " that there are");
    }
}

template <typename T>
void require_inner(const MatrixView<T>& a, const MatrixView<T>& b) {
    if (a.columns != b.rows) {
        throw invalid_argument("b", std::to_string(b.rows) + " rows",
                               "have as many rows as a has columns, which is " + std::to_string(a.columns));
    }
}

template <typename T>
MatrixOf<T> empty_matrix(std::size_t rows, std::size_t columns) {
    require_count("b", static_cast<double>(rows) * static_cast<double>(columns), 0, largest_array);
    return MatrixOf<T>(typename MatrixOf<T>::shape_type{rows, columns}, T{0});
}

template <typename T>
MatrixOf<T> product(MatrixView<T> a, MatrixView<T> b) {
    require_inner(a, b);
    MatrixOf<T> sums = empty_matrix<T>(a.rows, b.columns);
    for (std::size_t i = 0; i < a.rows; ++i) {
        const std::span<T> sum = row(sums, i);
        for (std::size_t k = 0; k < a.columns; ++k) {
            const T factor = a(i, k);
            for (std::size_t j = 0; j < sum.size(); ++j) {
                sum[j] += factor * b(k, j);
            }
        }
    }
    return sums;
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
    view.data += first * view.row_stride;
    view.rows = count;
    return view;
}

template <typename T>
MatrixView<T> columns_of(MatrixView<T> view, std::size_t first, std::size_t count) {
    require_part("columns", first, count, view.columns);
    view.data += first * view.column_stride;
    view.columns = count;
    return view;
}

template <typename T>
MatrixOf<T> copy_of(MatrixView<T> view) {
    MatrixOf<T> copy = empty_matrix<T>(view.rows, view.columns);
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

Matrix matmul(MatrixView<double> a, MatrixView<double> b) {
    return product(a, b);
}

Matrix32 matmul(MatrixView<float> a, MatrixView<float> b) {
    return product(a, b);
}

}  // namespace shardlab
