#pragma once

/// @file
/// What was measured and what was fitted to it, as objects of an answer.

#include <optional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <shardlab/measure.hpp>

#include "../answer.hpp"

namespace shardlab::cli {

/// A range of sizes with its latency and bandwidth; with ranks, the bus bandwidth too.
nlohmann::ordered_json regime_record(const Regime& regime, std::optional<int> ranks);

/// A size, its times and the error.
nlohmann::ordered_json point_record(const FittedPoint& point);

/// Mean, median and 90th percentile.
nlohmann::ordered_json error_record(const FitError& error);

/// All that a model fitted to measured all-reduces says: regimes, errors, points, and the prediction of the half that
/// is held out. Where there is too little to fit, why.
nlohmann::ordered_json fit_record(const std::vector<Measurement>& measurements, std::optional<int> ranks,
                                  std::optional<int> regimes);

/// Writes how many lines of a text became measurements, and why the others did not.
void add_lines(Answer& answer, const AllReduceRuns& read);

}  // namespace shardlab::cli
