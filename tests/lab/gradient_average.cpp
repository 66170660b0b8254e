#include <cmath>

#include "catch.hpp"
#include "complaint.hpp"
#include "inputs.hpp"

using lab::Buffers;
using lab::Tensor;
using lab_test::Complaint;
using lab_test::text;

namespace {

/// The mean of element `e`, summed rank by rank in one place.
double serial_mean(const Buffers& gradients, std::size_t e) {
    double sum = 0;
    for (const Tensor& gradient : gradients) sum += gradient[e];
    return sum / static_cast<double>(gradients.size());
}

std::string explain_mean(double got, const Buffers& gradients, std::size_t e) {
    const auto ranks = static_cast<double>(gradients.size());
    if (got == serial_mean(gradients, e) * ranks) return ": this is the sum, not yet divided by the number of ranks";
    std::vector<double> parts;
    for (const Tensor& gradient : gradients) parts.push_back(gradient[e]);
    const std::string why = lab_test::explain_sum(got * ranks, parts);
    return why.empty() ? "" : ": " + why;
}

Complaint wrong_mean(const Tensor& got, const Buffers& gradients, double tolerance = 0) {
    const std::size_t elements = gradients.front().size();
    if (got.size() != elements) {
        return "the average has " + std::to_string(got.size()) + " elements, must have " + std::to_string(elements) +
               ", as each rank's gradient has";
    }
    for (std::size_t e = 0; e < elements; ++e) {
        const double expected = serial_mean(gradients, e);
        if (std::abs(got[e] - expected) <= tolerance) continue;
        return "element " + std::to_string(e) + ": is " + text(got[e]) + ", must be " + text(expected) +
               explain_mean(got[e], gradients, e);
    }
    return {};
}

std::string shape_text(const Buffers& gradients) {
    return lab_test::counted(static_cast<double>(gradients.size()), "rank") + ", " +
           lab_test::counted(static_cast<double>(gradients.front().size()), "element") + " each";
}

}  // namespace

TEST_CASE("lab data_parallel_gradient_average: two ranks meet in the middle", "[lab][data_parallel_gradient_average]") {
    const Buffers gradients{{1, 20, -4}, {3, 40, 4}};
    REQUIRE_RIGHT(wrong_mean(lab::data_parallel_gradient_average(gradients), gradients));
}

TEST_CASE("lab data_parallel_gradient_average: the average of one rank is its gradient",
          "[lab][data_parallel_gradient_average]") {
    const Buffers gradients{{0.1, -2.5, 3e-9}};
    REQUIRE_RIGHT(wrong_mean(lab::data_parallel_gradient_average(gradients), gradients));
}

TEST_CASE("lab data_parallel_gradient_average: equals the serial mean exactly where sums are exact",
          "[lab][data_parallel_gradient_average]") {
    lab_test::Random random(3);
    for (int round = 0; round < 100; ++round) {
        const int ranks = 1 << random.integer(0, 4);
        const Buffers gradients = random.integers(ranks, random.integer(1, 80), 1000000);
        INFO(shape_text(gradients));
        REQUIRE_RIGHT(wrong_mean(lab::data_parallel_gradient_average(gradients), gradients));
    }
}

TEST_CASE("lab data_parallel_gradient_average: equals the serial mean within rounding for any numbers",
          "[lab][data_parallel_gradient_average]") {
    lab_test::Random random(4);
    for (int ranks = 1; ranks <= 12; ++ranks) {
        const Buffers gradients = random.reals(ranks, 73);
        INFO(shape_text(gradients));
        REQUIRE_RIGHT(wrong_mean(lab::data_parallel_gradient_average(gradients), gradients, 0x1p-52 * ranks));
    }
}
