#pragma once

/// @file
/// What a simulated pipeline tells: what held it up, what it holds in memory, how short it could be.

#include <cstddef>
#include <vector>

#include <shardlab/pipeline/schedule.hpp>
#include <shardlab/pipeline/simulate.hpp>

namespace shardlab {

/// An operation by its place: `schedule.operations[device][position]`.
struct OperationPlace {
    int device = 0;            ///< from 0
    std::size_t position = 0;  ///< in the device's list

    bool operator==(const OperationPlace&) const = default;
};

/// A chain of operations from time 0 to the last end, each of which began when the one before it let it: because its
/// device became free or its input arrived. To shorten the makespan, one of these must become shorter.
std::vector<OperationPlace> critical_path(const PipelineSchedule& schedule, const PipelineTimeline& timeline,
                                          const PipelineCosts& costs);

/// A makespan that no order of the same operations on the same devices can beat: the longest of one micro-batch's way
/// through the model and back, and of each device's work with the shortest way to it and from it. Where operations
/// overlap, their shared time is the device's work.
double makespan_lower_bound(const PipelineSchedule& schedule, const PipelineCosts& costs);

/// The activations of one chunk and micro-batch, in any one unit.
struct ActivationSize {
    double whole = 1;                 ///< from the start of its forward
    double after_input_gradient = 0;  ///< what stays from the end of its input gradient to that of its weight gradient
};

/// What a device holds from a time on.
struct HeldActivations {
    double time = 0;  ///< in the unit of the times
    double held = 0;  ///< in the unit of the ActivationSize
};

/// The activations that a device holds over time, a step where they change. With the default size, the chunks in
/// flight, whose most is PipelineTimeline::peak_in_flight.
/// @throws invalid_argument naming device, whole or after_input_gradient
std::vector<HeldActivations> activations_over_time(const PipelineSchedule& schedule, const PipelineTimeline& timeline,
                                                   int device, const ActivationSize& size = {});

}  // namespace shardlab
