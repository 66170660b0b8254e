// Errors' checks and arrays.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <shardlab/array.hpp>
#include <shardlab/errors.hpp>
#include <shardlab/matmul.hpp>

#include "functions.hpp"

namespace fuzz {
namespace {

using shardlab::Matrix;
using shardlab::MatrixOf;
using shardlab::MatrixView;

/// Holds a product to the sum from the first to the last, its loops the other way round.
template <typename T>
void require_plain_product(MatrixView<T> a, MatrixView<T> b, const MatrixOf<T>& product) {
    require(product.shape(0) == a.rows && product.shape(1) == b.columns, "(m, k) times (k, n) is (m, n)");
    if (product.size() == 0) {
        return;
    }
    for (std::size_t i = 0; i < a.rows; ++i) {
        for (std::size_t j = 0; j < b.columns; ++j) {
            T sum = 0;
            for (std::size_t k = 0; k < a.columns; ++k) {
                sum += a(i, k) * b(k, j);
            }
            // What is not a number has many bit patterns, and which one comes out is the machine's to say.
            require(
                std::memcmp(&sum, &product(i, j), sizeof sum) == 0 || (std::isnan(sum) && std::isnan(product(i, j))),
                "a product is summed from the first to the last");
        }
    }
}

void product(Arguments& arguments) {
    const Matrix a = arguments.matrix(6);
    const Matrix b = arguments.matrix(6);
    if (costly(static_cast<double>(a.shape(0)) * static_cast<double>(b.shape(1)), shardlab::largest_array)) {
        return;
    }
    if (const auto c = attempt({"a", "b"}, [&] { return shardlab::matmul(a, b); })) {
        require_plain_product<double>(a, b, *c);
    }
}

/// A matrix large enough for the blocks of a product, made of few bytes: some numbers again and again, each time with
/// another one added, so that no element stands for another.
template <typename T>
MatrixOf<T> large_matrix(Arguments& arguments) {
    constexpr int most = 40;
    const double rows = arguments.within(0, most);
    const double columns = arguments.within(0, most);
    std::vector<double> numbers = arguments.numbers(5);
    numbers.push_back(1.0 / 3);
    MatrixOf<T> matrix = shardlab::zeros<T>("matrix", rows, columns);
    for (std::size_t i = 0; i < matrix.size(); ++i) {
        matrix.data()[i] = static_cast<T>(numbers[i % numbers.size()]) + static_cast<T>(i);
    }
    return matrix;
}

/// A view as it is or transposed, and of it the rows and columns that the bytes name, or all if it does not have them.
template <typename T>
MatrixView<T> any_part(Arguments& arguments, MatrixView<T> whole) {
    const MatrixView<T> turned = arguments.flag() ? shardlab::transposed(whole) : whole;
    const std::size_t first_row = arguments.offset();
    const std::size_t rows = arguments.offset();
    const auto of_rows = attempt({"rows"}, [&] { return shardlab::rows_of(turned, first_row, rows); });
    require(of_rows.has_value() == (first_row <= turned.rows && rows <= turned.rows - first_row),
            "a view gives the rows that it has");
    const MatrixView<T> cut = of_rows.value_or(turned);
    const std::size_t first_column = arguments.offset();
    const std::size_t columns = arguments.offset();
    const auto of_columns = attempt({"columns"}, [&] { return shardlab::columns_of(cut, first_column, columns); });
    require(of_columns.has_value() == (first_column <= cut.columns && columns <= cut.columns - first_column),
            "a view gives the columns that it has");
    if (of_rows && of_columns && rows > 0 && columns > 0) {
        require(of_columns->data == &turned.data[first_row * turned.row_stride + first_column * turned.column_stride],
                "a part starts at its first row and column");
    }
    return of_columns.value_or(cut);
}

template <typename T>
void product_of_parts(Arguments& arguments) {
    const MatrixOf<T> a_matrix = large_matrix<T>(arguments);
    const MatrixOf<T> b_matrix = large_matrix<T>(arguments);
    const MatrixView<T> a = any_part<T>(arguments, a_matrix);
    const MatrixView<T> b = any_part<T>(arguments, b_matrix);
    // Few inner sizes are equal by chance.
    const std::size_t inner = std::min(a.columns, b.rows);
    const MatrixView<T> left = shardlab::columns_of(a, 0, inner);
    const MatrixView<T> right = shardlab::rows_of(b, 0, inner);
    require_plain_product(left, right, shardlab::matmul(left, right));
}

void allocation(Arguments& arguments) {
    const double rows = arguments.number();
    const double columns = arguments.number();
    const double seed = arguments.number();
    if (costly(rows * columns, shardlab::largest_array)) {
        return;
    }
    const auto empty = attempt({"tensor"}, [&] { return shardlab::zeros("tensor", rows, columns); });
    const auto random =
        attempt({"rows", "columns", "seed"}, [&] { return shardlab::random_matrix(rows, columns, seed); });
    for (const auto& matrix : {empty, random}) {
        if (matrix) {
            require(static_cast<double>(matrix->shape(0)) == rows && static_cast<double>(matrix->shape(1)) == columns,
                    "a matrix has the shape that was asked for");
            require(accepts({"tensor"}, [&] { shardlab::require_finite("tensor", *matrix); }), "new arrays are finite");
        }
    }
}

void differences(Arguments& arguments) {
    const std::vector<double> a = arguments.numbers(5);
    const std::vector<double> b = arguments.numbers(5);
    const auto difference = attempt({"a", "b"}, [&] { return shardlab::max_abs_difference(a, b); });
    const auto relative = attempt({"a", "b"}, [&] { return shardlab::relative_error(a, b); });
    require_finite({difference.value_or(0), relative.value_or(0)});
    require(difference.value_or(0) >= 0 && relative.value_or(0) >= 0, "a distance is no less than none");
    if (difference && relative) {
        require((*difference == 0) == (a == b), "only equal arrays have no distance");
        require(*relative == 0 || *difference > 0, "only different arrays have a relative error");
    }
}

}  // namespace

void array(Arguments& arguments) {
    switch (arguments.within(0, 5)) {
        case 0:
            return product(arguments);
        case 1:
            return allocation(arguments);
        case 2:
            return differences(arguments);
        case 3:
            return product_of_parts<double>(arguments);
        case 4:
            return product_of_parts<float>(arguments);
        default: {
            const Matrix matrix = arguments.matrix(6);
            if (accepts({"tensor"}, [&] { shardlab::require_finite("tensor", matrix); })) {
                require_finite(shardlab::elements(matrix));
            }
        }
    }
}

void errors(Arguments& arguments) {
    const double value = arguments.number();
    const double least = arguments.number();
    const double most = arguments.number();
    const int least_int = arguments.whole();
    const int most_int = arguments.whole();

    const auto count = attempt({"size"}, [&] { return shardlab::require_count("size", value, least, most); });
    const auto whole = attempt({"size"}, [&] { return shardlab::require_int("size", value, least_int, most_int); });
    const auto real = attempt({"size"}, [&] { return shardlab::require_between("size", value, least, most); });
    require_finite({count.value_or(0), real.value_or(0)});
    require(!count || (*count == value && value == std::floor(value) && value >= least && value <= most),
            "a count is a whole number in its range");
    require(!whole || (*whole == value && *whole >= least_int && *whole <= most_int), "an int is in its range");
    require(!real || (*real == value && value >= least && value <= most), "a quantity is in its range");

    const std::string text = shardlab::number_text(value);
    require_printable_line(text);
    require(std::isnan(value) || std::strtod(text.c_str(), nullptr) == value, "a number reads back from its text");
}

}  // namespace fuzz
