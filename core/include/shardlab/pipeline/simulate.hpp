#pragma once

/// @file
/// A pipeline schedule in time.

#include <optional>
#include <vector>

#include <shardlab/pipeline/schedule.hpp>

namespace shardlab {

/// The shortest time that an operation may take.
inline constexpr double shortest_time = 1e-15;

/// The longest time that an operation may take.
inline constexpr double longest_time = 1e15;

/// How long operations on one model part take, in any one unit of time: each time from shortest_time to longest_time.
struct OperationTimes {
    double forward = 1;                ///< one forward
    double backward = 2;               ///< one whole backward
    double input_gradient = 1;         ///< the backward's input gradient, where it is apart
    double weight_gradient = 1;        ///< the backward's weight gradient, where it is apart
    std::optional<double> overlapped;  ///< a forward and a backward at the same time; their sum when left out

    bool operator==(const OperationTimes&) const = default;
};

/// Times whose backward is its two gradients.
OperationTimes split_times(double forward, double input_gradient, double weight_gradient);

/// Times whose gradients take half of the backward each.
OperationTimes whole_times(double forward, double backward);

/// What a simulation is told of the machine and the model.
struct PipelineCosts {
    OperationTimes times;                    ///< of every model part
    std::vector<OperationTimes> part_times;  ///< or of each part, in the order of the model's layers
    double communication = 0;                ///< from an operation's end to its result's arrival on another device
    bool blocking_sends = false;             ///< a device does nothing else until what it sends has arrived
    bool recompute = false;                  ///< the forward runs once more before each backward or input gradient
    double gradient_sync = 0;                ///< of a device after its last operation (data parallelism)

    /// Micro-batches whose number is no multiple of P do not wait for what comes from the last device to the first, or
    /// in backward from the first to the last. Real training cannot do that; published numbers were made so: the
    /// simulator at sail-sg/zero-bubble-pipeline-parallelism at f68d3879, efficiency.py.
    bool relaxed_wrap = false;
};

/// Costs of parts that are all equal, whose two gradients take half of the backward each.
PipelineCosts uniform_costs(double forward, double backward, double communication = 0);

/// When an operation ran.
struct Span {
    double start = 0;  ///< in the unit of the times
    double end = 0;    ///< in the unit of the times
};

/// Idle time of a device, in the unit of the times.
struct IdleTime {
    double warm_up = 0;  ///< up to the start of its first backward or input gradient
    double steady = 0;   ///< after that, up to the end of its last forward
    double drain = 0;    ///< after both, until every device is done

    double total() const { return warm_up + steady + drain; }  ///< all of it
};

/// A schedule in time.
struct PipelineTimeline {
    std::vector<std::vector<Span>> spans;  ///< for each device, one for each of its operations
    double makespan = 0;                   ///< end of all work, gradient synchronisation included
    double bubble_of_total = 0;            ///< idle time of all devices over devices · makespan: 0 to 1
    double bubble_of_ideal = 0;            ///< the same idle time over the time of work; may exceed 1

    /// (cost - work) / cost, 0 to 1: cost is the longest that a device takes from its first start to its last end, and
    /// work what that device does in it, M(F+B+W) where all are equal. Where a device starts later and ends later
    /// than another, this is less than bubble_of_total. Source: Qi et al., arXiv:2401.10241, section 4.3.
    double bubble_rate = 0;
    std::vector<IdleTime> idle_per_device;  ///< for each device
    std::vector<int>
        peak_in_flight;   ///< for each device, the most forwards whose backward or input gradient is still to come
    double messages = 0;  ///< activations and gradients sent from device to device
};

/// Simulates a schedule: an operation starts when its device is free and its input has arrived.
///
/// A forward needs the forward of the model part before it; a backward or an input gradient needs that of the part
/// after it and the forward of its own; a weight gradient needs the input gradient of its own. An operation's result
/// is sent when it ends. Of a pair that overlaps, both start when the inputs of both have arrived. Time is linear in
/// the number of operations.
/// @throws invalid_argument as require_complete() does; for a time outside its range; for part_times that are neither
///         left out nor one for each part; and for lists that deadlock: with the cycle of operations that wait for
///         each other
PipelineTimeline simulate(const PipelineSchedule& schedule, const PipelineCosts& costs);

/// The makespan of a schedule in steps, each operation and no communication being one step: 2(M + P - 1) for 1F1B.
/// Found by simulation.
int unit_steps(const PipelineSchedule& schedule);

}  // namespace shardlab
