#pragma once

#include <shardlab/collective/schedule.hpp>

namespace shardlab::collective {

/// Refuses a transfer that leaves the buffers or joins a rank with itself. Whoever touches memory asks it first.
void require_inside(const CollectiveSchedule& schedule, int index, const Step& step);

}  // namespace shardlab::collective
