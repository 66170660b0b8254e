// The automatic schedules ZB-1P and ZB-2P: greedy in real time, within a memory limit.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include <shardlab/errors.hpp>
#include <shardlab/pipeline/analysis.hpp>
#include <shardlab/pipeline/builders.hpp>

#include "../../refuse.hpp"
#include "../costs.hpp"
#include "parts.hpp"

namespace shardlab {
namespace {

constexpr double most_searched_operations = 1048576;
// Sums of shares are not exact.
constexpr double rounding = 1e-9;
constexpr double never = std::numeric_limits<double>::infinity();

/// What is tried.
struct Heuristic {
    double shortest_gap = 0;  ///< a weight gradient fills gaps from this share of its own time on
    double first_delay = 0;   ///< the first input gradient may be kept waiting for this share of a forward
};

/// What a schedule is made for.
struct Target {
    int stages = 0;
    int micro_batches = 0;
    OperationTimes times;
    double communication = 0;
    MemoryLimit limit;
};

/// A stage while its list is being written.
struct Stage {
    std::vector<Operation> list;
    std::vector<double> activations;  ///< when the inputs of forwards arrive, as far as they have been sent
    std::vector<double> gradients;    ///< when the inputs of input gradients arrive
    int forwards = 0;
    int input_gradients = 0;
    int weight_gradients = 0;
    double free_at = 0;
    bool went_forward = false;  ///< its last operation but weight gradients

    double held(double weight_gradient_share) const {
        return forwards - input_gradients + weight_gradient_share * (input_gradients - weight_gradients);
    }
};

/// Writes all lists in the order of time: whenever a stage becomes free or something arrives, it decides what to do
/// with what it then knows.
class Greedy {
public:
    Greedy(const Target& target, const Heuristic& heuristic)
        : target_(target), heuristic_(heuristic), stages_(static_cast<std::size_t>(target.stages)) {
        for (Stage& stage : stages_) {
            stage.list.reserve(3 * static_cast<std::size_t>(target.micro_batches));
        }
        stages_.front().activations.assign(static_cast<std::size_t>(target.micro_batches), 0);
    }

    PipelineSchedule run() {
        for (int index = 0; index < target_.stages; ++index) {
            events_.emplace(0, index);
        }
        while (!events_.empty()) {
            const auto [now, index] = events_.top();
            events_.pop();
            Stage& stage = stages_[static_cast<std::size_t>(index)];
            if (now >= stage.free_at && stage.weight_gradients < target_.micro_batches) {
                decide(stage, index, now);
            }
        }
        PipelineSchedule schedule =
            pipeline::empty_schedule(target_.stages, target_.micro_batches, pipeline::looped(target_.stages, 1));
        for (std::size_t index = 0; index < stages_.size(); ++index) {
            schedule.operations[index] = std::move(stages_[index].list);
        }
        return schedule;
    }

private:
    using Event = std::pair<double, int>;  // a time, and the stage that has something to decide then

    void decide(Stage& stage, int index, double now) {
        const double activation = next_activation(stage, index, now);
        const double gradient = next_gradient(stage, now);
        const bool can_forward = activation <= now;
        const bool can_backward = gradient <= now;
        if (can_backward && !(can_forward && !stage.went_forward)) {
            run_input_gradient(stage, index, now);
        } else if (can_forward) {
            run_forward(stage, index, now);
        } else if (fills_gap(stage, now, std::min(activation, gradient))) {
            run_weight_gradient(stage, index, now);
        }
    }

    /// When the next forward could begin; never where there is none, no room for it, or no time before the first
    /// input gradient.
    double next_activation(const Stage& stage, int index, double now) const {
        const auto next = static_cast<std::size_t>(stage.forwards);
        const bool room = has_room(stage);
        if (next >= stage.activations.size() || !room) {
            return never;
        }
        const bool first_is_due =
            stage.forwards > 0 && stage.input_gradients == 0 &&
            now + target_.times.forward > first_gradient(index) + heuristic_.first_delay * target_.times.forward;
        return first_is_due ? never : stage.activations[next];
    }

    bool has_room(const Stage& stage) const {
        return stage.held(target_.limit.weight_gradient_share) + 1 <= target_.limit.chunks + rounding;
    }

    double next_gradient(const Stage& stage, double now) const {
        const auto next = static_cast<std::size_t>(stage.input_gradients);
        if (stage.input_gradients == stage.forwards) {
            return never;
        }
        if (&stage == &stages_.back()) {
            return now;
        }
        return next < stage.gradients.size() ? stage.gradients[next] : never;
    }

    /// The earliest that micro-batch 0's gradient can be on a stage.
    double first_gradient(int index) const {
        const int hops_down = target_.stages - 1;
        const int hops_up = target_.stages - 1 - index;
        return target_.stages * target_.times.forward + hops_down * target_.communication +
               hops_up * (target_.times.input_gradient + target_.communication);
    }

    /// A weight gradient that waits is run in a gap that is long enough, and where it must make room.
    bool fills_gap(const Stage& stage, double now, double next) const {
        if (stage.weight_gradients == stage.input_gradients) {
            return false;
        }
        return !has_room(stage) || next - now >= target_.times.weight_gradient * heuristic_.shortest_gap;
    }

    void run_forward(Stage& stage, int index, double now) {
        begin(stage, index, now, {OperationKind::forward, index, stage.forwards++}, target_.times.forward);
        stage.went_forward = true;
        if (index + 1 < target_.stages) {
            send(stages_[static_cast<std::size_t>(index) + 1].activations, index + 1, stage.free_at);
        }
    }

    void run_input_gradient(Stage& stage, int index, double now) {
        begin(stage, index, now, {OperationKind::input_gradient, index, stage.input_gradients++},
              target_.times.input_gradient);
        stage.went_forward = false;
        if (index > 0) {
            send(stages_[static_cast<std::size_t>(index) - 1].gradients, index - 1, stage.free_at);
        }
    }

    void run_weight_gradient(Stage& stage, int index, double now) {
        begin(stage, index, now, {OperationKind::weight_gradient, index, stage.weight_gradients++},
              target_.times.weight_gradient);
    }

    void begin(Stage& stage, int index, double now, const Operation& operation, double duration) {
        stage.list.push_back(operation);
        stage.free_at = now + duration;
        events_.emplace(stage.free_at, index);
    }

    void send(std::vector<double>& arrivals, int receiver, double sent_at) {
        arrivals.push_back(sent_at + target_.communication);
        events_.emplace(arrivals.back(), receiver);
    }

    const Target& target_;
    const Heuristic& heuristic_;
    std::vector<Stage> stages_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

bool fits(const PipelineSchedule& schedule, const PipelineTimeline& timeline, const MemoryLimit& limit) {
    const ActivationSize size{.whole = 1, .after_input_gradient = limit.weight_gradient_share};
    for (int device = 0; device < schedule.stages; ++device) {
        for (const HeldActivations& step : activations_over_time(schedule, timeline, device, size)) {
            if (step.held > limit.chunks + rounding) {
                return false;
            }
        }
    }
    return true;
}

/// The one with the lowest bubble rate of those that fit; of equal ones that with the smallest makespan, since a
/// device's own span does not tell how late it starts.
class Best {
public:
    explicit Best(const Target& target) : limit_(target.limit) {
        costs_.times = target.times;
        costs_.communication = target.communication;
    }

    void offer(PipelineSchedule schedule) {
        const PipelineTimeline timeline = simulate(schedule, costs_);
        if (is_better(timeline) && fits(schedule, timeline, limit_)) {
            rate_ = timeline.bubble_rate;
            makespan_ = timeline.makespan;
            schedule_ = std::move(schedule);
        }
    }

    PipelineSchedule take() && { return std::move(schedule_); }

private:
    /// Rates are shares of a span: what is summed in another order differs by the rounding of that span.
    bool is_better(const PipelineTimeline& timeline) const {
        constexpr double same_rate = 1e-12;
        const double more = timeline.bubble_rate - rate_;
        return more < -same_rate || (more <= same_rate && timeline.makespan < makespan_);
    }

    MemoryLimit limit_;
    PipelineCosts costs_;
    double rate_ = never;
    double makespan_ = never;
    PipelineSchedule schedule_;
};

void require_target(const Target& target) {
    pipeline::require_size(target.stages, target.micro_batches, 1, 3);
    const double operations = 3.0 * target.stages * target.micro_batches;
    if (operations > most_searched_operations) {
        refuse(
            "micro_batches", "#",
            "give at most # operations to search an order for, which are 3 x stages x micro_batches; stages is #",
            {static_cast<double>(target.micro_batches), most_searched_operations, static_cast<double>(target.stages)});
    }
    require_between("memory_limit", target.limit.chunks, 1, largest_count);
    require_between("weight_gradient_share", target.limit.weight_gradient_share, 0, 1);
}

}  // namespace

PipelineSchedule pipeline_schedule_zero_bubble(int stages, int micro_batches, const OperationTimes& times,
                                               double communication, const MemoryLimit& limit) {
    const Target target{stages, micro_batches, times, communication, limit};
    require_target(target);
    PipelineCosts costs;
    costs.times = times;
    costs.communication = communication;
    const PipelineSchedule first = pipeline_schedule_zb_h1(stages, micro_batches);
    pipeline::require_costs(first, costs);

    Best best(target);
    best.offer(first);
    best.offer(pipeline_schedule_zb_h2(stages, micro_batches));
    for (const double shortest_gap : {1.0, 0.75, 0.5, 0.25, 0.0}) {
        for (const double first_delay : {0.0, 0.25, 0.5, 0.75, 1.0}) {
            best.offer(Greedy(target, {shortest_gap, first_delay}).run());
        }
    }
    return std::move(best).take();
}

}  // namespace shardlab
