#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <shardlab/collective/exact_sum.hpp>
#include <shardlab/collective/execute.hpp>
#include <shardlab/errors.hpp>

namespace shardlab {
namespace {

/// An exact sum of doubles, as parts that do not overlap, from the smallest to the largest.
class Expansion {
public:
    void add(double value) {
        std::size_t kept = 0;
        for (double part : parts_) {
            if (std::abs(value) < std::abs(part)) {
                std::swap(value, part);
            }
            const double sum = value + part;
            const double error = part - (sum - value);
            if (error != 0) {
                parts_[kept++] = error;
            }
            value = sum;
        }
        parts_.resize(kept);
        parts_.push_back(value);
    }

    /// The nearest double.
    double rounded() const {
        auto part = parts_.rbegin();
        if (part == parts_.rend()) {
            return 0;
        }
        double sum = *part++;
        double error = 0;
        while (part != parts_.rend() && error == 0) {
            const double larger = sum;
            sum = larger + *part;
            error = *part++ - (sum - larger);
        }
        return part == parts_.rend() ? sum : untied(sum, error, *part);
    }

private:
    /// If the error was exactly half a unit, ties went to even; what follows then says which side is nearer.
    static double untied(double sum, double error, double next) {
        const bool same_side = (error < 0 && next < 0) || (error > 0 && next > 0);
        const double doubled = error * 2;
        const double other = sum + doubled;
        return same_side && other - sum == doubled ? other : sum;
    }

    std::vector<double> parts_;
};

void require_summable(std::span<const double> values) {
    const double safe =
        std::numeric_limits<double>::max() / 2 / std::max<double>(1, static_cast<double>(values.size()));
    for (const double value : values) {
        require_between("values", value, -safe, safe);
    }
}

template <typename T>
Expansion column_sum(const MatrixOf<T>& buffers, std::size_t column) {
    Expansion sum;
    for (std::size_t rank = 0; rank < buffers.shape(0); ++rank) {
        sum.add(buffers(rank, column));
    }
    return sum;
}

template <typename T>
void require_sum(const MatrixOf<T>& buffers, std::span<const T> sum) {
    if (sum.size() != buffers.shape(1)) {
        throw invalid_argument("sum", std::to_string(sum.size()) + " elements",
                               "have an element for each of the buffers' " + std::to_string(buffers.shape(1)));
    }
    constexpr double largest = std::numeric_limits<T>::max();
    for (const T element : sum) {
        require_between("sum", element, -largest, largest);
    }
}

}  // namespace

double exact_sum(std::span<const double> values) {
    require_summable(values);
    Expansion sum;
    for (const double value : values) {
        sum.add(value);
    }
    return sum.rounded();
}

template <typename T>
Vector exact_sums(const MatrixOf<T>& buffers) {
    require_reducible(buffers, Reduction::sum);
    Vector sums = Vector::from_shape({buffers.shape(1)});
    for (std::size_t column = 0; column < buffers.shape(1); ++column) {
        sums(column) = column_sum(buffers, column).rounded();
    }
    return sums;
}

template <typename T>
double largest_difference_to_exact_sum(const MatrixOf<T>& buffers, std::span<const T> sum) {
    require_reducible(buffers, Reduction::sum);
    require_sum(buffers, sum);
    double largest = 0;
    for (std::size_t column = 0; column < buffers.shape(1); ++column) {
        Expansion difference = column_sum(buffers, column);
        difference.add(-static_cast<double>(sum[column]));
        largest = std::max(largest, std::abs(difference.rounded()));
    }
    return std::min(largest, std::numeric_limits<double>::max());
}

template Vector exact_sums(const Matrix32&);
template Vector exact_sums(const Matrix&);
template double largest_difference_to_exact_sum(const Matrix32&, std::span<const float>);
template double largest_difference_to_exact_sum(const Matrix&, std::span<const double>);

}  // namespace shardlab
