// ZB-V: two chunks a device in a V.

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

#include <shardlab/pipeline/builders.hpp>

#include "parts.hpp"

namespace shardlab {
namespace {

/// A kind of operation on the next micro-batch of a device's first or second chunk.
struct Step {
    OperationKind kind;
    std::size_t chunk;
};

constexpr Step early_forward{OperationKind::forward, 0};
constexpr Step early_input_gradient{OperationKind::input_gradient, 0};
constexpr Step early_weight_gradient{OperationKind::weight_gradient, 0};
constexpr Step late_forward{OperationKind::forward, 1};
constexpr Step late_input_gradient{OperationKind::input_gradient, 1};
constexpr Step late_weight_gradient{OperationKind::weight_gradient, 1};

/// Writes a device's list in turns of the same steps.
class Turns {
public:
    Turns(int early_part, int late_part, int micro_batches)
        : parts_{early_part, late_part}, micro_batches_(micro_batches) {
        list_.reserve(6 * static_cast<std::size_t>(micro_batches));
    }

    /// Micro-batches from `micro_batches` on are left out. Once a turn has no others, the rest have none either and are
    /// only counted: the time is that of what is written.
    void add(int turns, std::initializer_list<Step> steps) {
        const auto is_written = [&](const Step& step) { return next(step) < micro_batches_; };
        int left = turns;
        for (; left > 0 && std::any_of(steps.begin(), steps.end(), is_written); --left) {
            for (const Step& step : steps) {
                if (is_written(step)) {
                    list_.emplace_back(step.kind, parts_.at(step.chunk), next(step));
                }
                ++next(step);
            }
        }
        for (const Step& step : steps) {
            next(step) += left;
        }
    }

    std::vector<Operation> list() && { return std::move(list_); }

private:
    int& next(const Step& step) { return next_.at(step.chunk).at(static_cast<std::size_t>(step.kind)); }

    std::array<int, 2> parts_;
    int micro_batches_;
    std::array<std::array<int, 4>, 2> next_{};  // micro-batch by chunk and kind
    std::vector<Operation> list_;
};

std::vector<Operation> list_of(int stages, int device, int micro_batches) {
    // The phases need this many; of fewer, the order of more is kept and what is too many left out.
    const int ordered = std::max(micro_batches, 2 * stages - 1);
    const int after = stages - device;
    Turns turns(device, 2 * stages - 1 - device, micro_batches);
    // Warm-up.
    turns.add(2 * after - 1, {early_forward});
    turns.add(device, {late_forward, early_forward});
    turns.add(after, {late_forward, late_input_gradient, late_weight_gradient});
    // Steady.
    turns.add(ordered - stages, {early_forward, early_input_gradient, early_weight_gradient, late_forward,
                                 late_input_gradient, late_weight_gradient});
    // Drain.
    turns.add(device, {early_input_gradient, late_input_gradient});
    turns.add(after, {early_input_gradient, early_weight_gradient});
    turns.add(device, {late_weight_gradient});
    turns.add(device, {early_weight_gradient});
    return std::move(turns).list();
}

}  // namespace

PipelineSchedule pipeline_schedule_zb_v(int stages, int micro_batches) {
    pipeline::require_size(stages, micro_batches, 2, 3);
    PipelineSchedule schedule = pipeline::empty_schedule(stages, micro_batches, pipeline::down_and_up(stages));
    for (int device = 0; device < stages; ++device) {
        schedule.operations[static_cast<std::size_t>(device)] = list_of(stages, device, micro_batches);
    }
    return schedule;
}

}  // namespace shardlab
