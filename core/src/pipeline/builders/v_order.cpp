#include "v_order.hpp"

namespace shardlab::pipeline {

void VOrder::add(OperationKind kind, Chunk chunk, int micro_batch, bool overlaps_next) {
    list_.emplace_back(kind, chunks_[chunk].model_part, chunks_[chunk].first_micro_batch + micro_batch, overlaps_next);
}

void VOrder::overlapped(Chunk forward_of, Chunk backward_of) {
    add(OperationKind::forward, forward_of, forwards_[forward_of]++, true);
    backward(backward_of);
}

void VOrder::input_gradient(Chunk chunk) {
    const int micro_batch = backwards_[chunk]++;
    add(OperationKind::input_gradient, chunk, micro_batch);
    waiting_.push_back({chunk, micro_batch});
}

void VOrder::weight_gradient() {
    add(OperationKind::weight_gradient, waiting_.front().chunk, waiting_.front().micro_batch);
    waiting_.pop_front();
}

}  // namespace shardlab::pipeline
