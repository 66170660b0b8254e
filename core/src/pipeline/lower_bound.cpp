#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include <shardlab/pipeline/analysis.hpp>

#include "costs.hpp"

namespace shardlab {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// The shortest that operations on a model part take in a schedule, overlapped ones included.
struct Shortest {
    double forward = never;
    double gradient = never;         ///< of a backward or an input gradient
    double weight_gradient = never;  ///< 0 where a backward is whole
};

/// What is read from the lists.
struct Work {
    std::vector<Shortest> parts;
    std::vector<double> busy;                ///< for each device
    std::vector<bool> has_weight_gradients;  ///< for each device
};

void note(Work& work, const Operation& operation, double duration, std::size_t device) {
    Shortest& part = work.parts[static_cast<std::size_t>(operation.model_part)];
    switch (operation.kind) {
        case OperationKind::forward:
            part.forward = std::min(part.forward, duration);
            break;
        case OperationKind::backward:
            part.gradient = std::min(part.gradient, duration);
            part.weight_gradient = 0;
            break;
        case OperationKind::input_gradient:
            part.gradient = std::min(part.gradient, duration);
            break;
        case OperationKind::weight_gradient:
            part.weight_gradient = std::min(part.weight_gradient, duration);
            work.has_weight_gradients[device] = true;
            break;
    }
}

Work work_of(const PipelineSchedule& schedule, const PipelineCosts& costs) {
    const pipeline::Durations durations(schedule, costs);
    const std::size_t devices = schedule.operations.size();
    Work work{std::vector<Shortest>(static_cast<std::size_t>(schedule.parts())), std::vector<double>(devices, 0),
              std::vector<bool>(devices, false)};
    for (std::size_t device = 0; device < devices; ++device) {
        const std::vector<Operation>& list = schedule.operations[device];
        for (std::size_t position = 0; position < list.size(); ++position) {
            const Operation& operation = list[position];
            const bool pair = operation.overlaps_next;
            const double duration = pair ? durations.of_pair(operation, list[position + 1]) : durations.of(operation);
            work.busy[device] += duration;
            note(work, operation, duration, device);
            if (pair) {
                ++position;
                note(work, list[position], duration, device);
            }
        }
    }
    return work;
}

/// A replica's ways of a micro-batch, as short as they can be.
struct Ways {
    std::vector<double> to;    ///< for each part, until its forward can start
    std::vector<double> from;  ///< for each part, from the end of its gradient to that of the first part's
    double whole = 0;          ///< from the first forward to the end of the first part's whole backward
};

Ways ways_of(const PipelineSchedule& schedule, const Work& work, double communication, int replica) {
    const auto parts = work.parts.size();
    const auto first =
        schedule.placement.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(replica) * parts);
    const auto hop_before = [&](std::size_t part) {
        const auto place = first + static_cast<std::ptrdiff_t>(part);
        return part > 0 && *place != *(place - 1) ? communication : 0;
    };
    Ways ways;
    double down = 0;
    double up = 0;
    for (std::size_t part = 0; part < parts; ++part) {
        down += hop_before(part);
        up += hop_before(part);
        ways.to.push_back(down);
        ways.from.push_back(up);
        down += work.parts[part].forward;
        up += work.parts[part].gradient;
    }
    ways.whole = down + up + work.parts.front().weight_gradient;
    return ways;
}

/// The shortest of a replica's ways to a device, and from it.
struct Ends {
    double before = never;
    double after = never;
};

}  // namespace

double makespan_lower_bound(const PipelineSchedule& schedule, const PipelineCosts& costs) {
    require_complete(schedule);
    pipeline::require_costs(schedule, costs);
    const Work work = work_of(schedule, costs);
    std::vector<Ends> ends(schedule.operations.size());
    double bound = 0;
    for (int replica = 0; replica < schedule.replicas; ++replica) {
        const Ways ways = ways_of(schedule, work, costs.communication, replica);
        bound = std::max(bound, ways.whole + costs.gradient_sync);
        for (std::size_t part = 0; part < ways.to.size(); ++part) {
            const std::size_t place = static_cast<std::size_t>(replica) * ways.to.size() + part;
            Ends& of_device = ends[static_cast<std::size_t>(schedule.placement[place])];
            of_device.before = std::min(of_device.before, costs.relaxed_wrap ? 0 : ways.to[part]);
            of_device.after = std::min(of_device.after, costs.relaxed_wrap ? 0 : ways.from[part]);
        }
    }
    for (std::size_t device = 0; device < ends.size(); ++device) {
        if (work.busy[device] > 0) {
            const double after = work.has_weight_gradients[device] ? 0 : ends[device].after;
            // Whichever device comes last, this one or that of the first part, synchronises after it.
            bound = std::max(bound, ends[device].before + work.busy[device] + after + costs.gradient_sync);
        }
    }
    return bound;
}

}  // namespace shardlab
