#pragma once

#include <vector>

#include <shardlab/measure/fit.hpp>

namespace shardlab::measure {

/// One measurement a size, by size: the median where there are several.
/// @throws invalid_argument naming measurements
std::vector<Measurement> by_size(std::vector<Measurement> measurements);

/// @param errors at least one
FitError error_over(std::vector<double> errors);

}  // namespace shardlab::measure
