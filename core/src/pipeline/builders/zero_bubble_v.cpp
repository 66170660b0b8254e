// ZB-V: two chunks a device in a V.

#include <algorithm>
#include <cstddef>

#include <shardlab/pipeline/builders.hpp>

#include "parts.hpp"
#include "v_order.hpp"

namespace shardlab {
namespace {

using pipeline::VOrder;

void both_gradients(VOrder& order, VOrder::Chunk chunk) {
    order.input_gradient(chunk);
    order.weight_gradient(chunk);
}

void warm_up(VOrder& order, int stages, int device) {
    for (int forward = 0; forward < 2 * (stages - device) - 1; ++forward) {
        order.forward(VOrder::early);
    }
    for (int turn = 0; turn < device; ++turn) {
        order.forward(VOrder::late);
        order.forward(VOrder::early);
    }
    for (int turn = 0; turn < stages - device; ++turn) {
        order.forward(VOrder::late);
        both_gradients(order, VOrder::late);
    }
}

void steady(VOrder& order, int micro_batches) {
    while (order.forwards(VOrder::late) < micro_batches) {
        if (order.forwards(VOrder::early) < micro_batches) {
            order.forward(VOrder::early);
        }
        both_gradients(order, VOrder::early);
        order.forward(VOrder::late);
        both_gradients(order, VOrder::late);
    }
}

void drain(VOrder& order, int stages, int device) {
    for (int turn = 0; turn < device; ++turn) {
        order.input_gradient(VOrder::early);
        order.input_gradient(VOrder::late);
    }
    for (int turn = 0; turn < stages - device; ++turn) {
        order.input_gradient(VOrder::early);
        order.weight_gradient(VOrder::early);
    }
    for (const VOrder::Chunk chunk : {VOrder::late, VOrder::early}) {
        while (order.has_weight_gradient(chunk)) {
            order.weight_gradient(chunk);
        }
    }
}

}  // namespace

PipelineSchedule pipeline_schedule_zb_v(int stages, int micro_batches) {
    pipeline::require_size(stages, micro_batches, 2, 3);
    // The phases need this many; of fewer, the order of more is kept and what is too many left out.
    const int ordered = std::max(micro_batches, 2 * stages - 1);
    PipelineSchedule schedule = pipeline::empty_schedule(stages, micro_batches, pipeline::down_and_up(stages));
    for (int device = 0; device < stages; ++device) {
        VOrder order({device, 0}, {2 * stages - 1 - device, 0}, micro_batches);
        warm_up(order, stages, device);
        steady(order, ordered);
        drain(order, stages, device);
        schedule.operations[static_cast<std::size_t>(device)] = std::move(order).list();
    }
    return schedule;
}

}  // namespace shardlab
