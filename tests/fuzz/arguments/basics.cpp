// Errors' checks and arrays.

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

void product(Arguments& arguments) {
    const Matrix a = arguments.matrix(6);
    const Matrix b = arguments.matrix(6);
    if (costly(static_cast<double>(a.shape(0)) * static_cast<double>(b.shape(1)), shardlab::largest_array)) {
        return;
    }
    const auto c = attempt({"a", "b"}, [&] { return shardlab::matmul(a, b); });
    require(!c || (c->shape(0) == a.shape(0) && c->shape(1) == b.shape(1)), "(m, k) times (k, n) is (m, n)");
    if (!c || c->size() == 0) {
        return;
    }
    // The same sum with the loops the other way round.
    for (std::size_t i = 0; i < c->shape(0); ++i) {
        for (std::size_t j = 0; j < c->shape(1); ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < a.shape(1); ++k) {
                sum += a(i, k) * b(k, j);
            }
            require(sum == (*c)(i, j) || std::isnan(sum), "a product is summed from the first to the last");
        }
    }
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
    switch (arguments.within(0, 3)) {
        case 0:
            return product(arguments);
        case 1:
            return allocation(arguments);
        case 2:
            return differences(arguments);
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
