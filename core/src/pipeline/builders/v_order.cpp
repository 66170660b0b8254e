#include "v_order.hpp"

#include <algorithm>

namespace shardlab::pipeline {

void VOrder::add(OperationKind kind, Chunk chunk, int micro_batch, bool overlaps_next) {
    if (micro_batch < micro_batches_) {
        list_.emplace_back(kind, chunks_[chunk].model_part, chunks_[chunk].first_micro_batch + micro_batch,
                           overlaps_next);
    }
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

void VOrder::weight_gradient(Chunk chunk) {
    const auto oldest = std::find_if(waiting_.begin(), waiting_.end(),
                                     [&](const Waiting& gradient) { return gradient.chunk == chunk; });
    add(OperationKind::weight_gradient, chunk, oldest->micro_batch);
    waiting_.erase(oldest);
}

bool VOrder::has_weight_gradient(Chunk chunk) const {
    return std::any_of(waiting_.begin(), waiting_.end(),
                       [&](const Waiting& gradient) { return gradient.chunk == chunk; });
}

}  // namespace shardlab::pipeline
