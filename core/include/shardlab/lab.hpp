#pragma once

/// @file
/// The functions of the exercise and their reference solution.
///
/// `core/exercise/lab.hpp` has the same functions as tasks to be solved; one test suite runs against either.

#include <shardlab/lab_types.hpp>

namespace shardlab::lab {

/// @name The seven routines
/// Reference solutions: each hands its arguments to the library's function of the same name.
/// @{
RingAllReduce ring_all_reduce(const Buffers& buffers);
Cost all_reduce_cost(int ranks, double bytes);
Tensor data_parallel_gradient_average(const Buffers& gradients);
Rows tensor_parallel_matmul(const Rows& w, const Rows& x, int ranks, Split split);
double pipeline_bubble_fraction(int stages, int micro_batches);
PipelineSchedule pipeline_schedule_1f1b(int stages, int micro_batches);
ZeroMemory zero_memory_per_gpu(double params, int ranks, int zero_stage);
/// @}

/// @name Extensions
/// @{
Cost tree_all_reduce_cost(int ranks, double bytes, double latency_per_step);
Mlp tensor_parallel_mlp(const Rows& w1, const Rows& w2, const Rows& x, const Rows& output_gradient, int ranks);
double interleaved_bubble_fraction(int stages, int micro_batches, int chunks);
double activation_memory_bytes(int sequence, int micro_batch, int hidden, int heads, int tp, bool sequence_parallel,
                               Recomputation recompute);
/// @}

}  // namespace shardlab::lab
