#pragma once

/// @file
/// The options that say which pipeline schedule is asked for: one of the builders', or one in a file.

#include <optional>

#include <shardlab/pipeline/builders.hpp>
#include <shardlab/pipeline/notation.hpp>

#include "../options.hpp"

namespace shardlab::cli {

/// Declares `--schedule`, `--stages`, `--micro-batches`, `--chunks`, `--group-size`, `--memory-limit`,
/// `--weight-grad-share` and `--rules`, and in place of all of them `--import` and `--notation`.
void declare_schedule(Options& options);

/// Which schedule: one of the two.
struct AskedSchedule {
    std::optional<PipelineRequest> request;  ///< for the builders
    std::optional<ReadSchedule> imported;    ///< from a file
};

/// The request of the options, or the schedule in the file.
/// @param name what `--schedule` says; the request refers to it
/// @param times what a searched schedule is made for
/// @throws invalid_argument naming an option that has no use beside another, or import
AskedSchedule schedule_asked_for(const Options& options, const std::string& name, const OperationTimes& times);

}  // namespace shardlab::cli
