#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/pipeline.hpp>

#include "check.hpp"

namespace shardlab {
namespace {

double messages_between_devices(const PipelineSchedule& schedule) {
    double borders = 0;
    for (std::size_t part = 1; part < schedule.placement.size(); ++part) {
        borders += schedule.placement[part] != schedule.placement[part - 1] ? 1 : 0;
    }
    return 2 * borders * schedule.micro_batches;
}

/// How far a device has come, and what is measured on the way: its lists are then read once.
struct Device {
    static constexpr std::size_t nothing = static_cast<std::size_t>(-1);

    std::size_t next = 0;               ///< position in its list
    std::size_t waiting_for = nothing;  ///< index of the operation whose end it waits for
    double free_at = 0;                 ///< end of its last operation
    double idle = 0;    ///< waiting until then, summed from the gaps so that it is exactly zero where there are none
    int in_flight = 0;  ///< forwards whose backward is still to come
    int peak_in_flight = 0;  ///< the most so far
};

/// The state of one simulation. An operation is known by its index, ordered by micro-batch, then forward or backward,
/// then model part: what is simulated at one time lies close together in memory.
class Simulation {
public:
    Simulation(const PipelineSchedule& schedule, const OperationTimes& times)
        : schedule_(schedule),
          times_(times),
          parts_(schedule.placement.size()),
          ended_(2 * parts_ * static_cast<std::size_t>(schedule.micro_batches), not_ended),
          devices_(schedule.operations.size()) {}

    PipelineTimeline run() {
        PipelineTimeline timeline;
        timeline.spans.resize(devices_.size());
        for (std::size_t device = devices_.size(); device-- > 0;) {
            timeline.spans[device].reserve(schedule_.operations[device].size());
            ready_.push_back(device);
        }
        while (!ready_.empty()) {
            const std::size_t device = ready_.back();
            ready_.pop_back();
            advance(device, timeline.spans[device]);
        }
        require_all_ran();
        measure(timeline);
        return timeline;
    }

private:
    static constexpr double not_ended = -1;

    std::size_t index(OperationKind kind, std::size_t part, std::size_t micro_batch) const {
        const std::size_t block = kind == OperationKind::forward ? 0 : parts_;
        return micro_batch * 2 * parts_ + block + part;
    }

    std::size_t index(const Operation& operation) const {
        return index(operation.kind, static_cast<std::size_t>(operation.model_part),
                     static_cast<std::size_t>(operation.micro_batch));
    }

    Operation operation_at(std::size_t index) const {
        const std::size_t of_micro_batch = index % (2 * parts_);
        return {of_micro_batch < parts_ ? OperationKind::forward : OperationKind::backward,
                static_cast<int>(of_micro_batch % parts_), static_cast<int>(index / (2 * parts_))};
    }

    /// Runs a device until its next operation has to wait.
    void advance(std::size_t device, std::vector<Span>& spans) {
        const std::vector<Operation>& list = schedule_.operations[device];
        Device& state = devices_[device];
        while (state.next < list.size()) {
            const Operation& operation = list[state.next];
            const std::optional<double> arrival = input_arrival(device, operation);
            if (!arrival) {
                return;
            }
            spans.push_back(execute(state, operation.kind, *arrival));
            ended_[index(operation)] = state.free_at;
            wake_receiver(operation);
        }
    }

    Span execute(Device& device, OperationKind kind, double arrival) const {
        const bool forward = kind == OperationKind::forward;
        const double start = std::max(device.free_at, arrival);
        device.idle += start - device.free_at;
        device.free_at = start + (forward ? times_.forward : times_.backward);
        device.in_flight += forward ? 1 : -1;
        device.peak_in_flight = std::max(device.peak_in_flight, device.in_flight);
        ++device.next;
        return {start, device.free_at};
    }

    /// When an operation's inputs are on its device; nothing while one of them has not been computed, and the device
    /// is then put down as waiting for it.
    std::optional<double> input_arrival(std::size_t device, const Operation& operation) {
        const auto part = static_cast<std::size_t>(operation.model_part);
        const auto micro_batch = static_cast<std::size_t>(operation.micro_batch);
        double arrival = 0;
        const auto needs = [&](OperationKind kind, std::size_t needed_part) {
            const std::size_t needed = index(kind, needed_part, micro_batch);
            if (ended_[needed] == not_ended) {
                devices_[device].waiting_for = needed;
                return false;
            }
            const bool sent = schedule_.placement[needed_part] != static_cast<int>(device);
            arrival = std::max(arrival, ended_[needed] + (sent ? times_.communication : 0));
            return true;
        };

        if (operation.kind == OperationKind::forward) {
            if (part > 0 && !needs(OperationKind::forward, part - 1)) {
                return std::nullopt;
            }
            return arrival;
        }
        if (!needs(OperationKind::forward, part)) {
            return std::nullopt;
        }
        if (part + 1 < parts_ && !needs(OperationKind::backward, part + 1)) {
            return std::nullopt;
        }
        return arrival;
    }

    /// Only the neighbouring part in the direction of travel can wait for another device's operation.
    void wake_receiver(const Operation& operation) {
        const bool forward = operation.kind == OperationKind::forward;
        const int receiver = operation.model_part + (forward ? 1 : -1);
        if (receiver < 0 || receiver >= static_cast<int>(parts_)) {
            return;
        }
        const auto device = static_cast<std::size_t>(schedule_.placement[static_cast<std::size_t>(receiver)]);
        if (devices_[device].waiting_for == index(operation)) {
            devices_[device].waiting_for = Device::nothing;
            ready_.push_back(device);
        }
    }

    void require_all_ran() const {
        std::string waiting;
        for (std::size_t device = 0; device < devices_.size(); ++device) {
            const Device& state = devices_[device];
            if (state.next < schedule_.operations[device].size()) {
                const Operation awaited = operation_at(state.waiting_for);
                waiting += (waiting.empty() ? "" : "; ") + std::string("device ") + std::to_string(device) +
                           " waits in its " + pipeline::text(schedule_.operations[device][state.next]) + " for the " +
                           pipeline::text(awaited) + " of device " +
                           std::to_string(schedule_.placement[static_cast<std::size_t>(awaited.model_part)]);
            }
        }
        if (!waiting.empty()) {
            pipeline::refuse("a deadlock: " + waiting,
                             "order each device's operations so that no two wait for each other");
        }
    }

    void measure(PipelineTimeline& timeline) const {
        for (const Device& device : devices_) {
            timeline.makespan = std::max(timeline.makespan, device.free_at);
            timeline.peak_in_flight.push_back(device.peak_in_flight);
        }
        double idle = 0;
        for (const Device& device : devices_) {
            idle += device.idle + (timeline.makespan - device.free_at);
        }
        const double passes = static_cast<double>(parts_) * schedule_.micro_batches;
        // Where work is too short to show beside the waiting, the rounded gaps can add up to a little over all the
        // time.
        timeline.bubble_of_total = std::min(idle / (timeline.makespan * schedule_.stages), 1.0);
        timeline.bubble_of_ideal = idle / (passes * (times_.forward + times_.backward));
        timeline.messages = messages_between_devices(schedule_);
    }

    const PipelineSchedule& schedule_;
    const OperationTimes& times_;
    std::size_t parts_;
    std::vector<double> ended_;  // by operation index
    std::vector<Device> devices_;
    std::vector<std::size_t> ready_;  // devices that may be able to go on
};

}  // namespace

PipelineTimeline simulate(const PipelineSchedule& schedule, const OperationTimes& times) {
    constexpr double shortest = 1e-15;
    constexpr double longest = 1e15;
    require_between("forward", times.forward, shortest, longest);
    require_between("backward", times.backward, shortest, longest);
    require_between("communication", times.communication, 0, longest);
    pipeline::require_complete(schedule);

    return Simulation(schedule, times).run();
}

int unit_steps(const PipelineSchedule& schedule) {
    return static_cast<int>(simulate(schedule, {.forward = 1, .backward = 1, .communication = 0}).makespan);
}

}  // namespace shardlab
