#include "module.hpp"

#include LAB_HEADER

namespace lab {

RingAllReduce ring_all_reduce(const Buffers& buffers) {
    return LAB_NAMESPACE::ring_all_reduce(buffers);
}

Cost all_reduce_cost(int ranks, double bytes) {
    return LAB_NAMESPACE::all_reduce_cost(ranks, bytes);
}

Tensor data_parallel_gradient_average(const Buffers& gradients) {
    return LAB_NAMESPACE::data_parallel_gradient_average(gradients);
}

Rows tensor_parallel_matmul(const Rows& w, const Rows& x, int ranks, Split split) {
    return LAB_NAMESPACE::tensor_parallel_matmul(w, x, ranks, split);
}

double pipeline_bubble_fraction(int stages, int micro_batches) {
    return LAB_NAMESPACE::pipeline_bubble_fraction(stages, micro_batches);
}

PipelineSchedule pipeline_schedule_1f1b(int stages, int micro_batches) {
    return LAB_NAMESPACE::pipeline_schedule_1f1b(stages, micro_batches);
}

ZeroMemory zero_memory_per_gpu(double params, int ranks, int zero_stage) {
    return LAB_NAMESPACE::zero_memory_per_gpu(params, ranks, zero_stage);
}

Cost tree_all_reduce_cost(int ranks, double bytes, double latency_per_step) {
    return LAB_NAMESPACE::tree_all_reduce_cost(ranks, bytes, latency_per_step);
}

Mlp tensor_parallel_mlp(const Rows& w1, const Rows& w2, const Rows& x, const Rows& output_gradient, int ranks) {
    return LAB_NAMESPACE::tensor_parallel_mlp(w1, w2, x, output_gradient, ranks);
}

double interleaved_bubble_fraction(int stages, int micro_batches, int chunks) {
    return LAB_NAMESPACE::interleaved_bubble_fraction(stages, micro_batches, chunks);
}

double activation_memory_bytes(int sequence, int micro_batch, int hidden, int heads, int tp, bool sequence_parallel,
                               Recomputation recompute) {
    return LAB_NAMESPACE::activation_memory_bytes(sequence, micro_batch, hidden, heads, tp, sequence_parallel,
                                                  recompute);
}

}  // namespace lab
