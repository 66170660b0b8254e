#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <shardlab/collective.hpp>

#include "buffers.hpp"
#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

/// Whole multiples of 2^-40 up to 2^20, which 128-bit integers add exactly.
double some_value(Random& random) {
    const double unit = std::ldexp(1.0, -random.whole(0, 40));
    return random.whole(-1000000, 1000000) * unit;
}

}  // namespace

TEST_CASE("the exact sum is rounded once", "[exact-sum]") {
    const auto sum = [](std::vector<double> values) { return exact_sum(values); };
    CHECK(sum({}) == 0);
    CHECK(sum({0.1}) == 0.1);
    CHECK(sum({1e300, 1, -1e300}) == 1);
    CHECK(sum({1e16, 1, 1e-16}) == 1e16 + 2);
    CHECK(sum({1e16, 1, -1e-16}) == 1e16);
    CHECK(sum({-1e16, -1, -1e-16}) == -1e16 - 2);
    CHECK(sum({1, 1e-16, 1e-16, 1e-16}) == 1 + 2.220446049250313e-16);
    CHECK(sum(std::vector<double>(10, 0.1)) == 1);
    CHECK(sum({0.1, 0.2, -0.3}) == 2.7755575615628914e-17);
    require_refused("values", "nan", [&] { sum({std::nan("")}); });
    require_refused("values", "1.7976931348623157e+308", [&] { sum({std::numeric_limits<double>::max(), 1}); });
}

TEST_CASE("the exact sum does not depend on the order, over 500 random lists", "[exact-sum]") {
    Random random(601);
    for (int trial = 0; trial < 500; ++trial) {
        std::vector<double> values(static_cast<std::size_t>(random.whole(1, 60)));
        for (double& value : values) {
            value = some_value(random) * std::ldexp(1.0, random.whole(-60, 60));
        }
        const double sum = exact_sum(values);
        std::reverse(values.begin(), values.end());
        REQUIRE(exact_sum(values) == sum);
        std::sort(values.begin(), values.end());
        REQUIRE(exact_sum(values) == sum);
        values.push_back(-sum);
        // What is left is what rounding took: at most half a unit in the last place.
        REQUIRE(std::abs(exact_sum(values)) <= std::abs(sum) * std::numeric_limits<double>::epsilon() / 2);
    }
}

TEST_CASE("no algorithm is nearer to the exact sum than its rounding, and whole numbers are exact", "[exact-sum]") {
    Random random(602);
    for (const Algorithm algorithm : algorithms) {
        const Group group{.ranks = 12, .options = {.slices = 2, .per_node = 4}};
        AllReduceOptions options;
        options.algorithm = algorithm;
        options.schedule = group.options;

        const Matrix whole = random.whole_matrix(group.ranks, 40, 1000000);
        const Matrix exact = all_reduce(whole, options).buffers;
        CHECK(largest_difference_to_exact_sum(whole, row(exact, 0)) == 0);

        const Matrix buffers = random.matrix(group.ranks, 200);
        const Matrix result = all_reduce(buffers, options).buffers;
        const double double_error = largest_difference_to_exact_sum(buffers, row(result, 5));
        const Matrix32 singles = to_float32("buffers", buffers);
        const Matrix32 single_result = all_reduce(singles, options).buffers;
        const double single_error = largest_difference_to_exact_sum(singles, row(single_result, 5));
        CAPTURE(name(algorithm));
        CHECK(double_error > 0);
        CHECK(double_error < 12 * 12 * std::numeric_limits<double>::epsilon());
        CHECK(single_error > 1e6 * double_error);
        CHECK(single_error < 12 * 12 * std::numeric_limits<float>::epsilon());
    }
}

TEST_CASE("exact sums of columns are those of their values", "[exact-sum]") {
    Random random(603);
    const Matrix buffers = random.matrix(7, 20);
    const Vector sums = exact_sums(buffers);
    for (std::size_t column = 0; column < 20; ++column) {
        std::vector<double> values;
        for (std::size_t rank = 0; rank < 7; ++rank) {
            values.push_back(buffers(rank, column));
        }
        CHECK(sums(column) == exact_sum(values));
    }
    CHECK(exact_sums(zeros("buffers", 3, 0)).size() == 0);
    const std::array<double, 2> wrong{};
    require_refused("sum", "2 elements",
                    [&] { largest_difference_to_exact_sum(buffers, std::span<const double>(wrong)); });
}
