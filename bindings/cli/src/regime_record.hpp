#pragma once

/// @file
/// A fitted latency and bandwidth in an answer.

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include <shardlab/measure/fit.hpp>

namespace shardlab::cli {

/// The regime; with the ranks of the all-reduce, its bus bandwidth too.
nlohmann::ordered_json regime_record(const Regime& regime, std::optional<int> ranks);

}  // namespace shardlab::cli
