#include "records.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include <shardlab/collective_cost.hpp>
#include <shardlab/errors.hpp>

#include "../numbers.hpp"

namespace shardlab::cli {
namespace {

using Json = nlohmann::ordered_json;

Json regime_records(const std::vector<Regime>& regimes, std::optional<int> ranks) {
    Json records = Json::array();
    for (const Regime& regime : regimes) {
        records.push_back(regime_record(regime, ranks));
    }
    return records;
}

Json point_records(const std::vector<FittedPoint>& points) {
    Json records = Json::array();
    for (const FittedPoint& point : points) {
        records.push_back(point_record(point));
    }
    return records;
}

bool tell_no_bandwidth(const std::vector<Regime>& regimes) {
    return std::none_of(regimes.begin(), regimes.end(),
                        [](const Regime& regime) { return regime.bytes_per_second.has_value(); });
}

Json held_out_record(const HeldOut& held_out, std::optional<int> ranks) {
    Json record{{"regimes", regime_records(held_out.regimes, ranks)}};
    record.update(error_record(held_out.error));
    record["points"] = point_records(held_out.points);
    return record;
}

}  // namespace

Json regime_record(const Regime& regime, std::optional<int> ranks) {
    Json record{{"from_bytes", json_number(regime.from_bytes)},
                {"to_bytes", json_number(regime.to_bytes)},
                {"latency_seconds", json_number(regime.latency_seconds)}};
    if (regime.bytes_per_second) {
        record["bytes_per_second"] = json_number(*regime.bytes_per_second);
    }
    if (regime.bytes_per_second && ranks) {
        record["bus_bytes_per_second"] = json_number(*regime.bytes_per_second * all_reduce_cost(*ranks, 0).bus_factor);
    }
    record["points"] = regime.points;
    return record;
}

Json point_record(const FittedPoint& point) {
    Json record{{"bytes", json_number(point.bytes)},
                {"measured_seconds", json_number(point.measured_seconds)},
                {"fitted_seconds", json_number(point.fitted_seconds)},
                {"relative_error", json_number(point.relative_error)}};
    if (point.left_out_relative_error) {
        record["left_out_relative_error"] = json_number(*point.left_out_relative_error);
    }
    return record;
}

Json error_record(const FitError& error) {
    return {{"mean_relative_error", json_number(error.mean)},
            {"median_relative_error", json_number(error.median)},
            {"p90_relative_error", json_number(error.p90)}};
}

Json fit_record(const std::vector<Measurement>& measurements, std::optional<int> ranks, std::optional<int> regimes) {
    try {
        const Fit fit = fit_regimes(measurements, regimes);
        Json record{{"regimes", regime_records(fit.regimes, ranks)}};
        if (tell_no_bandwidth(fit.regimes)) {
            record["note"] = "the times do not grow with the size: they tell no bandwidth";
        }
        record.update(error_record(fit.error));
        record["points"] = point_records(fit.points);
        if (fit.points.size() >= static_cast<std::size_t>(fewest_halved_sizes)) {
            record["held_out"] = held_out_record(predict_held_out(measurements, 1), ranks);
        }
        return record;
    } catch (const invalid_argument& error) {
        if (error.parameter() != "measurements") {
            throw;
        }
        return {{"refused", error.value() + "; they must " + error.rule()}};
    }
}

void add_lines(Answer& answer, const AllReduceRuns& read) {
    answer.add("lines_used", read.lines_used);
    answer.add("lines_ignored", read.lines_ignored);
    answer.add_records("ignored", read.ignored.size(), [&](std::size_t index) {
        const IgnoredLines& ignored = read.ignored[index];
        return Json{{"reason", ignored.reason}, {"lines", ignored.lines}, {"first_line", ignored.first_line}};
    });
}

}  // namespace shardlab::cli
