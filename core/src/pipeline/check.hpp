#pragma once

#include <string>

#include <shardlab/pipeline.hpp>

namespace shardlab::pipeline {

/// An operation in words: `forward of micro-batch 3 on model part 0`.
std::string text(const Operation& operation);

/// Throws invalid_argument for a schedule: what it has, and what it must.
[[noreturn]] void refuse(const std::string& value, const std::string& rule);

/// Checks that a schedule has one list for each device, and each forward and each backward of every model part and
/// micro-batch once, on the part's device. Whether the lists wait for each other is found by simulation.
void require_complete(const PipelineSchedule& schedule);

}  // namespace shardlab::pipeline
