#pragma once

/// @file
/// A simulated pipeline as a trace for the viewers of Chrome's trace format, Perfetto among them.

#include <string>

#include <shardlab/pipeline/schedule.hpp>
#include <shardlab/pipeline/simulate.hpp>

namespace shardlab {

/// Most operations that a trace is written for: 2^20.
inline constexpr double most_traced_operations = 1048576.0;

/// A trace as JSON: an object with the list `traceEvents`, an event a line.
///
/// A track (thread) a device, `device 0`. An operation is a complete event `F3` (F, B, I, W and the micro-batch), whose
/// category is its kind and whose args are `kind`, `model_part` and `micro_batch`; the gradient synchronisation after a
/// device's last is `sync`. A message between devices is a pair of flow events, from the sender's last nanosecond to
/// the start of what waited for it; messages that relaxed_wrap does not wait for have none. Of a pair that overlaps,
/// the second is on a track of its own, `device 0, overlapped`: on one track equal spans would count as nested, and a
/// flow would end at the inner one whichever it was meant for.
///
/// Times are to the nanosecond, which is where viewers cut them off: every slice has to be of one at least.
/// Source: Google's "Trace Event Format" (events M, X, s and f).
/// @param timeline of the schedule, by simulate() with these costs
/// @param microseconds_per_unit of the times: 1e-9 to 1e9, with a makespan of 2^53 nanoseconds at most and no slice
/// that
///        would be rounded to none
/// @throws invalid_argument naming schedule where it has more than most_traced_operations, or microseconds_per_unit
std::string chrome_trace(const PipelineSchedule& schedule, const PipelineTimeline& timeline, const PipelineCosts& costs,
                         double microseconds_per_unit = 1);

}  // namespace shardlab
