#include <algorithm>
#include <cstddef>
#include <string>

#include <shardlab/pipeline/simulate.hpp>

#include "check.hpp"
#include "costs.hpp"

namespace shardlab {
namespace {

double messages_between_devices(const PipelineSchedule& schedule) {
    double borders = 0;
    const auto parts = static_cast<std::size_t>(schedule.parts());
    for (std::size_t part = 0; part < schedule.placement.size(); ++part) {
        const bool first_of_a_replica = part % parts == 0;
        borders += !first_of_a_replica && schedule.placement[part] != schedule.placement[part - 1] ? 1 : 0;
    }
    const int of_each_replica = schedule.micro_batches / schedule.replicas;
    return 2 * borders * of_each_replica;
}

/// How far a device has come, and what is measured on the way: its lists are then read once.
struct Device {
    static constexpr std::size_t nothing = static_cast<std::size_t>(-1);

    std::size_t next = 0;               ///< position in its list
    std::size_t waiting_for = nothing;  ///< index of the result that it waits for
    std::size_t waits_at = 0;           ///< position in its list of the operation that does
    double started = 0;                 ///< start of its first operation
    double free_at = 0;                 ///< when it can begin the next
    double ended = 0;                   ///< end of its last operation
    double work = 0;                    ///< spent on operations
    IdleTime idle;  ///< until then, summed from the gaps so that it is exactly zero where there are none
    std::size_t forwards_left = 0;  ///< not yet run
    bool has_gone_back = false;     ///< has run a backward or an input gradient
    int in_flight = 0;              ///< forwards whose backward or input gradient is still to come
    int peak_in_flight = 0;         ///< the most so far

    void wait_until(double start) {
        const double gap = start - ended;
        if (!has_gone_back) {
            idle.warm_up += gap;
        } else if (forwards_left > 0) {
            idle.steady += gap;
        } else {
            idle.drain += gap;
        }
    }

    void count(OperationKind kind) {
        if (kind == OperationKind::forward) {
            --forwards_left;
            ++in_flight;
            peak_in_flight = std::max(peak_in_flight, in_flight);
        } else if (kind != OperationKind::weight_gradient) {
            has_gone_back = true;
            --in_flight;
        }
    }
};

/// The state of one simulation. A result (a forward's activation, a backward's or an input gradient's gradient) is
/// known by its index, ordered by micro-batch, then forward or gradient, then model part: what is simulated at one
/// time lies close together in memory.
class Simulation {
public:
    Simulation(const PipelineSchedule& schedule, const PipelineCosts& costs)
        : schedule_(schedule),
          costs_(costs),
          durations_(schedule, costs),
          parts_(static_cast<std::size_t>(schedule.parts())),
          ended_(2 * parts_ * static_cast<std::size_t>(schedule.micro_batches), not_ended),
          devices_(schedule.operations.size()) {}

    /// Runs every device as far as it comes.
    PipelineTimeline run() {
        PipelineTimeline timeline;
        timeline.spans.resize(devices_.size());
        count_forwards();
        for (std::size_t device = devices_.size(); device-- > 0;) {
            timeline.spans[device].reserve(schedule_.operations[device].size());
            ready_.push_back(device);
        }
        while (!ready_.empty()) {
            const std::size_t device = ready_.back();
            ready_.pop_back();
            advance(device, timeline.spans[device]);
        }
        measure(timeline);
        return timeline;
    }

    /// The first device that did not run all of its list, or the number of devices.
    std::size_t first_stuck() const {
        std::size_t device = 0;
        while (device < devices_.size() && devices_[device].next == schedule_.operations[device].size()) {
            ++device;
        }
        return device;
    }

    /// A device that waits does so for one result, of a device that waits as well: following them ends in a cycle.
    void require_all_ran() const {
        std::size_t device = first_stuck();
        if (device == devices_.size()) {
            return;
        }
        std::vector<bool> met(devices_.size(), false);
        while (!met[device]) {
            met[device] = true;
            device = awaited_device(device);
        }
        std::string cycle;
        const std::size_t first = device;
        do {
            cycle += (cycle.empty() ? "" : "; ") + waiting_text(device);
            device = awaited_device(device);
        } while (device != first);
        pipeline::refuse("a deadlock: " + cycle, "order each device's operations so that no two wait for each other");
    }

private:
    static constexpr double not_ended = -1;

    /// Every forward of a device's model parts is in its list once.
    void count_forwards() {
        for (const int device : schedule_.placement) {
            devices_[static_cast<std::size_t>(device)].forwards_left +=
                static_cast<std::size_t>(schedule_.micro_batches / schedule_.replicas);
        }
    }

    std::size_t index(bool gradient, int part, int micro_batch) const {
        return static_cast<std::size_t>(micro_batch) * 2 * parts_ + (gradient ? parts_ : 0) +
               static_cast<std::size_t>(part);
    }

    /// Runs a device until its next operation has to wait.
    void advance(std::size_t device, std::vector<Span>& spans) {
        const std::vector<Operation>& list = schedule_.operations[device];
        Device& state = devices_[device];
        while (state.next < list.size()) {
            const Operation& first = list[state.next];
            state.waits_at = state.next;
            const double arrival = input_arrival(device, first);
            if (arrival == not_ended) {
                return;
            }
            if (!first.overlaps_next) {
                spans.push_back(run_on(state, std::max(state.free_at, arrival), durations_.of(first)));
                finish(state, first);
                continue;
            }
            const Operation& second = list[state.next + 1];
            state.waits_at = state.next + 1;
            const double other = input_arrival(device, second);
            if (other == not_ended) {
                return;
            }
            const double start = std::max({state.free_at, arrival, other});
            const Span span = run_on(state, start, durations_.of_pair(first, second));
            spans.insert(spans.end(), 2, span);
            finish(state, first);
            finish(state, second);
        }
    }

    static Span run_on(Device& device, double start, double duration) {
        if (device.next == 0) {
            device.started = start;
        }
        device.wait_until(start);
        device.ended = start + duration;
        device.free_at = device.ended;
        device.work += duration;
        return {start, device.ended};
    }

    void finish(Device& device, const Operation& operation) {
        device.count(operation.kind);
        ++device.next;
        if (operation.kind == OperationKind::weight_gradient) {
            return;
        }
        const bool gradient = operation.kind != OperationKind::forward;
        const std::size_t result = index(gradient, operation.model_part, operation.micro_batch);
        ended_[result] = device.ended;
        deliver(device, operation, gradient, result);
    }

    /// Only the neighbouring part in the direction of travel can wait on another device for a result.
    void deliver(Device& sender, const Operation& operation, bool gradient, std::size_t result) {
        const int receiver = operation.model_part + (gradient ? -1 : 1);
        if (receiver < 0 || receiver >= static_cast<int>(parts_)) {
            return;
        }
        const auto device = static_cast<std::size_t>(schedule_.device(receiver, operation.micro_batch));
        if (costs_.blocking_sends && &devices_[device] != &sender) {
            sender.free_at = sender.ended + costs_.communication;
        }
        if (devices_[device].waiting_for == result) {
            devices_[device].waiting_for = Device::nothing;
            ready_.push_back(device);
        }
    }

    /// When a result is on a device; not_ended while it has not been computed, and the device is then put down as
    /// waiting for it. (No optional: one would go through memory for every operation.)
    double arrival_of(std::size_t device, bool gradient, int part, int micro_batch) {
        const std::size_t needed = index(gradient, part, micro_batch);
        if (ended_[needed] == not_ended) {
            devices_[device].waiting_for = needed;
            return not_ended;
        }
        const bool sent = schedule_.device(part, micro_batch) != static_cast<int>(device);
        return ended_[needed] + (sent ? costs_.communication : 0);
    }

    /// When all inputs of an operation are on its device; not_ended while one has not been computed.
    double input_arrival(std::size_t device, const Operation& operation) {
        const int part = operation.model_part;
        const int micro_batch = operation.micro_batch;
        switch (operation.kind) {
            case OperationKind::forward:
                if (part == 0 || pipeline::is_relaxed(schedule_, costs_, part, micro_batch)) {
                    return 0;
                }
                return arrival_of(device, false, part - 1, micro_batch);
            case OperationKind::weight_gradient:
                return arrival_of(device, true, part, micro_batch);
            default:
                break;
        }
        const double own = arrival_of(device, false, part, micro_batch);
        const bool last = part + 1 == static_cast<int>(parts_);
        if (own == not_ended || last || pipeline::is_relaxed(schedule_, costs_, part + 1, micro_batch)) {
            return own;
        }
        const double gradient = arrival_of(device, true, part + 1, micro_batch);
        return gradient == not_ended ? not_ended : std::max(own, gradient);
    }

    Operation awaited_by(const Device& device) const {
        const std::size_t of_micro_batch = device.waiting_for % (2 * parts_);
        const auto part = static_cast<int>(of_micro_batch % parts_);
        const auto micro_batch = static_cast<int>(device.waiting_for / (2 * parts_));
        if (of_micro_batch < parts_) {
            return {OperationKind::forward, part, micro_batch};
        }
        const auto& list = schedule_.operations[static_cast<std::size_t>(schedule_.device(part, micro_batch))];
        const Operation whole{OperationKind::backward, part, micro_batch};
        const bool is_whole = std::any_of(list.begin(), list.end(), [&](const Operation& operation) {
            return operation.kind == whole.kind && operation.model_part == part && operation.micro_batch == micro_batch;
        });
        return is_whole ? whole : Operation{OperationKind::input_gradient, part, micro_batch};
    }

    std::size_t awaited_device(std::size_t device) const {
        const std::size_t result = devices_[device].waiting_for;
        return static_cast<std::size_t>(
            schedule_.device(static_cast<int>(result % parts_), static_cast<int>(result / (2 * parts_))));
    }

    std::string waiting_text(std::size_t device) const {
        const Device& state = devices_[device];
        return "device " + std::to_string(device) + " waits in its " +
               text(schedule_.operations[device][state.waits_at]) + " for the " + text(awaited_by(state)) +
               " of device " + std::to_string(awaited_device(device));
    }

    void measure(PipelineTimeline& timeline) const {
        double work = 0;
        double cost = 0;
        for (const Device& device : devices_) {
            const double sync = device.next > 0 ? costs_.gradient_sync : 0;
            timeline.makespan = std::max(timeline.makespan, device.ended + sync);
            timeline.peak_in_flight.push_back(device.peak_in_flight);
            work += device.work;
            const double span = device.ended - device.started;
            if (span > cost) {
                cost = span;
                timeline.bubble_rate = std::max((span - device.work) / span, 0.0);
            }
        }
        double idle = 0;
        for (const Device& device : devices_) {
            const double sync = device.next > 0 ? costs_.gradient_sync : 0;
            IdleTime of_device = device.idle;
            of_device.drain += timeline.makespan - (device.ended + sync);
            idle += of_device.total();
            timeline.idle_per_device.push_back(of_device);
        }
        // Where work is too short to show beside the waiting, the rounded gaps can add up to a little over all the
        // time.
        timeline.bubble_of_total = std::min(idle / (timeline.makespan * schedule_.stages), 1.0);
        timeline.bubble_of_ideal = idle / work;
        timeline.messages = messages_between_devices(schedule_);
    }

    const PipelineSchedule& schedule_;
    const PipelineCosts& costs_;
    pipeline::Durations durations_;
    std::size_t parts_;
    std::vector<double> ended_;  // by result's index
    std::vector<Device> devices_;
    std::vector<std::size_t> ready_;  // devices that may be able to go on
};

}  // namespace

PipelineTimeline simulate(const PipelineSchedule& schedule, const PipelineCosts& costs) {
    require_complete(schedule);
    pipeline::require_costs(schedule, costs);
    Simulation simulation(schedule, costs);
    PipelineTimeline timeline = simulation.run();
    simulation.require_all_ran();
    return timeline;
}

int unit_steps(const PipelineSchedule& schedule) {
    const OperationTimes step{.forward = 1, .backward = 1, .input_gradient = 1, .weight_gradient = 1, .overlapped = 1};
    PipelineCosts costs;
    costs.times = step;
    return static_cast<int>(simulate(schedule, costs).makespan);
}

bool pipeline::deadlocks(const PipelineSchedule& schedule) {
    const PipelineCosts costs;
    Simulation simulation(schedule, costs);
    simulation.run();
    return simulation.first_stuck() < schedule.operations.size();
}

}  // namespace shardlab
