#pragma once

/// @file
/// The functions of the exercise and their reference solution.
///
/// `core/exercise/lab.hpp` has the same functions as tasks to be solved; one test suite runs against either.

#include <shardlab/lab_types.hpp>

namespace shardlab::lab {

/// @name The seven routines
/// Reference solutions: each hands its arguments to the library's function of the same name, and throws its errors.
/// @{

/// Sums the tensors of all ranks; see collective.hpp.
RingAllReduce ring_all_reduce(const Buffers& buffers);
/// Steps and bytes of the ring; see collective_cost.hpp.
Cost all_reduce_cost(int ranks, double bytes);
/// The mean over the ranks; see data_parallel.hpp.
Tensor data_parallel_gradient_average(const Buffers& gradients);
/// W·x over some ranks; see tensor_parallel.hpp.
Rows tensor_parallel_matmul(const Rows& w, const Rows& x, int ranks, Split split);
/// Idle time over all time; see bubble.hpp.
double pipeline_bubble_fraction(int stages, int micro_batches);
/// One forward, one backward; see pipeline.hpp.
PipelineSchedule pipeline_schedule_1f1b(int stages, int micro_batches);
/// Bytes of the training states on one rank; see zero.hpp.
ZeroMemory zero_memory_per_gpu(double params, int ranks, int zero_stage);
/// @}

/// @name Extensions
/// @{

/// Steps, bytes and latency of the binomial tree; see collective_cost.hpp.
Cost tree_all_reduce_cost(int ranks, double bytes, double latency_per_step);
/// A sharded two-layer MLP, forward and backward; see tensor_parallel.hpp.
Mlp tensor_parallel_mlp(const Rows& w1, const Rows& w2, const Rows& x, const Rows& output_gradient, int ranks);
/// Idle time over all time with several chunks a device; see bubble.hpp.
double interleaved_bubble_fraction(int stages, int micro_batches, int chunks);
/// Bytes of a layer's activations on one rank; see activations.hpp.
double activation_memory_bytes(int sequence, int micro_batch, int hidden, int heads, int tp, bool sequence_parallel,
                               Recomputation recompute);
/// @}

}  // namespace shardlab::lab
