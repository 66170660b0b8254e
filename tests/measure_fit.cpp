#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <shardlab/array.hpp>
#include <shardlab/measure.hpp>
#include <shardlab/verify.hpp>

#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

using Measurements = std::vector<Measurement>;

/// Sizes that double, from `first` on, each with the time that a function gives.
template <typename Time>
Measurements doubling(double first, int count, Time seconds) {
    Measurements measurements;
    for (int index = 0; index < count; ++index) {
        measurements.push_back({first, seconds(first)});
        first *= 2;
    }
    return measurements;
}

Measurements random_measurements(Random& random, int count) {
    return doubling(random.whole(1, 1000), count,
                    [&](double bytes) { return 1e-6 * random.whole(10, 40) + bytes / (1e9 * random.whole(5, 20)); });
}

double sum_of_errors(const Measurements& points, double latency, double slope) {
    double sum = 0;
    for (const Measurement& point : points) {
        sum += std::abs(latency + slope * point.bytes - point.seconds) / point.seconds;
    }
    return sum;
}

/// The smallest sum of relative errors of one line by trying every line that can be the best.
double least_sum_of_errors(const Measurements& points) {
    double least = std::numeric_limits<double>::max();
    for (const Measurement& a : points) {
        least = std::min({least, sum_of_errors(points, 0, a.seconds / a.bytes), sum_of_errors(points, a.seconds, 0)});
        for (const Measurement& b : points) {
            const double slope = a.bytes == b.bytes ? 0 : (b.seconds - a.seconds) / (b.bytes - a.bytes);
            const double latency = a.seconds - slope * a.bytes;
            if (slope >= 0 && latency >= 0) {
                least = std::min(least, sum_of_errors(points, latency, slope));
            }
        }
    }
    return least;
}

double whole_error(const Fit& fit) {
    return fit.error.mean * static_cast<double>(fit.points.size());
}

}  // namespace

TEST_CASE("A fit finds the latency and the bandwidth that made the times", "[measure]") {
    const Measurements exact = doubling(8, 30, [](double bytes) { return 5e-6 + bytes / 50e9; });
    const Fit fit = fit_regimes(exact);
    REQUIRE(fit.regimes.size() == 1);
    CHECK(fit.regimes[0].latency_seconds == Approx(5e-6).epsilon(1e-9));
    CHECK(fit.regimes[0].bytes_per_second.value() == Approx(50e9).epsilon(1e-9));
    CHECK(fit.regimes[0].from_bytes == 8);
    CHECK(fit.regimes[0].to_bytes == 8 * std::pow(2, 29));
    CHECK(fit.regimes[0].points == 30);
    CHECK(fit.error.p90 < 1e-12);
    REQUIRE(fit.left_out);
    CHECK(fit.left_out->p90 < 1e-9);
}

TEST_CASE("A fit finds where three protocols hand over", "[measure]") {
    const Measurements exact = doubling(1024, 24, [](double bytes) {
        return bytes < 65536 ? 10e-6 + bytes / 1e9 : bytes < 8388608 ? 30e-6 + bytes / 20e9 : 100e-6 + bytes / 100e9;
    });
    const Fit fit = fit_regimes(exact);
    REQUIRE(fit.regimes.size() == 3);
    CHECK(fit.regimes[1].from_bytes == 65536);
    CHECK(fit.regimes[2].from_bytes == 8388608);
    CHECK(fit.regimes[2].bytes_per_second.value() == Approx(100e9).epsilon(1e-9));
    CHECK(fit.error.p90 < 1e-12);
}

TEST_CASE("A fit is not bent by one size that was disturbed", "[measure]") {
    Measurements measured = doubling(1024, 20, [](double bytes) { return 10e-6 + bytes / 10e9; });
    measured[4].seconds *= 3;
    measured[12].seconds *= 2;
    const Fit fit = fit_regimes(measured, 1);
    CHECK(fit.regimes[0].latency_seconds == Approx(10e-6).epsilon(1e-9));
    CHECK(fit.regimes[0].bytes_per_second.value() == Approx(10e9).epsilon(1e-9));
    CHECK(fit.points[4].relative_error == Approx(2.0 / 3).epsilon(1e-6));
}

TEST_CASE("A line of a fit is the best of all lines, on random times", "[measure]") {
    Random random(3);
    for (int round = 0; round < 600; ++round) {
        Measurements measured = random_measurements(random, random.whole(3, 14));
        // On every second round many points lie on one line.
        for (std::size_t index = 0; index < measured.size() && round % 2 == 1;
             index += static_cast<std::size_t>(random.whole(1, 2))) {
            measured[index].seconds = 1e-5 + measured[index].bytes * 1e-9;
        }
        CHECK(whole_error(fit_regimes(measured, 1)) ==
              Approx(least_sum_of_errors(measured)).epsilon(1e-9).margin(1e-12));
    }
}

TEST_CASE("The regimes of a fit are the best of all cuts, on random times", "[measure]") {
    Random random(4);
    for (int round = 0; round < 60; ++round) {
        const int count = random.whole(9, 12);
        const Measurements measured = random_measurements(random, count);
        const auto part = [&](int first, int last) {
            return least_sum_of_errors({measured.begin() + first, measured.begin() + last});
        };
        double two = std::numeric_limits<double>::max();
        double three = two;
        for (int cut = 3; cut + 3 <= count; ++cut) {
            two = std::min(two, part(0, cut) + part(cut, count));
            for (int second = cut + 3; second + 3 <= count; ++second) {
                three = std::min(three, part(0, cut) + part(cut, second) + part(second, count));
            }
        }
        CHECK(whole_error(fit_regimes(measured, 2)) == Approx(two).epsilon(1e-9));
        CHECK(whole_error(fit_regimes(measured, 3)) == Approx(three).epsilon(1e-9));
    }
}

TEST_CASE("A fit: regimes follow each other, hold every size, and are possible links", "[measure]") {
    Random random(6);
    for (int round = 0; round < 100; ++round) {
        const Measurements measured = random_measurements(random, random.whole(3, 20));
        const Fit fit = fit_regimes(measured);
        CAPTURE(round, measured.size(), fit.regimes.size());
        std::size_t next = 0;
        for (const Regime& regime : fit.regimes) {
            CHECK(regime.points >= 3);
            CHECK(regime.latency_seconds >= 0);
            CHECK(regime.bytes_per_second.value_or(1) > 0);
            CHECK(regime.from_bytes == fit.points.at(next).bytes);
            next += static_cast<std::size_t>(regime.points);
            CHECK(regime.to_bytes == fit.points.at(next - 1).bytes);
        }
        CHECK(next == measured.size());
        for (const FittedPoint& point : fit.points) {
            CHECK(point.fitted_seconds == fitted_seconds(fit.regimes, point.bytes));
            CHECK(point.relative_error ==
                  std::abs(point.fitted_seconds - point.measured_seconds) / point.measured_seconds);
        }
    }
}

TEST_CASE("A fit leaves out each size in turn, and says what the others say of it", "[measure]") {
    Random random(8);
    const Measurements measured = random_measurements(random, 12);
    const Fit fit = fit_regimes(measured, 2);
    for (std::size_t left_out = 0; left_out < measured.size(); ++left_out) {
        Measurements others = measured;
        others.erase(others.begin() + static_cast<Measurements::difference_type>(left_out));
        const double seconds = fitted_seconds(fit_regimes(others, 2).regimes, measured[left_out].bytes);
        CHECK(fit.points[left_out].left_out_relative_error ==
              std::abs(seconds - measured[left_out].seconds) / measured[left_out].seconds);
    }
}

TEST_CASE("A fit does not depend on the order, and takes the median of a size measured more than once", "[measure]") {
    Random random(9);
    Measurements measured = random_measurements(random, 10);
    const Fit fit = fit_regimes(measured, 2);
    const double middle = measured[3].seconds;
    measured.push_back({measured[3].bytes, middle * 9});
    measured.push_back({measured[3].bytes, middle / 2});
    std::reverse(measured.begin(), measured.end());
    const Fit again = fit_regimes(measured, 2);
    REQUIRE(again.points.size() == 10);
    for (std::size_t index = 0; index < 10; ++index) {
        CHECK(again.points[index].measured_seconds == fit.points[index].measured_seconds);
        CHECK(again.points[index].fitted_seconds == fit.points[index].fitted_seconds);
    }
}

TEST_CASE("A fit of times that do not grow is level and tells no bandwidth", "[measure]") {
    for (const double power : {0.0, -0.25, -1.0}) {
        CAPTURE(power);
        const auto times = doubling(8, 6, [&](double bytes) { return 1e-3 * std::pow(bytes, power); });
        const Fit fit = fit_regimes(times, 1);
        CHECK_FALSE(fit.regimes.at(0).bytes_per_second);
        CHECK(fit.regimes.at(0).latency_seconds > 0);
        CHECK(fitted_seconds(fit.regimes, 1e12) == fit.regimes.at(0).latency_seconds);
        CHECK(whole_error(fit) == Approx(least_sum_of_errors(times)).epsilon(1e-9));
    }
}

TEST_CASE("A fit of times that grow by rounding alone tells no bandwidth", "[measure]") {
    const Fit fit = fit_regimes({{1e3, 1e-6}, {1e6, 1e-6}, {1e9, 1e-6 * (1 + 1e-15)}}, 1);
    CHECK_FALSE(fit.regimes.at(0).bytes_per_second);
}

TEST_CASE("A fit takes one regime for one line with noise, and three for three lines", "[measure]") {
    Random random(77);
    int lone = 0;
    for (int trial = 0; trial < 20; ++trial) {
        const auto noisy = [&](double bytes) {
            return (10e-6 + bytes / 100e9) * (1 + 0.01 * (2.0 * random.whole(0, 1000) / 1000 - 1));
        };
        lone += fit_regimes(doubling(8, 28, noisy)).regimes.size() == 1 ? 1 : 0;
    }
    CHECK(lone >= 12);
    const auto handed_over = [](double bytes) {
        const double line[] = {5e-6 + bytes / 1e9, 20e-6 + bytes / 20e9, 60e-6 + bytes / 200e9};
        return *std::min_element(std::begin(line), std::end(line));
    };
    CHECK(fit_regimes(doubling(8, 28, handed_over)).regimes.size() == 3);
}

TEST_CASE("Between two regimes a fit is the straight line that joins them, outside all the nearest one", "[measure]") {
    const std::vector<Regime> regimes = {{8, 64, 1, 1.0, 3}, {256, 1024, 1000, 2.0, 3}};
    CHECK(fitted_seconds(regimes, 0) == 1);
    CHECK(fitted_seconds(regimes, 64) == 65);
    CHECK(fitted_seconds(regimes, 160) == 65 + 0.5 * (1128 - 65));
    CHECK(fitted_seconds(regimes, 256) == 1128);
    CHECK(fitted_seconds(regimes, 4096) == 3048);
}

TEST_CASE(
    "A fit of every published run of at least 11 sizes has a median error of 5.5 percent and a 90th percentile "
    "of 13 percent at most",
    "[measure]") {
    int runs = 0;
    for (const AllReduceRun& run : read_all_reduce_runs(published_csv("nccl_tests_allreduce_runs")).runs) {
        if (run.measurements.size() < 11) {
            continue;
        }
        ++runs;
        CAPTURE(run.id);
        const Fit fit = fit_regimes(run.measurements);
        CHECK(fit.error.median <= 0.055);
        CHECK(fit.error.p90 <= 0.13);
        // What one line leaves is more, and so is what is said of sizes that were left out.
        CHECK(fit_regimes(run.measurements, 1).error.p90 > 2 * fit.error.p90);
        REQUIRE(fit.left_out);
        CHECK(fit.left_out->median >= fit.error.median);
    }
    CHECK(runs == 4);
}

TEST_CASE("A fit of many sizes leaves none out", "[measure]") {
    const auto evenly = [](int count) {
        Measurements measured;
        for (int index = 1; index <= count; ++index) {
            measured.push_back({index * 1e6, 1e-5 + index * (index % 3 == 0 ? 1.1e-4 : 1e-4)});
        }
        return measured;
    };
    CHECK(fit_regimes(evenly(most_left_out_sizes), 1).left_out);
    const Fit fit = fit_regimes(evenly(most_left_out_sizes + 1), 1);
    CHECK_FALSE(fit.left_out);
    CHECK_FALSE(fit.points[0].left_out_relative_error);
    CHECK(fit_regimes(evenly(most_fitted_sizes)).points.size() == most_fitted_sizes);
    require_refused("measurements", "129 different sizes", [&] { fit_regimes(evenly(most_fitted_sizes + 1)); });
}

TEST_CASE("A fit of half of the sizes predicts the others", "[measure]") {
    const Measurements line = doubling(1024, 9, [](double bytes) { return 5e-6 + bytes / 2e9; });
    const HeldOut exact = predict_held_out(line);
    REQUIRE(exact.points.size() == 4);
    CHECK(exact.points[0].bytes == 2048);
    CHECK(exact.regimes.at(0).points == 5);
    CHECK(exact.error.p90 < 1e-9);

    // What is held out has no part in the fit.
    Measurements off = line;
    off[1].seconds *= 2;
    const HeldOut one_off = predict_held_out(off);
    CHECK(one_off.regimes.at(0).latency_seconds == exact.regimes.at(0).latency_seconds);
    CHECK(one_off.points[0].relative_error == Approx(0.5));
    require_refused("measurements", "4 different sizes", [&] { predict_held_out({line.begin(), line.begin() + 4}); });
    CHECK(predict_held_out({line.begin(), line.begin() + 5}).points.size() == 2);
}

TEST_CASE("Published runs: half of the sizes predict the others", "[measure]") {
    for (const AllReduceRun& run : read_all_reduce_runs(published_csv("nccl_tests_allreduce_runs")).runs) {
        CAPTURE(run.id);
        CHECK(predict_held_out(run.measurements).error.median <= 0.25);
    }
}

TEST_CASE("A fit refuses what can not be fitted", "[measure]") {
    const Measurements three = doubling(8, 3, [](double) { return 1e-6; });
    require_refused("measurements", "0 different sizes", [] { fit_regimes({}); });
    require_refused("measurements", "1 different sizes", [] { fit_regimes({{8, 1}, {8, 2}, {8, 3}}); });
    require_refused("regimes", "2", [&] { fit_regimes(three, 2); });
    require_refused("regimes", "0", [&] { fit_regimes(three, 0); });
    require_refused("regimes", "4", [&] { fit_regimes(three, 4); });
    require_refused("measurements", "0", [] { fit_regimes({{0, 1}, {1, 1}, {2, 1}}); });
    require_refused("measurements", "nan", [] {
        fit_regimes({{1, std::numeric_limits<double>::quiet_NaN()}, {2, 1}, {3, 1}});
    });
    require_refused("measurements", "1e+300", [] { fit_regimes({{1, 1e300}, {2, 1}, {3, 1}}); });
    require_refused("regimes", "empty", [] { fitted_seconds({}, 1); });
    require_refused("bytes", "-1", [] { fitted_seconds({{8, 64, 1, 1, 3}}, -1); });
    CHECK(fit_regimes(three).regimes.size() == 1);
}
