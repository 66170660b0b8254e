#include <algorithm>
#include <cstddef>
#include <vector>

#include <shardlab/errors.hpp>
#include <shardlab/pipeline/analysis.hpp>

namespace shardlab {
namespace {

/// How much more a device holds from a time on.
struct Change {
    double time;
    double amount;
};

/// In the order of the list, so that of changes at one time what a device lets go comes before what it takes next.
std::vector<Change> changes(const std::vector<Operation>& list, const std::vector<Span>& spans,
                            const ActivationSize& size) {
    std::vector<Change> result;
    result.reserve(list.size());
    for (std::size_t position = 0; position < list.size(); ++position) {
        const Span& span = spans[position];
        switch (list[position].kind) {
            case OperationKind::forward:
                result.push_back({span.start, size.whole});
                break;
            case OperationKind::backward:
                result.push_back({span.end, -size.whole});
                break;
            case OperationKind::input_gradient:
                result.push_back({span.end, size.after_input_gradient - size.whole});
                break;
            case OperationKind::weight_gradient:
                result.push_back({span.end, -size.after_input_gradient});
                break;
        }
    }
    return result;
}

}  // namespace

std::vector<HeldActivations> activations_over_time(const PipelineSchedule& schedule, const PipelineTimeline& timeline,
                                                   int device, const ActivationSize& size) {
    require_int("device", device, 0, schedule.stages - 1);
    require_between("whole", size.whole, 0, largest_count);
    require_between("after_input_gradient", size.after_input_gradient, 0, size.whole);
    const auto index = static_cast<std::size_t>(device);
    std::vector<Change> steps = changes(schedule.operations[index], timeline.spans[index], size);
    // Only a pair that overlaps can be out of order: its first ends after its second starts.
    std::stable_sort(steps.begin(), steps.end(), [](const Change& a, const Change& b) { return a.time < b.time; });

    std::vector<HeldActivations> result;
    result.reserve(steps.size());
    double held = 0;
    for (const Change& step : steps) {
        if (step.amount != 0) {
            held += step.amount;
            result.push_back({step.time, held});
        }
    }
    return result;
}

}  // namespace shardlab
