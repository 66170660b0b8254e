#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/measure/fit.hpp>

#include "line.hpp"
#include "points.hpp"

namespace shardlab {

HeldOut predict_held_out(const std::vector<Measurement>& measurements, std::optional<int> regimes) {
    const std::vector<Measurement> points = measure::by_size(measurements);
    if (points.size() < static_cast<std::size_t>(fewest_halved_sizes)) {
        throw invalid_argument(
            "measurements", std::to_string(points.size()) + " different sizes",
            "have at least " + std::to_string(fewest_halved_sizes) + " different sizes, for half of them to be fitted");
    }
    std::vector<Measurement> fitted;
    std::vector<Measurement> held_out;
    for (std::size_t index = 0; index < points.size(); ++index) {
        (index % 2 == 0 ? fitted : held_out).push_back(points[index]);
    }
    HeldOut result{.regimes = fit_regimes(fitted, regimes).regimes, .points = {}, .error = {}};
    std::vector<double> errors;
    for (const Measurement& point : held_out) {
        const double seconds = fitted_seconds(result.regimes, point.bytes);
        errors.push_back(measure::relative_error(seconds, point.seconds));
        result.points.push_back({.bytes = point.bytes,
                                 .measured_seconds = point.seconds,
                                 .fitted_seconds = seconds,
                                 .relative_error = errors.back(),
                                 .left_out_relative_error = {}});
    }
    result.error = measure::error_over(std::move(errors));
    return result;
}

}  // namespace shardlab
