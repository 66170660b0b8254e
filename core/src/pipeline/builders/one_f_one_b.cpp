// One forward, one backward: with one chunk a device, and interleaved over several.

#include <algorithm>
#include <cstddef>

#include <shardlab/errors.hpp>
#include <shardlab/pipeline/builders.hpp>

#include "../check.hpp"
#include "parts.hpp"

namespace shardlab {
namespace {

/// A device's micro-batches on its chunks in the order of their forwards: chunk after chunk for a group of
/// micro-batches, then the next group. Backwards have the same order with the chunks reversed.
class InterleavedOrder {
public:
    InterleavedOrder(int micro_batches, int chunks, int group_size)
        : micro_batches_(micro_batches), chunks_(chunks), group_size_(group_size) {}

    int count() const { return micro_batches_ * chunks_; }

    /// Forwards before the first backward, less one, of a device with so many after it.
    double warm_up(int devices_after) const {
        return chunks_ == 1 ? devices_after : 2.0 * devices_after + (chunks_ - 1.0) * group_size_;
    }

    /// Whether no group of several chunks has fewer micro-batches than there are stages.
    bool fills_groups_of(int stages) const {
        const int left = micro_batches_ % group_size_;
        return chunks_ == 1 || (group_size_ >= stages && (left == 0 || left >= stages));
    }

    Operation forward(int position, int stages, int device) const {
        return at(OperationKind::forward, position, stages, device);
    }

    Operation backward(int position, int stages, int device) const {
        return at(OperationKind::backward, position, stages, device);
    }

private:
    Operation at(OperationKind kind, int position, int stages, int device) const {
        const int first = position / chunks_ / group_size_ * group_size_;
        const int size = std::min(group_size_, micro_batches_ - first);
        const int in_group = position - first * chunks_;
        const int turn = in_group / size;
        const int chunk = kind == OperationKind::forward ? turn : chunks_ - 1 - turn;
        return {kind, chunk * stages + device, first + in_group % size};
    }

    int micro_batches_;
    int chunks_;
    int group_size_;
};

/// Every device runs `more` forwards before it alternates than it does where groups are large enough.
PipelineSchedule with_warm_up(int stages, const InterleavedOrder& order, const PipelineSchedule& empty, int more) {
    PipelineSchedule schedule = empty;
    for (int device = 0; device < stages; ++device) {
        std::vector<Operation>& list = schedule.operations[static_cast<std::size_t>(device)];
        list.reserve(2 * static_cast<std::size_t>(order.count()));
        const double wanted = order.warm_up(stages - device - 1) + more;
        const int warm_up = static_cast<int>(std::min<double>(wanted, order.count()));
        for (int forward = 0; forward < warm_up; ++forward) {
            list.push_back(order.forward(forward, stages, device));
        }
        for (int backward = 0; backward < order.count(); ++backward) {
            if (warm_up + backward < order.count()) {
                list.push_back(order.forward(warm_up + backward, stages, device));
            }
            list.push_back(order.backward(backward, stages, device));
        }
    }
    return schedule;
}

}  // namespace

PipelineSchedule pipeline_schedule_interleaved(int stages, int micro_batches, int chunks, int group_size) {
    pipeline::require_size(stages, micro_batches, chunks, 2);
    require_int("group_size", group_size, 1);
    const InterleavedOrder order(micro_batches, chunks, std::min(group_size, micro_batches));
    const PipelineSchedule empty = pipeline::empty_schedule(stages, micro_batches, pipeline::looped(stages, chunks));
    PipelineSchedule schedule = with_warm_up(stages, order, empty, 0);
    if (order.fills_groups_of(stages) || !pipeline::deadlocks(schedule)) {
        return schedule;
    }
    // With all forwards first nothing waits for ever.
    int too_few = 0;
    int enough = order.count();
    while (enough - too_few > 1) {
        const int middle = too_few + (enough - too_few) / 2;
        (pipeline::deadlocks(with_warm_up(stages, order, empty, middle)) ? too_few : enough) = middle;
    }
    return with_warm_up(stages, order, empty, enough);
}

PipelineSchedule pipeline_schedule_1f1b(int stages, int micro_batches) {
    return pipeline_schedule_interleaved(stages, micro_batches, 1, 1);
}

}  // namespace shardlab
