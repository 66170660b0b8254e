#pragma once

#include <string>

#include <shardlab/pipeline/schedule.hpp>

namespace shardlab::pipeline {

/// Throws invalid_argument for a schedule: what it has, and what it must.
[[noreturn]] void refuse(const std::string& value, const std::string& rule);

/// Whether the lists of a complete schedule wait for each other.
bool deadlocks(const PipelineSchedule& schedule);

}  // namespace shardlab::pipeline
