#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <shardlab/pipeline/analysis.hpp>

#include "costs.hpp"

namespace shardlab {
namespace {

/// Finds operations in a simulated schedule by when they ended.
class Finder {
public:
    Finder(const PipelineSchedule& schedule, const PipelineTimeline& timeline, const PipelineCosts& costs)
        : schedule_(schedule), timeline_(timeline), costs_(costs) {}

    const Span& span(const OperationPlace& place) const {
        return timeline_.spans[static_cast<std::size_t>(place.device)][place.position];
    }

    const Operation& operation(const OperationPlace& place) const {
        return schedule_.operations[static_cast<std::size_t>(place.device)][place.position];
    }

    OperationPlace last() const {
        OperationPlace latest;
        double end = -1;
        for (std::size_t device = 0; device < timeline_.spans.size(); ++device) {
            const std::vector<Span>& spans = timeline_.spans[device];
            if (!spans.empty() && spans.back().end > end) {
                end = spans.back().end;
                latest = {static_cast<int>(device), spans.size() - 1};
            }
        }
        return latest;
    }

    /// What let an operation begin: the input that arrived when it did, or else the operation before it.
    bool step_back(OperationPlace& place) const {
        const OperationPlace first = first_of_pair(place);
        const double start = span(first).start;
        for (std::size_t position = first.position;
             position <= first.position + (operation(first).overlaps_next ? 1 : 0); ++position) {
            if (const auto sender = sender_at(operation({first.device, position}), first.device, start)) {
                place = *sender;
                return true;
            }
        }
        if (first.position == 0) {
            return false;
        }
        place = {first.device, first.position - 1};
        return true;
    }

private:
    OperationPlace first_of_pair(const OperationPlace& place) const {
        const bool second = place.position > 0 && operation({place.device, place.position - 1}).overlaps_next;
        return {place.device, place.position - (second ? 1 : 0)};
    }

    /// The operation on another device whose result arrived at `start`, if one did.
    std::optional<OperationPlace> sender_at(const Operation& receiver, int device, double start) const {
        if (receiver.kind == OperationKind::weight_gradient) {
            return std::nullopt;
        }
        const bool gradient = receiver.kind != OperationKind::forward;
        const int part = receiver.model_part + (gradient ? 1 : -1);
        const int later_part = std::max(part, receiver.model_part);
        if (part < 0 || part >= schedule_.parts() ||
            pipeline::is_relaxed(schedule_, costs_, later_part, receiver.micro_batch)) {
            return std::nullopt;
        }
        const int source = schedule_.device(part, receiver.micro_batch);
        if (source == device) {
            return std::nullopt;
        }
        return ended_at(source, start - costs_.communication, gradient, part, receiver.micro_batch);
    }

    /// Ends rise along a list; a little is left for the rounding of `end`.
    std::optional<OperationPlace> ended_at(int device, double end, bool gradient, int part, int micro_batch) const {
        const std::vector<Span>& spans = timeline_.spans[static_cast<std::size_t>(device)];
        const double rounding = 1e-12 * timeline_.makespan;
        auto span = std::lower_bound(spans.begin(), spans.end(), end - rounding,
                                     [](const Span& one, double time) { return one.end < time; });
        for (; span != spans.end() && span->end <= end + rounding; ++span) {
            const OperationPlace place{device, static_cast<std::size_t>(span - spans.begin())};
            const Operation& candidate = operation(place);
            const bool is_gradient = candidate.kind != OperationKind::forward;
            if (candidate.kind != OperationKind::weight_gradient && is_gradient == gradient &&
                candidate.model_part == part && candidate.micro_batch == micro_batch) {
                return place;
            }
        }
        return std::nullopt;
    }

    const PipelineSchedule& schedule_;
    const PipelineTimeline& timeline_;
    const PipelineCosts& costs_;
};

}  // namespace

std::vector<OperationPlace> critical_path(const PipelineSchedule& schedule, const PipelineTimeline& timeline,
                                          const PipelineCosts& costs) {
    const Finder finder(schedule, timeline, costs);
    OperationPlace place = finder.last();
    std::vector<OperationPlace> path{place};
    while (finder.step_back(place)) {
        path.push_back(place);
    }
    std::reverse(path.begin(), path.end());
    return path;
}

}  // namespace shardlab
