#pragma once

/// @file
/// Pipeline schedules as data: for each device an ordered list of operations; and their simulation in time.

#include <cstdint>
#include <string_view>
#include <vector>

namespace shardlab {

/// Most operations that a pipeline schedule may have: 2^24.
inline constexpr double most_operations = 16777216.0;

/// Most devices that a schedule is built for: 2^16.
inline constexpr int most_stages = 65536;

/// What a device does with a micro-batch.
enum class OperationKind : std::uint8_t { forward, backward };

/// One operation of one model part on one micro-batch.
struct Operation {
    OperationKind kind = OperationKind::forward;  ///< which pass
    int model_part = 0;   ///< index into PipelineSchedule::placement, in the order of the model's layers
    int micro_batch = 0;  ///< 0 to micro_batches - 1

    bool operator==(const Operation&) const = default;
};

/// Who works on what, in which order.
struct PipelineSchedule {
    int stages = 0;              ///< devices P
    int micro_batches = 0;       ///< micro-batches M in one optimizer step
    std::vector<int> placement;  ///< the device of each part of the model, in the order of the layers
    std::vector<std::vector<Operation>> operations;  ///< for each device, in order of execution
};

/// One-forward-one-backward: stage s runs min(P - s, M) forwards less one, then alternates a forward and a backward,
/// then drains its backwards. (The flush schedule, "PipeDream-flush".)
///
/// Its makespan is GPipe's; its activations are not: stage s never holds more than min(P - s, M).
/// Source: Narayanan et al., arXiv:2104.04473, section 2.2.1, figure 4 (top).
/// @throws invalid_argument naming stages or micro_batches: each at least 1, at most most_stages, and
///         2·stages·micro_batches at most most_operations
PipelineSchedule pipeline_schedule_1f1b(int stages, int micro_batches);

/// GPipe: every stage runs all forwards, then all backwards in reverse order of the micro-batches.
///
/// Source: Huang et al., arXiv:1811.06965, section 2.3, figure 2c.
/// @throws invalid_argument as pipeline_schedule_1f1b() does
PipelineSchedule pipeline_schedule_gpipe(int stages, int micro_batches);

/// The schedule of that name (`1f1b`, `gpipe`).
/// @throws invalid_argument naming schedule, stages or micro_batches
PipelineSchedule pipeline_schedule(std::string_view schedule, int stages, int micro_batches);

/// How long operations take, in any one unit of time: each time from 1e-15 to 1e15, communication from 0.
struct OperationTimes {
    double forward = 1;        ///< one forward
    double backward = 2;       ///< one full backward: input and weight gradient
    double communication = 0;  ///< from the end of an operation to its result's arrival on another device
};

/// When an operation ran.
struct Span {
    double start = 0;  ///< in the unit of OperationTimes
    double end = 0;    ///< in the unit of OperationTimes
};

/// A schedule in time.
struct PipelineTimeline {
    std::vector<std::vector<Span>> spans;  ///< for each device, one for each of its operations
    double makespan = 0;                   ///< end of the last operation
    double bubble_of_total = 0;            ///< idle time of all devices over devices · makespan: 0 to 1
    double bubble_of_ideal = 0;            ///< the same idle time over the time of work; may exceed 1
    std::vector<int> peak_in_flight;       ///< for each device, the most forwards whose backward is still to come
    double messages = 0;                   ///< activations and gradients sent from device to device
};

/// Simulates a schedule: an operation starts when its device is free and its input has arrived.
///
/// A forward needs the forward of the model part before it, a backward the backward of the part after it and the
/// forward of its own. An operation's result is sent when it ends; sending does not occupy the device.
/// Time is linear in the number of operations.
/// @throws invalid_argument for a time outside its range, an operation that is missing, given twice, out of range or
///         on the wrong device, and lists that wait for each other: naming the operations that wait and for what
PipelineTimeline simulate(const PipelineSchedule& schedule, const OperationTimes& times);

/// The makespan of a schedule in steps, each operation and no communication being one step: 2(M + P - 1) for 1F1B.
/// Found by simulation.
int unit_steps(const PipelineSchedule& schedule);

}  // namespace shardlab
