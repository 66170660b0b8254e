#pragma once

/// @file
/// The file that `--stage-times` names.

#include <vector>

#include <shardlab/pipeline/simulate.hpp>

#include "../options.hpp"

namespace shardlab::cli {

/// Times by row. The first line names the columns, in any order: forward, and backward or input_grad and weight_grad,
/// and overlapped if wanted.
/// @throws invalid_argument naming stage_times, with line and column of what cannot be read
std::vector<OperationTimes> stage_times(const Options& options);

}  // namespace shardlab::cli
