#include "check.hpp"

#include <cstddef>
#include <vector>

#include <shardlab/errors.hpp>

namespace shardlab::pipeline {
namespace {

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
    const double operations = 2.0 * static_cast<double>(schedule.placement.size()) * schedule.micro_batches;
    require_count("operations", operations, 1, most_operations);
}

/// Where an operation stands in the check list: forwards before backwards, by model part, by micro-batch.
std::size_t place(const PipelineSchedule& schedule, const Operation& operation) {
    const std::size_t block = operation.kind == OperationKind::forward ? 0 : schedule.placement.size();
    return (block + static_cast<std::size_t>(operation.model_part)) * static_cast<std::size_t>(schedule.micro_batches) +
           static_cast<std::size_t>(operation.micro_batch);
}

void require_on_its_device(const PipelineSchedule& schedule, const Operation& operation, std::size_t device) {
    const bool exists = operation.model_part >= 0 &&
                        operation.model_part < static_cast<int>(schedule.placement.size()) &&
                        operation.micro_batch >= 0 && operation.micro_batch < schedule.micro_batches;
    if (!exists) {
        refuse("a " + text(operation), "name a model part and a micro-batch that exist");
    }
    const int own_device = schedule.placement[static_cast<std::size_t>(operation.model_part)];
    if (own_device != static_cast<int>(device)) {
        refuse("a " + text(operation) + " on device " + std::to_string(device),
               "run a model part on its own device, " + std::to_string(own_device));
    }
}

}  // namespace

std::string text(const Operation& operation) {
    return std::string(operation.kind == OperationKind::forward ? "forward" : "backward") + " of micro-batch " +
           std::to_string(operation.micro_batch) + " on model part " + std::to_string(operation.model_part);
}

void refuse(const std::string& value, const std::string& rule) {
    throw invalid_argument("schedule", value, rule);
}

void require_complete(const PipelineSchedule& schedule) {
    require_placement(schedule);
    std::vector<bool> given(2 * schedule.placement.size() * static_cast<std::size_t>(schedule.micro_batches), false);
    std::size_t count = 0;
    for (std::size_t device = 0; device < schedule.operations.size(); ++device) {
        for (const Operation& operation : schedule.operations[device]) {
            require_on_its_device(schedule, operation, device);
            const std::size_t index = place(schedule, operation);
            if (given[index]) {
                refuse("a second " + text(operation), "have every operation once");
            }
            given[index] = true;
            ++count;
        }
    }
    if (count != given.size()) {
        refuse(std::to_string(count) + " operations",
               "have a forward and a backward of every model part and micro-batch, " + std::to_string(given.size()) +
                   " in all");
    }
}

}  // namespace shardlab::pipeline
