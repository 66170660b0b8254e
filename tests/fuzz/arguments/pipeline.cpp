// Pipelines: the builders, and the simulation of lists made by hand against a slow one.

#include <algorithm>
#include <cmath>

#include <shardlab/pipeline.hpp>

#include "functions.hpp"

namespace fuzz {
namespace {

using shardlab::Operation;
using shardlab::OperationKind;
using shardlab::OperationTimes;
using shardlab::PipelineCosts;
using shardlab::PipelineRequest;
using shardlab::PipelineSchedule;
using shardlab::PipelineTimeline;
using shardlab::Span;

OperationTimes times_of(Arguments& arguments) {
    OperationTimes times{.forward = arguments.number(),
                         .backward = arguments.number(),
                         .input_gradient = arguments.number(),
                         .weight_gradient = arguments.number(),
                         .overlapped = std::nullopt};
    if (arguments.flag()) {
        times.overlapped = arguments.number();
    }
    return times;
}

PipelineCosts costs_of(Arguments& arguments) {
    PipelineCosts costs;
    costs.times = times_of(arguments);
    costs.communication = arguments.number();
    costs.blocking_sends = arguments.flag();
    costs.recompute = arguments.flag();
    costs.relaxed_wrap = arguments.flag();
    costs.gradient_sync = arguments.flag() ? arguments.number() : 0;
    for (int part = arguments.within(0, 3); part > 0; --part) {
        costs.part_times.push_back(times_of(arguments));
    }
    return costs;
}

void require_timeline(const PipelineSchedule& schedule, const PipelineTimeline& timeline) {
    require_finite({timeline.makespan, timeline.bubble_of_total, timeline.bubble_of_ideal, timeline.messages});
    require(timeline.bubble_of_total >= 0 && timeline.bubble_of_total <= 1, "idle time is 0 to 1 of the total");
    require(timeline.bubble_of_ideal >= 0, "idle time is no less than none");
    require(timeline.bubble_rate >= 0 && timeline.bubble_rate <= 1, "the bubble rate is 0 to 1");
    require(timeline.spans.size() == schedule.operations.size(), "every device has its times");
    for (std::size_t device = 0; device < timeline.spans.size(); ++device) {
        require(timeline.spans[device].size() == schedule.operations[device].size(), "every operation has its time");
        const auto operations = static_cast<int>(schedule.operations[device].size());
        const int peak = timeline.peak_in_flight[device];
        require(peak >= (operations > 0 ? 1 : 0) && peak <= operations / 2, "as many in flight as there are forwards");
        require(timeline.idle_per_device[device].total() >= 0, "idle time is no less than none");
        double free_at = 0;
        for (std::size_t position = 0; position < timeline.spans[device].size(); ++position) {
            const Span& span = timeline.spans[device][position];
            const bool of_pair = position > 0 && schedule.operations[device][position - 1].overlaps_next;
            require(of_pair || span.start >= free_at, "a device does one thing at a time");
            require(span.end >= span.start, "an operation ends after it starts");
            free_at = span.end;
        }
        require(free_at <= timeline.makespan, "nothing ends after the makespan");
    }
}

/// Model parts anywhere, each device with its operations in any order; complete unless it is damaged.
PipelineSchedule lists_of(Arguments& arguments) {
    PipelineSchedule schedule;
    schedule.stages = arguments.within(1, 4);
    schedule.micro_batches = arguments.within(1, 4);
    schedule.operations.resize(static_cast<std::size_t>(schedule.stages));
    schedule.placement.resize(static_cast<std::size_t>(arguments.within(0, 6)));
    for (int& device : schedule.placement) {
        device = arguments.within(0, schedule.stages - 1);
    }
    const auto parts = static_cast<int>(schedule.placement.size());
    for (int micro_batch = 0; micro_batch < schedule.micro_batches; ++micro_batch) {
        for (int i = 0; i < 2 * parts; ++i) {
            const bool forward = i < parts;
            const int part = forward ? i : 2 * parts - 1 - i;
            const int device = schedule.placement[static_cast<std::size_t>(part)];
            schedule.operations[static_cast<std::size_t>(device)].push_back(
                {forward ? OperationKind::forward : OperationKind::backward, part, micro_batch});
        }
    }
    for (std::vector<Operation>& list : schedule.operations) {
        const auto last = static_cast<int>(list.size()) - 1;
        for (int swaps = list.empty() ? 0 : arguments.within(0, 6); swaps > 0; --swaps) {
            std::swap(list[static_cast<std::size_t>(arguments.within(0, last))],
                      list[static_cast<std::size_t>(arguments.within(0, last))]);
        }
    }
    return schedule;
}

/// Breaks one thing.
void damage(Arguments& arguments, PipelineSchedule& schedule) {
    std::vector<Operation>& list =
        schedule.operations[static_cast<std::size_t>(arguments.within(0, schedule.stages - 1))];
    const Operation any{static_cast<OperationKind>(arguments.within(0, 3)), arguments.whole(), arguments.whole(),
                        arguments.flag()};
    switch (arguments.within(0, 7)) {
        case 0:
            schedule.stages = arguments.whole();
            break;
        case 1:
            schedule.micro_batches = arguments.whole();
            break;
        case 2:
            schedule.placement.push_back(arguments.whole());
            break;
        case 3:
            schedule.operations.resize(static_cast<std::size_t>(arguments.within(0, 8)));
            break;
        case 4:
            list.push_back(any);
            break;
        case 5:
            schedule.replicas = arguments.whole();
            break;
        default:
            if (!list.empty()) {
                const int last = static_cast<int>(list.size()) - 1;
                const Operation second = list[static_cast<std::size_t>(arguments.within(0, last))];
                list[static_cast<std::size_t>(arguments.within(0, last))] = arguments.flag() ? any : second;
            }
    }
}

/// Whether there is a forward and a backward of every model part and micro-batch, each once and on its own device, and
/// nothing else.
bool is_complete(const PipelineSchedule& schedule) {
    const std::vector<int>& placement = schedule.placement;
    const bool sizes_fit = schedule.stages > 0 && schedule.micro_batches > 0 && schedule.replicas == 1 &&
                           !placement.empty() &&
                           schedule.operations.size() == static_cast<std::size_t>(schedule.stages);
    const auto exists = [&](int device) { return device >= 0 && device < schedule.stages; };
    if (!sizes_fit || !std::all_of(placement.begin(), placement.end(), exists)) {
        return false;
    }
    std::size_t given = 0;
    for (const std::vector<Operation>& list : schedule.operations) {
        given += list.size();
    }
    std::size_t needed = 0;
    for (int part = 0; part < static_cast<int>(placement.size()); ++part) {
        const auto device = static_cast<std::size_t>(placement[static_cast<std::size_t>(part)]);
        const std::vector<Operation>& list = schedule.operations[device];
        for (int micro_batch = 0; micro_batch < schedule.micro_batches; ++micro_batch) {
            for (const OperationKind kind : {OperationKind::forward, OperationKind::backward}) {
                ++needed;
                if (std::count(list.begin(), list.end(), Operation{kind, part, micro_batch}) != 1) {
                    return false;
                }
            }
        }
    }
    return given == needed;
}

bool has_pairs(const PipelineSchedule& schedule) {
    const auto overlaps = [](const Operation& operation) { return operation.overlaps_next; };
    return std::any_of(schedule.operations.begin(), schedule.operations.end(), [&](const std::vector<Operation>& list) {
        return std::any_of(list.begin(), list.end(), overlaps);
    });
}

/// A simulation that asks every device again and again. It expects a complete schedule.
class SlowSimulation {
public:
    SlowSimulation(const PipelineSchedule& schedule, const PipelineCosts& costs)
        : schedule_(schedule), costs_(costs), spans_(schedule.operations.size()) {
        bool moved = true;
        while (moved) {
            moved = false;
            for (std::size_t device = 0; device < spans_.size(); ++device) {
                moved = ran_next(device) || moved;
            }
        }
    }

    const std::vector<std::vector<Span>>& spans() const { return spans_; }

    bool finished() const {
        for (std::size_t device = 0; device < spans_.size(); ++device) {
            if (spans_[device].size() != schedule_.operations[device].size()) {
                return false;
            }
        }
        return true;
    }

private:
    bool ran_next(std::size_t device) {
        const std::vector<Operation>& list = schedule_.operations[device];
        std::vector<Span>& done = spans_[device];
        if (done.size() == list.size()) {
            return false;
        }
        const Operation& operation = list[done.size()];
        double start = done.empty() ? 0 : done.back().end;
        for (const Operation& needed : needs(operation)) {
            const std::optional<double> arrived = arrival(needed, device);
            if (!arrived) {
                return false;
            }
            start = std::max(start, *arrived);
        }
        const bool forward = operation.kind == OperationKind::forward;
        const OperationTimes& times = costs_.times;
        done.push_back({start, start + (forward ? times.forward : times.backward)});
        return true;
    }

    std::vector<Operation> needs(const Operation& operation) const {
        std::vector<Operation> list;
        const OperationKind kind = operation.kind;
        const int part = operation.model_part;
        const int micro_batch = operation.micro_batch;
        if (kind == OperationKind::forward && part > 0) {
            list.push_back({kind, part - 1, micro_batch});
        }
        if (kind == OperationKind::backward) {
            list.push_back({OperationKind::forward, part, micro_batch});
            if (part + 1 < static_cast<int>(schedule_.placement.size())) {
                list.push_back({kind, part + 1, micro_batch});
            }
        }
        return list;
    }

    /// When the result of an operation is on a device.
    std::optional<double> arrival(const Operation& operation, std::size_t device) const {
        const auto source =
            static_cast<std::size_t>(schedule_.placement[static_cast<std::size_t>(operation.model_part)]);
        const std::vector<Operation>& list = schedule_.operations[source];
        const auto place = static_cast<std::size_t>(std::find(list.begin(), list.end(), operation) - list.begin());
        if (place >= spans_[source].size()) {
            return std::nullopt;
        }
        return spans_[source][place].end + (source == device ? 0 : costs_.communication);
    }

    const PipelineSchedule& schedule_;
    const PipelineCosts& costs_;
    std::vector<std::vector<Span>> spans_;
};

void require_equal_spans(const std::vector<std::vector<Span>>& a, const std::vector<std::vector<Span>>& b) {
    for (std::size_t device = 0; device < a.size(); ++device) {
        for (std::size_t i = 0; i < a[device].size(); ++i) {
            require(a[device][i].start == b[device][i].start && a[device][i].end == b[device][i].end,
                    "an operation runs when the slow simulation runs it");
        }
    }
}

}  // namespace

PipelineRequest request_of(Arguments& arguments) {
    PipelineRequest request;
    request.schedule = arguments.text({"gpipe", "1f1b", "interleaved", "looped-bfs", "zb-h1", "zb-h2", "zb-1p", "zb-2p",
                                       "zb-v", "dualpipe", "dualpipe-v"});
    request.stages = arguments.whole();
    request.micro_batches = arguments.whole();
    if (arguments.flag()) {
        request.chunks = arguments.whole();
    }
    if (arguments.flag()) {
        request.group_size = arguments.whole();
    }
    if (arguments.flag()) {
        request.memory_limit = arguments.number();
    }
    if (arguments.flag()) {
        request.weight_gradient_share = arguments.number();
    }
    request.rules = static_cast<shardlab::FrameworkRules>(arguments.within(0, 2));
    return request;
}

void require_analysis(const PipelineSchedule& schedule, const PipelineTimeline& timeline, const PipelineCosts& costs) {
    require_finite({shardlab::makespan_lower_bound(schedule, costs)});
    require(!critical_path(schedule, timeline, costs).empty(), "something was critical");
    for (int device = 0; device < schedule.stages; ++device) {
        for (const shardlab::HeldActivations& step : activations_over_time(schedule, timeline, device)) {
            require(step.held >= 0, "no less than nothing is held");
        }
    }
}

void pipeline(Arguments& arguments) {
    PipelineRequest request = request_of(arguments);
    const PipelineCosts costs = costs_of(arguments);
    request.times = costs.times;
    request.communication = costs.communication;
    const double chunks = request.chunks.value_or(2);
    if (costly(3.0 * request.stages * request.micro_batches * chunks, shardlab::most_operations)) {
        return;
    }
    const auto schedule =
        attempt({"schedule", "stages", "micro_batches", "chunks", "group_size", "memory_limit", "weight_gradient_share",
                 "forward", "backward", "input_gradient", "weight_gradient", "overlapped", "communication"},
                [&] { return shardlab::pipeline_schedule(request); });
    if (!schedule) {
        return;
    }
    const auto timeline = attempt({"forward", "backward", "input_gradient", "weight_gradient", "overlapped",
                                   "communication", "gradient_sync", "part_times"},
                                  [&] { return simulate(*schedule, costs); });
    if (timeline) {
        require_timeline(*schedule, *timeline);
        require_analysis(*schedule, *timeline, costs);
        const auto form = pipeline_closed_form(request, costs);
        require_finite({form ? form->makespan : 0});
    }
}

void pipeline_lists(Arguments& arguments) {
    const bool damaged = arguments.within(0, 3) == 0;
    PipelineCosts costs;
    if (!arguments.flag()) {
        costs.times = times_of(arguments);
        costs.communication = arguments.number();
    }
    PipelineSchedule schedule = lists_of(arguments);
    if (damaged) {
        damage(arguments, schedule);
        if (costly(2.0 * static_cast<double>(schedule.placement.size()) * schedule.micro_batches,
                   shardlab::most_operations)) {
            return;
        }
    }
    const auto timeline = attempt({"schedule", "stages", "micro_batches", "operations", "forward", "backward",
                                   "input_gradient", "weight_gradient", "overlapped", "communication"},
                                  [&] { return simulate(schedule, costs); });
    const auto steps =
        attempt({"schedule", "stages", "micro_batches", "operations"}, [&] { return shardlab::unit_steps(schedule); });
    require(steps.has_value() || !timeline.has_value(), "what is refused in steps is refused in time");
    if (timeline) {
        require_timeline(schedule, *timeline);
    }
    if (has_pairs(schedule)) {
        return;  // which the slow simulation does not know
    }
    if (!is_complete(schedule)) {
        require(!steps.has_value(), "a schedule that is not complete is refused");
        return;
    }
    const SlowSimulation slow(schedule, costs);
    require(slow.finished() == steps.has_value(), "exactly the lists that wait for each other are refused");
    if (timeline) {
        require_equal_spans(timeline->spans, slow.spans());
    }
}

}  // namespace fuzz
