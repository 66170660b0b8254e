#pragma once

/// @file
/// The functions of the exercise, in types that need nothing but the standard library, and their reference solution.
///
/// `core/exercise/lab.hpp` has the same functions as tasks to be solved; one test suite runs against either.

#include <vector>

namespace shardlab::lab {

/// A tensor of shape (elements).
using Tensor = std::vector<double>;
/// A tensor for each rank: shape (ranks, elements).
using Buffers = std::vector<Tensor>;
/// A matrix as a list of rows: shape (rows, columns).
using Rows = std::vector<std::vector<double>>;

/// What a ring all-reduce leaves and costs.
struct RingAllReduce {
    Buffers buffers;                          ///< the sum, for every rank
    int steps = 0;                            ///< steps one after the other
    std::vector<double> bytes_sent_per_rank;  ///< for each rank, at 8 bytes an element
};

/// What a collective costs by its closed form.
struct Cost {
    int steps = 0;                   ///< steps one after the other
    double bytes_sent_per_rank = 0;  ///< of the busiest rank
    double seconds = 0;              ///< 0 where no latency and no bandwidth was given
};

/// Which way a weight matrix is split; Megatron's words for Y = X·A with W = Aᵀ.
enum class Split { column, row };

/// An operation of a pipeline stage: forward (`backward` false) or backward of a micro-batch.
struct PipelineOperation {
    bool backward = false;
    int micro_batch = 0;

    bool operator==(const PipelineOperation&) const = default;
};

/// A one-forward-one-backward schedule.
struct PipelineSchedule {
    std::vector<std::vector<PipelineOperation>> operations;  ///< for each stage, in order
    int steps = 0;                                           ///< makespan if every operation takes one step
    std::vector<int> peak_in_flight;                         ///< for each stage
};

/// Bytes of one rank's training states.
struct ZeroMemory {
    double parameter_bytes = 0;
    double gradient_bytes = 0;
    double optimizer_bytes = 0;
    double total_bytes = 0;
};

/// Output and input gradient of a sharded MLP, and the all-reduces that they took.
struct Mlp {
    Rows output;
    Rows input_gradient;
    int forward_all_reduces = 0;
    int backward_all_reduces = 0;
};

/// Which activations are computed again in the backward pass.
enum class Recomputation { none, selective, full };

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
