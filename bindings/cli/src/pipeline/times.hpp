#pragma once

/// @file
/// The options that say how long a pipeline's operations take, and what else they cost.

#include <vector>

#include <shardlab/pipeline/simulate.hpp>

#include "../options.hpp"

namespace shardlab::cli {

/// Declares `--forward`, `--backward` or `--input-grad` and `--weight-grad`, `--overlapped`, `--stage-times`,
/// `--communication`, `--blocking-sends`, `--recompute`, `--gradient-sync` and `--relaxed-wrap`.
void declare_costs(Options& options);

/// The times asked for.
struct AskedTimes {
    OperationTimes times;              ///< of every part; the mean of the rows where there are any
    std::vector<OperationTimes> rows;  ///< of the file that `--stage-times` names, a row a model part or a device
};

/// The times of the options, or of the file.
/// @throws invalid_argument naming an option that excludes another, or stage_times with line and column
AskedTimes times_asked_for(const Options& options);

/// All costs. A file of a row a device gives its times to every part of the device.
/// @throws invalid_argument naming stage_times where its rows are neither one a part nor one a device, or overlapped
///         where nothing overlaps
PipelineCosts costs_asked_for(const Options& options, const AskedTimes& times, const PipelineSchedule& schedule);

/// An error in the words of the command line: the core's parameters by the options that lead to them.
invalid_argument in_options(const Options& options, const invalid_argument& error);

}  // namespace shardlab::cli
