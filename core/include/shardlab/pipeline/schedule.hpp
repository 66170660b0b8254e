#pragma once

/// @file
/// A pipeline schedule as data: where each part of the model is, and for each device an ordered list of operations.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace shardlab {

/// Most operations that a pipeline schedule may have: 2^24.
inline constexpr double most_operations = 16777216.0;

/// Most devices that a schedule is built for: 2^16.
inline constexpr int most_stages = 65536;

/// What a device does with a micro-batch.
enum class OperationKind : std::uint8_t {
    forward,          ///< F
    backward,         ///< the whole backward, input and weight gradient: B in PyTorch and in DualPipe's papers
    input_gradient,   ///< I in PyTorch, B in the Zero Bubble papers
    weight_gradient,  ///< W; nothing on another device waits for it
};

/// One operation of one part of the model on one micro-batch.
struct Operation {
    constexpr Operation() = default;
    /// @param pair whether it overlaps with the next
    constexpr Operation(OperationKind what, int part, int batch, bool pair = false)
        : kind(what), overlaps_next(pair), model_part(part), micro_batch(batch) {}

    OperationKind kind = OperationKind::forward;  ///< which pass
    bool overlaps_next = false;  ///< runs at the same time as the next of its list: the two start and end together
    int model_part = 0;          ///< from 0, in the order of the model's layers
    int micro_batch = 0;         ///< 0 to micro_batches - 1

    bool operator==(const Operation&) const = default;
};

/// Who works on what, in which order.
///
/// Device d of `stages` has the model parts that `placement` gives it: one after the other (0 1 2 3), looped
/// (0 1 0 1, two chunks a device), down and up again (0 1 1 0, a V), or from both ends, with two replicas of the model
/// (0 1 and 1 0) that share out the micro-batches in order.
struct PipelineSchedule {
    int stages = 0;                                  ///< devices P
    int micro_batches = 0;                           ///< micro-batches M in one optimizer step
    std::vector<int> placement;                      ///< the device of each part of the model, replica after replica
    std::vector<std::vector<Operation>> operations;  ///< for each device, in order of execution
    int replicas = 1;  ///< copies of the model; replica r has micro-batches r·M/replicas and on

    /// Parts that the model is cut into.
    int parts() const { return static_cast<int>(placement.size()) / replicas; }

    /// The device that works on a part for a micro-batch.
    int device(int model_part, int micro_batch) const {
        if (replicas == 1) {
            return placement[static_cast<std::size_t>(model_part)];
        }
        const auto replica = static_cast<std::size_t>(micro_batch / (micro_batches / replicas));
        return placement[replica * static_cast<std::size_t>(parts()) + static_cast<std::size_t>(model_part)];
    }
};

/// An operation in words: `forward of micro-batch 3 on model part 0`.
std::string text(const Operation& operation);

/// Checks that a schedule has a list for each device, and for every model part and micro-batch, on the part's device,
/// one forward, and one backward or one input and one weight gradient; and that no operation overlaps with more than
/// one other. Whether the lists wait for each other is found by simulation.
/// @throws invalid_argument naming stages, micro_batches, operations or schedule
void require_complete(const PipelineSchedule& schedule);

}  // namespace shardlab
