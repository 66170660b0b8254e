#include "points.hpp"

#include <algorithm>
#include <string>

#include <shardlab/errors.hpp>

namespace shardlab::measure {
namespace {

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

void require_measurements(const std::vector<Measurement>& measurements) {
    constexpr double shortest_seconds = 1e-9;
    constexpr double longest_seconds = 1e9;
    if (measurements.size() > most_measured_rows) {
        throw invalid_argument("measurements", std::to_string(measurements.size()) + " of them",
                               "be at most " + std::to_string(most_measured_rows));
    }
    for (const Measurement& measurement : measurements) {
        require_count("measurements", measurement.bytes, 1);
        require_between("measurements", measurement.seconds, shortest_seconds, longest_seconds);
    }
}

}  // namespace

std::vector<Measurement> by_size(std::vector<Measurement> measurements) {
    require_measurements(measurements);
    std::sort(measurements.begin(), measurements.end(),
              [](const Measurement& a, const Measurement& b) { return a.bytes < b.bytes; });
    std::vector<Measurement> points;
    for (auto first = measurements.begin(); first != measurements.end();) {
        const auto last = std::find_if(first, measurements.end(),
                                       [&](const Measurement& other) { return other.bytes != first->bytes; });
        std::vector<double> seconds;
        std::transform(first, last, std::back_inserter(seconds), [](const Measurement& one) { return one.seconds; });
        points.push_back({.bytes = first->bytes, .seconds = median(std::move(seconds))});
        first = last;
    }
    return points;
}

FitError error_over(std::vector<double> errors) {
    std::sort(errors.begin(), errors.end());
    double sum = 0;
    for (const double error : errors) {
        sum += error;
    }
    const std::size_t nearest_rank = (9 * errors.size() + 9) / 10;
    return {
        .mean = sum / static_cast<double>(errors.size()), .median = median(errors), .p90 = errors[nearest_rank - 1]};
}

}  // namespace shardlab::measure
