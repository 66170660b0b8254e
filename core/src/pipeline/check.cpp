#include "check.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <shardlab/errors.hpp>

namespace shardlab {
namespace {

using pipeline::refuse;

void require_placement(const PipelineSchedule& schedule) {
    require_int("stages", schedule.stages, 1);
    require_int("micro_batches", schedule.micro_batches, 1);
    if (schedule.operations.size() != static_cast<std::size_t>(schedule.stages)) {
        refuse(std::to_string(schedule.operations.size()) + " lists of operations", "have one list for each stage");
    }
    for (const int device : schedule.placement) {
        if (device < 0 || device >= schedule.stages) {
            refuse("a model part on device " + std::to_string(device),
                   "place every model part on a device from 0 to " + std::to_string(schedule.stages - 1));
        }
    }
    const int replicas = schedule.replicas;
    if (replicas < 1 || schedule.placement.size() % static_cast<std::size_t>(replicas) != 0 ||
        schedule.micro_batches % replicas != 0) {
        refuse(std::to_string(replicas) + " replicas of the model",
               "share out " + std::to_string(schedule.placement.size()) + " placed model parts and " +
                   std::to_string(schedule.micro_batches) + " micro-batches evenly");
    }
    const double operations = 2.0 * schedule.parts() * schedule.micro_batches;
    require_count("operations", operations, 1, most_operations);
}

void require_on_its_device(const PipelineSchedule& schedule, int parts, const Operation& operation,
                           std::size_t device) {
    const bool exists = operation.model_part >= 0 && operation.model_part < parts && operation.micro_batch >= 0 &&
                        operation.micro_batch < schedule.micro_batches;
    if (!exists) {
        refuse("a " + text(operation), "name a model part and a micro-batch that exist");
    }
    const int own_device = schedule.device(operation.model_part, operation.micro_batch);
    if (own_device != static_cast<int>(device)) {
        refuse("a " + text(operation) + " on device " + std::to_string(device),
               "run a model part on its own device, " + std::to_string(own_device));
    }
}

void require_pairs(const std::vector<Operation>& list) {
    bool in_pair = false;
    for (const Operation& operation : list) {
        if (operation.overlaps_next && in_pair) {
            refuse("a " + text(operation) + " that overlaps with two others", "overlap with one at most");
        }
        in_pair = operation.overlaps_next;
    }
    if (in_pair) {
        refuse("a " + text(list.back()) + " that overlaps with nothing", "have a next operation in its list");
    }
}

constexpr std::uint8_t bit(OperationKind kind) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(kind));
}

constexpr std::uint8_t forward = bit(OperationKind::forward);
constexpr std::uint8_t backward = bit(OperationKind::backward);
constexpr std::uint8_t gradients = bit(OperationKind::input_gradient) | bit(OperationKind::weight_gradient);

/// What may not stand beside an operation of a kind: itself, and a backward beside a gradient of its own.
std::uint8_t excluded_by(OperationKind kind) {
    switch (kind) {
        case OperationKind::forward:
            return forward;
        case OperationKind::backward:
            return backward | gradients;
        default:
            return static_cast<std::uint8_t>(bit(kind) | backward);
    }
}

void mark(std::uint8_t& given, const Operation& operation) {
    if ((given & excluded_by(operation.kind)) != 0) {
        refuse("a second " + text(operation),
               "have every operation once, and a backward whole or in its two gradients");
    }
    given |= bit(operation.kind);
}

/// Names what a model part has not got for a micro-batch.
void require_given(std::uint8_t given, int part, int micro_batch) {
    const bool complete = given == (forward | backward) || given == (forward | gradients);
    if (complete) {
        return;
    }
    OperationKind missing = OperationKind::backward;
    if ((given & forward) == 0) {
        missing = OperationKind::forward;
    } else if ((given & gradients) != 0) {
        missing = (given & bit(OperationKind::input_gradient)) == 0 ? OperationKind::input_gradient
                                                                    : OperationKind::weight_gradient;
    }
    refuse("without the " + text(Operation{missing, part, micro_batch}),
           "have a forward and a backward, whole or in its two gradients, of every model part and micro-batch");
}

constexpr std::array<const char*, 4> words{"forward", "backward", "input gradient", "weight gradient"};

}  // namespace

std::string text(const Operation& operation) {
    return words.at(static_cast<std::size_t>(operation.kind)) +
           (" of micro-batch " + std::to_string(operation.micro_batch)) + " on model part " +
           std::to_string(operation.model_part);
}

void require_complete(const PipelineSchedule& schedule) {
    require_placement(schedule);
    const int schedule_parts = schedule.parts();
    const auto parts = static_cast<std::size_t>(schedule_parts);
    std::vector<std::uint8_t> given(parts * static_cast<std::size_t>(schedule.micro_batches), 0);
    for (std::size_t device = 0; device < schedule.operations.size(); ++device) {
        for (const Operation& operation : schedule.operations[device]) {
            require_on_its_device(schedule, schedule_parts, operation, device);
            mark(given[static_cast<std::size_t>(operation.micro_batch) * parts +
                       static_cast<std::size_t>(operation.model_part)],
                 operation);
        }
        require_pairs(schedule.operations[device]);
    }
    for (std::size_t index = 0; index < given.size(); ++index) {
        require_given(given[index], static_cast<int>(index % parts), static_cast<int>(index / parts));
    }
}

namespace pipeline {

void refuse(const std::string& value, const std::string& rule) {
    throw invalid_argument("schedule", value, rule);
}

}  // namespace pipeline
}  // namespace shardlab
