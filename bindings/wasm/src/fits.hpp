#pragma once

/// @file
/// Fits of measured times as plain objects.

#include <vector>

#include <shardlab/measure/fit.hpp>

#include "convert.hpp"

namespace shardlab::wasm {

/// Sets `regimes`, `points`, `relativeError` and `leftOutRelativeError`.
void set_fit(val& result, const Fit& fit);

/// What a fit of half of the sizes says of the others: {regimes, points, relativeError}. Null where there are too few.
/// @param measurements that have been fitted
val plain_held_out(const std::vector<Measurement>& measurements, std::size_t sizes);

}  // namespace shardlab::wasm
