#include "costs.hpp"

#include <string>

#include <shardlab/errors.hpp>

namespace shardlab {
namespace {

void require_times(const OperationTimes& times) {
    require_between("forward", times.forward, shortest_time, longest_time);
    require_between("backward", times.backward, shortest_time, longest_time);
    require_between("input_gradient", times.input_gradient, shortest_time, longest_time);
    require_between("weight_gradient", times.weight_gradient, shortest_time, longest_time);
    if (times.overlapped) {
        require_between("overlapped", *times.overlapped, shortest_time, longest_time);
    }
}

}  // namespace

OperationTimes split_times(double forward, double input_gradient, double weight_gradient) {
    return {.forward = forward,
            .backward = input_gradient + weight_gradient,
            .input_gradient = input_gradient,
            .weight_gradient = weight_gradient,
            .overlapped = std::nullopt};
}

OperationTimes whole_times(double forward, double backward) {
    return {.forward = forward,
            .backward = backward,
            .input_gradient = backward / 2,
            .weight_gradient = backward / 2,
            .overlapped = std::nullopt};
}

PipelineCosts uniform_costs(double forward, double backward, double communication) {
    PipelineCosts costs;
    costs.times = whole_times(forward, backward);
    costs.communication = communication;
    return costs;
}

namespace pipeline {

void require_costs(const PipelineSchedule& schedule, const PipelineCosts& costs) {
    require_times(costs.times);
    for (const OperationTimes& times : costs.part_times) {
        require_times(times);
    }
    require_between("communication", costs.communication, 0, longest_time);
    require_between("gradient_sync", costs.gradient_sync, 0, longest_time);
    if (!costs.part_times.empty() && costs.part_times.size() != static_cast<std::size_t>(schedule.parts())) {
        throw invalid_argument(
            "part_times", std::to_string(costs.part_times.size()) + " times",
            "be left out, or one for each of the " + std::to_string(schedule.parts()) + " model parts");
    }
}

Durations::Durations(const PipelineSchedule& schedule, const PipelineCosts& costs) {
    const auto parts = static_cast<std::size_t>(schedule.parts());
    parts_.reserve(parts);
    for (std::size_t part = 0; part < parts; ++part) {
        const OperationTimes& times = costs.part_times.empty() ? costs.times : costs.part_times[part];
        const double again = costs.recompute ? times.forward : 0;
        parts_.push_back({{times.forward, times.backward + again, times.input_gradient + again, times.weight_gradient},
                          again,
                          times.overlapped});
    }
}

double Durations::of_pair(const Operation& first, const Operation& second) const {
    const bool forward_first = first.kind == OperationKind::forward;
    const Operation& forward = forward_first ? first : second;
    const Operation& backward = forward_first ? second : first;
    const std::optional<double>& overlapped = parts_[static_cast<std::size_t>(forward.model_part)].overlapped;
    if (forward.kind == OperationKind::forward && backward.kind == OperationKind::backward && overlapped) {
        return *overlapped + parts_[static_cast<std::size_t>(backward.model_part)].again;
    }
    return of(first) + of(second);
}

}  // namespace pipeline
}  // namespace shardlab
