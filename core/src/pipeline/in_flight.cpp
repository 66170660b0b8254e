#include <algorithm>
#include <cstddef>
#include <vector>

#include <shardlab/pipeline/in_flight.hpp>

namespace shardlab {
namespace {

/// A change of one of a device's counts.
struct Change {
    double time;
    std::size_t part;  ///< among the parts of the device
    int whole;
    int waiting;
};

/// For each model part, its place among the parts of a device.
std::vector<std::size_t> places(const std::vector<int>& parts, int model_parts) {
    std::vector<std::size_t> result(static_cast<std::size_t>(model_parts));
    for (std::size_t place = 0; place < parts.size(); ++place) {
        result[static_cast<std::size_t>(parts[place])] = place;
    }
    return result;
}

/// In the order of time; what a device lets go at a time comes before what it takes next, as in its list.
std::vector<Change> changes_of(const std::vector<Operation>& list, const std::vector<Span>& spans,
                               const std::vector<std::size_t>& place) {
    std::vector<Change> result;
    result.reserve(list.size());
    for (std::size_t position = 0; position < list.size(); ++position) {
        const std::size_t part = place[static_cast<std::size_t>(list[position].model_part)];
        const Span& span = spans[position];
        switch (list[position].kind) {
            case OperationKind::forward:
                result.push_back({span.start, part, 1, 0});
                break;
            case OperationKind::backward:
                result.push_back({span.end, part, -1, 0});
                break;
            case OperationKind::input_gradient:
                result.push_back({span.end, part, -1, 1});
                break;
            case OperationKind::weight_gradient:
                result.push_back({span.end, part, 0, -1});
                break;
        }
    }
    std::stable_sort(result.begin(), result.end(), [](const Change& a, const Change& b) { return a.time < b.time; });
    return result;
}

bool at_most(const std::vector<int>& a, const std::vector<int>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), [](int x, int y) { return x <= y; });
}

bool at_most(const HeldChunks& a, const HeldChunks& b) {
    return at_most(a.whole, b.whole) && at_most(a.waiting, b.waiting);
}

/// Adds a moment, unless another holds as much of everything.
void add(std::vector<HeldChunks>& worst, const HeldChunks& now) {
    if (std::any_of(worst.begin(), worst.end(), [&](const HeldChunks& other) { return at_most(now, other); })) {
        return;
    }
    std::erase_if(worst, [&](const HeldChunks& other) { return at_most(other, now); });
    worst.push_back(now);
}

std::vector<HeldChunks> worst_moments(const std::vector<Change>& changes, std::size_t parts) {
    HeldChunks now{.whole = std::vector<int>(parts), .waiting = std::vector<int>(parts)};
    std::vector<HeldChunks> worst;
    for (const Change& change : changes) {
        now.whole[change.part] += change.whole;
        now.waiting[change.part] += change.waiting;
        if (change.whole > 0 || change.waiting > 0) {
            add(worst, now);
        }
    }
    return worst;
}

}  // namespace

PipelineInFlight pipeline_in_flight(const PipelineSchedule& schedule, const PipelineTimeline& timeline) {
    const auto devices = static_cast<std::size_t>(schedule.stages);
    PipelineInFlight result{.parts = std::vector<std::vector<int>>(devices),
                            .worst = {},
                            .model_parts = schedule.parts(),
                            .bubble_of_total = timeline.bubble_of_total};
    for (std::size_t index = 0; index < schedule.placement.size(); ++index) {
        result.parts[static_cast<std::size_t>(schedule.placement[index])].push_back(static_cast<int>(index) %
                                                                                    schedule.parts());
    }
    for (std::size_t device = 0; device < devices; ++device) {
        std::vector<int>& parts = result.parts[device];
        std::sort(parts.begin(), parts.end());
        const std::vector<Change> changes =
            changes_of(schedule.operations[device], timeline.spans[device], places(parts, result.model_parts));
        result.worst.push_back(worst_moments(changes, parts.size()));
    }
    return result;
}

const PipelineInFlight& InFlightCache::of(const std::string& schedule, int stages, int micro_batches,
                                          const std::optional<int>& chunks) {
    const auto key = std::make_tuple(schedule, stages, micro_batches, chunks);
    const auto found = simulated_.find(key);
    if (found != simulated_.end()) {
        return found->second;
    }
    PipelineRequest request;
    request.schedule = schedule;
    request.stages = stages;
    request.micro_batches = micro_batches;
    request.chunks = chunks;
    const PipelineSchedule built = pipeline_schedule(request);
    PipelineCosts costs;
    costs.times = request.times;
    return simulated_.emplace(key, pipeline_in_flight(built, simulate(built, costs))).first->second;
}

}  // namespace shardlab
