#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include <shardlab/array.hpp>
#include <shardlab/errors.hpp>

namespace shardlab {
namespace {

void require_same_size(std::size_t a, std::size_t b) {
    if (a != b) {
        throw invalid_argument("b", std::to_string(b) + " elements",
                               "have as many elements as a, which has " + std::to_string(a));
    }
}

double largest_magnitude(std::span<const double> values) {
    double largest = 0;
    for (const double value : values) {
        largest = std::max(largest, std::abs(value));
    }
    return largest;
}

}  // namespace

template <typename T>
MatrixOf<T> zeros(std::string_view parameter, double rows, double columns) {
    require_count(parameter, rows);
    require_count(parameter, columns);
    if (rows * columns > largest_array) {
        throw invalid_argument(std::string(parameter), number_text(rows) + " x " + number_text(columns),
                               "have at most " + number_text(largest_array) + " elements in all");
    }
    // Such a matrix has no element, but whoever walks along its long side would not come to an end.
    require_count(parameter, std::max(rows, columns), 0, largest_array);
    return MatrixOf<T>({static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)}, T{0});
}

template Matrix zeros(std::string_view, double, double);
template Matrix32 zeros(std::string_view, double, double);

Matrix random_matrix(double rows, double columns, double seed) {
    require_count("rows", rows);
    require_count("columns", columns);
    require_count("seed", seed);
    Matrix matrix = zeros("rows", rows, columns);
    std::mt19937_64 generator(static_cast<std::uint64_t>(seed));
    constexpr int discarded_bits = 11;
    constexpr double spacing = 1.0 / 4503599627370496.0;  // 2^-52: 53 bits spread over [0, 2)
    for (double& element : matrix) {
        element = static_cast<double>(generator() >> discarded_bits) * spacing - 1.0;
    }
    return matrix;
}

double max_abs_difference(std::span<const double> a, std::span<const double> b) {
    require_same_size(a.size(), b.size());
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = std::abs(a[i] - b[i]);
        if (!std::isfinite(difference)) {
            throw invalid_argument("a", number_text(a[i]),
                                   "differ from b by a finite number; element " + std::to_string(i) + " does not");
        }
        largest = std::max(largest, difference);
    }
    return largest;
}

double relative_error(std::span<const double> a, std::span<const double> b) {
    const double difference = max_abs_difference(a, b);
    if (difference == 0) {
        return 0;
    }
    const double scale = largest_magnitude(b);
    return scale == 0 ? 1 : std::min(difference / scale, std::numeric_limits<double>::max());
}

template <typename T>
void require_finite(std::string_view parameter, const MatrixOf<T>& matrix) {
    const std::span<const T> values = elements(matrix);
    const auto wrong = std::find_if(values.begin(), values.end(), [](T value) { return !std::isfinite(value); });
    if (wrong != values.end()) {
        const auto index = static_cast<std::size_t>(wrong - values.begin());
        throw invalid_argument(std::string(parameter), number_text(*wrong),
                               "be finite in every element; row " + std::to_string(index / matrix.shape(1)) +
                                   ", element " + std::to_string(index % matrix.shape(1)) + " is not");
    }
}

template void require_finite<float>(std::string_view, const Matrix32&);
template void require_finite<double>(std::string_view, const Matrix&);

Matrix32 to_float32(std::string_view parameter, const Matrix& matrix) {
    Matrix32 rounded(Matrix32::shape_type{matrix.shape(0), matrix.shape(1)});
    std::transform(matrix.begin(), matrix.end(), rounded.begin(), [&](double value) {
        constexpr double largest = std::numeric_limits<float>::max();
        require_between(parameter, value, -largest, largest);
        return static_cast<float>(value);
    });
    return rounded;
}

Matrix to_float64(const Matrix32& matrix) {
    Matrix widened(Matrix::shape_type{matrix.shape(0), matrix.shape(1)});
    std::copy(matrix.begin(), matrix.end(), widened.begin());
    return widened;
}

}  // namespace shardlab
