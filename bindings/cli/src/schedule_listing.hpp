#pragma once

/// @file
/// A collective's schedule in an answer, a transfer a line.

#include <shardlab/collective/schedule.hpp>

#include "answer.hpp"
#include "options.hpp"

namespace shardlab::cli {

/// Refuses a schedule that is too long to be listed.
void require_listable_schedule(const CollectiveSchedule& schedule);

/// Adds `schedule` to the answer where `--schedule` is given: step after step, each made when its turn comes.
void add_schedule_if_asked(const Options& options, Answer& answer, const CollectiveSchedule& schedule);

}  // namespace shardlab::cli
