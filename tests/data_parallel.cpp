#include <algorithm>
#include <cmath>
#include <vector>

#include <shardlab/data_parallel.hpp>

#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

TEST_CASE("data parallel: gradients 4, 8, 12 and 16 average to 10", "[data-parallel]") {
    Matrix gradients = zeros("gradients", 4, 1);
    std::copy_n(std::vector<double>{4, 8, 12, 16}.begin(), 4, gradients.begin());
    const GradientAverage result = data_parallel_gradient_average(gradients);
    CHECK(result.average(0) == 10);
    CHECK(result.serial_mean(0) == 10);
    CHECK(result.max_abs_difference == 0);
    CHECK(result.ledger.steps() == 6);
}

TEST_CASE("data parallel: equals the serial mean exactly on whole numbers", "[data-parallel]") {
    Random random(11);
    for (int trial = 0; trial < 300; ++trial) {
        const Matrix gradients = random.whole_matrix(random.whole(1, 64), random.whole(0, 100), 1000000);
        const GradientAverage result = data_parallel_gradient_average(gradients);
        REQUIRE(result.max_abs_difference == 0);
    }
}

TEST_CASE("data parallel: differs from the serial mean by rounding alone on arbitrary numbers", "[data-parallel]") {
    Random random(12);
    for (int trial = 0; trial < 100; ++trial) {
        const GradientAverage result =
            data_parallel_gradient_average(random.matrix(random.whole(2, 64), random.whole(1, 100)));
        CHECK(result.max_abs_difference < 1e-14);
        CHECK(result.max_abs_difference == max_abs_difference(elements(result.average), elements(result.serial_mean)));
    }
}

TEST_CASE("data parallel: errors name the gradients", "[data-parallel]") {
    Matrix gradients = zeros("gradients", 2, 2);
    gradients(0, 1) = std::nan("");
    require_refused("gradients", "nan", [&] { data_parallel_gradient_average(gradients); });
    require_refused("ranks", "0", [] { data_parallel_gradient_average(zeros("gradients", 0, 2)); });
}
