#include <algorithm>
#include <cmath>
#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/measure/fit.hpp>

#include "partition.hpp"
#include "points.hpp"

namespace shardlab {
namespace {

using measure::Partition;

void require_points(std::size_t points) {
    if (points < fewest_points_of_regime || points > most_fitted_sizes) {
        throw invalid_argument("measurements", std::to_string(points) + " different sizes",
                               "have from " + std::to_string(fewest_points_of_regime) + " to " +
                                   std::to_string(most_fitted_sizes) + " different sizes");
    }
}

void require_regimes(int regimes, std::size_t points) {
    require_int("regimes", regimes, 1, most_regimes);
    if (static_cast<std::size_t>(regimes) * fewest_points_of_regime > points) {
        throw invalid_argument("regimes", std::to_string(regimes),
                               "leave each at least " + std::to_string(fewest_points_of_regime) + " sizes; there are " +
                                   std::to_string(points));
    }
}

/// The number of regimes, less one, by Schwarz's criterion for errors that fall off exponentially (Laplace), whose
/// likelihood is greatest where their mean magnitude is least: every further regime must pay for a latency, a bandwidth
/// and a cut, which counts twice because it is searched for among all sizes. Without that price noise alone would take
/// all regimes that there are.
std::size_t worth_their_price(const std::vector<Partition>& partitions, std::size_t points) {
    constexpr double exact = 1e-6;
    const auto count = static_cast<double>(points);
    std::vector<double> scores;
    for (std::size_t index = 0; index < partitions.size(); ++index) {
        const double unknowns = 4 * static_cast<double>(index + 1) - 2;
        const double mean_error = std::max(partitions[index].error / count, exact);
        scores.push_back(2 * count * std::log(mean_error) + unknowns * std::log(count));
    }
    return static_cast<std::size_t>(std::min_element(scores.begin(), scores.end()) - scores.begin());
}

/// None where times do not grow with the size, or no faster than by rounding.
std::optional<double> bandwidth_of(const measure::Line& line) {
    const bool grows = line.seconds_per_byte * fastest_fitted_bytes_per_second >= 1;
    return grows ? std::optional(1 / line.seconds_per_byte) : std::nullopt;
}

std::vector<Regime> regimes_of(const Partition& partition, const std::vector<Measurement>& points) {
    std::vector<Regime> regimes;
    for (const measure::Part& part : partition.parts) {
        regimes.push_back({.from_bytes = points[part.first].bytes,
                           .to_bytes = points[part.first + part.count - 1].bytes,
                           .latency_seconds = part.fit.line.latency,
                           .bytes_per_second = bandwidth_of(part.fit.line),
                           .points = static_cast<int>(part.count)});
    }
    return regimes;
}

/// For 1, 2, ... regimes the relative error of each point by a fit of all others. Where these are too few for as many
/// regimes, they have as many as they can.
std::vector<std::vector<double>> left_out_errors(const std::vector<Measurement>& points, std::size_t most) {
    std::vector<std::vector<double>> errors(most);
    for (std::size_t index = 0; index < points.size(); ++index) {
        std::vector<Measurement> others = points;
        others.erase(others.begin() + static_cast<std::vector<Measurement>::difference_type>(index));
        const std::vector<Partition> partitions = measure::best_partitions(others, static_cast<int>(most));
        for (std::size_t regimes = 0; regimes < most; ++regimes) {
            const Partition& partition = partitions[std::min(regimes, partitions.size() - 1)];
            const double seconds = fitted_seconds(regimes_of(partition, others), points[index].bytes);
            errors[regimes].push_back(measure::relative_error(seconds, points[index].seconds));
        }
    }
    return errors;
}

double seconds_of(const Regime& regime, double bytes) {
    return regime.latency_seconds + (regime.bytes_per_second ? bytes / *regime.bytes_per_second : 0);
}

/// On the straight line from the end of one regime to the beginning of the next.
double joined_seconds(const Regime& lower, const Regime& upper, double bytes) {
    const double begin = seconds_of(lower, lower.to_bytes);
    const double share = (bytes - lower.to_bytes) / (upper.from_bytes - lower.to_bytes);
    return begin + share * (seconds_of(upper, upper.from_bytes) - begin);
}

}  // namespace

double fitted_seconds(const std::vector<Regime>& regimes, double bytes) {
    require_count("bytes", bytes);
    if (regimes.empty()) {
        throw invalid_argument("regimes", "empty", "be at least one");
    }
    const auto reaching = std::find_if(regimes.begin(), regimes.end() - 1,
                                       [&](const Regime& regime) { return bytes <= regime.to_bytes; });
    if (reaching != regimes.begin() && bytes < reaching->from_bytes) {
        return joined_seconds(*(reaching - 1), *reaching, bytes);
    }
    return seconds_of(*reaching, bytes);
}

Fit fit_regimes(const std::vector<Measurement>& measurements, std::optional<int> regimes) {
    const std::vector<Measurement> points = measure::by_size(measurements);
    require_points(points.size());
    if (regimes) {
        require_regimes(*regimes, points.size());
    }

    const std::vector<Partition> partitions = measure::best_partitions(points, regimes.value_or(most_regimes));
    const bool leaves_out = points.size() <= most_left_out_sizes;
    const auto left_out = leaves_out ? left_out_errors(points, partitions.size()) : std::vector<std::vector<double>>{};
    const std::size_t chosen = regimes ? partitions.size() - 1 : worth_their_price(partitions, points.size());
    Fit fit{.regimes = regimes_of(partitions[chosen], points), .points = {}, .error = {}, .left_out = {}};
    std::vector<double> errors;
    for (std::size_t index = 0; index < points.size(); ++index) {
        const Measurement& point = points[index];
        const double seconds = fitted_seconds(fit.regimes, point.bytes);
        errors.push_back(measure::relative_error(seconds, point.seconds));
        fit.points.push_back({.bytes = point.bytes,
                              .measured_seconds = point.seconds,
                              .fitted_seconds = seconds,
                              .relative_error = errors.back(),
                              .left_out_relative_error = {}});
        if (leaves_out) {
            fit.points.back().left_out_relative_error = left_out[chosen][index];
        }
    }
    fit.error = measure::error_over(std::move(errors));
    if (leaves_out) {
        fit.left_out = measure::error_over(left_out[chosen]);
    }
    return fit;
}

}  // namespace shardlab
