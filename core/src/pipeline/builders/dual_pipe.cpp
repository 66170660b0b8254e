// DualPipe and DualPipeV: forwards of one chunk overlapped with backwards of the other.

#include <cstddef>
#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/pipeline/builders.hpp>

#include "parts.hpp"
#include "v_order.hpp"

namespace shardlab {
namespace {

using pipeline::VChunk;
using pipeline::VOrder;

/// The first overlapped pair of the innermost device is run apart, since its backward would wait for the forward.
void overlap_all(VOrder& order, int pairs, bool innermost) {
    for (int pair = 0; pair < pairs; ++pair) {
        if (pair == 0 && innermost) {
            order.forward(VOrder::early);
            order.backward(VOrder::late);
        } else {
            order.overlapped(VOrder::early, VOrder::late);
        }
        order.overlapped(VOrder::late, VOrder::early);
    }
}

/// The last backwards of both chunks: whole ones for half of the way, then input gradients alone.
void split_halfway(VOrder& order, int turns) {
    for (int turn = 0; turn < 2 * turns; ++turn) {
        const VOrder::Chunk chunk = turn % 2 == 0 ? VOrder::late : VOrder::early;
        if (turn < turns) {
            order.backward(chunk);
        } else {
            order.input_gradient(chunk);
        }
    }
}

/// A device's list in the eight steps of the published schedule.
/// @param depth devices from the end where its early chunk's micro-batches come in to the other end of the V
/// @param rank of the device on that way, from 0
std::vector<Operation> dual_list(int depth, int rank, VChunk early, VChunk late, int micro_batches) {
    VOrder order(early, late);
    const int further = depth - rank - 1;
    for (int turn = 0; turn < 2 * further; ++turn) {
        order.forward(VOrder::early);
    }
    for (int turn = 0; turn <= rank; ++turn) {
        order.forward(VOrder::early);
        order.forward(VOrder::late);
    }
    for (int turn = 0; turn < further; ++turn) {
        order.input_gradient(VOrder::late);
        order.weight_gradient();
        order.forward(VOrder::late);
    }
    overlap_all(order, micro_batches - 2 * depth + rank + 1, further == 0);
    for (int turn = 0; turn < further; ++turn) {
        order.backward(VOrder::late);
        order.overlapped(VOrder::late, VOrder::early);
    }
    split_halfway(order, rank + 1);
    for (int turn = 0; turn < further; ++turn) {
        order.weight_gradient();
        order.input_gradient(VOrder::early);
    }
    for (int turn = 0; turn <= rank; ++turn) {
        order.weight_gradient();
    }
    return std::move(order).list();
}

void require_enough(int micro_batches, int stages, const char* more) {
    if (micro_batches < 2 * stages) {
        throw invalid_argument("micro_batches", std::to_string(micro_batches),
                               "be at least 2 x stages" + std::string(more) +
                                   ", as the schedule's steps need; stages is " + std::to_string(stages));
    }
}

}  // namespace

PipelineSchedule pipeline_schedule_dualpipe_v(int stages, int micro_batches) {
    pipeline::require_size(stages, micro_batches, 2, 3);
    require_enough(micro_batches, stages, "");
    PipelineSchedule schedule = pipeline::empty_schedule(stages, micro_batches, pipeline::down_and_up(stages));
    for (int device = 0; device < stages; ++device) {
        schedule.operations[static_cast<std::size_t>(device)] =
            dual_list(stages, device, {device, 0}, {2 * stages - 1 - device, 0}, micro_batches);
    }
    return schedule;
}

PipelineSchedule pipeline_schedule_dualpipe(int stages, int micro_batches) {
    pipeline::require_size(stages, micro_batches, 1, 3);
    if (stages % 2 != 0) {
        throw invalid_argument("stages", std::to_string(stages), "be even: micro-batches enter from both ends");
    }
    require_enough(micro_batches, stages, " and even");
    if (micro_batches % 2 != 0) {
        throw invalid_argument("micro_batches", std::to_string(micro_batches),
                               "be even: half of them enter at each end");
    }
    // Of the second replica, the parts stand in the opposite order.
    PipelineSchedule schedule = pipeline::empty_schedule(stages, micro_batches, pipeline::down_and_up(stages));
    schedule.replicas = 2;
    const int half = micro_batches / 2;
    for (int device = 0; device < stages; ++device) {
        // The nearer end's micro-batches are the early ones; of them, this is the part of that replica.
        const int other_end = stages - 1 - device;
        const bool first_half = device < other_end;
        const VChunk down{device, 0};
        const VChunk up{other_end, half};
        schedule.operations[static_cast<std::size_t>(device)] = first_half
                                                                    ? dual_list(stages / 2, device, down, up, half)
                                                                    : dual_list(stages / 2, other_end, up, down, half);
    }
    return schedule;
}

}  // namespace shardlab
