#pragma once

#include <shardlab/collective.hpp>

namespace shardlab::collective {

/// Refuses a transfer that leaves the buffers or joins a rank with itself. Whoever touches memory asks it first.
void require_inside(const CollectiveSchedule& schedule, int step, const Transfer& transfer);

}  // namespace shardlab::collective
