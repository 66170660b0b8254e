#pragma once

// What several builders need.

#include <vector>

#include <shardlab/pipeline/schedule.hpp>

namespace shardlab::pipeline {

/// Checks that stages · micro_batches · chunks micro-batches on chunks, `each` operations for each, can be built.
/// @throws invalid_argument naming stages, micro_batches or chunks
void require_size(int stages, int micro_batches, int chunks, int each);

/// A schedule whose lists are still empty.
PipelineSchedule empty_schedule(int stages, int micro_batches, std::vector<int> placement);

/// Devices 0 to P - 1 over and over, `chunks` times.
std::vector<int> looped(int stages, int chunks);

/// Devices 0 to P - 1 and back to 0: two chunks a device.
std::vector<int> down_and_up(int stages);

}  // namespace shardlab::pipeline
