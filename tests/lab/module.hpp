#pragma once

/// @file
/// The functions under test, whoever wrote them.
///
/// module.cpp is the only source that includes the module's header (LAB_HEADER), so that the cases are compiled once
/// for every module, and a student who edits one function waits for one small file.

#include <shardlab/lab_types.hpp>

namespace lab {

using shardlab::lab::Buffers;
using shardlab::lab::Cost;
using shardlab::lab::Mlp;
using shardlab::lab::PipelineOperation;
using shardlab::lab::PipelineSchedule;
using shardlab::lab::Recomputation;
using shardlab::lab::RingAllReduce;
using shardlab::lab::Rows;
using shardlab::lab::Split;
using shardlab::lab::Tensor;
using shardlab::lab::ZeroMemory;

RingAllReduce ring_all_reduce(const Buffers& buffers);
Cost all_reduce_cost(int ranks, double bytes);
Tensor data_parallel_gradient_average(const Buffers& gradients);
Rows tensor_parallel_matmul(const Rows& w, const Rows& x, int ranks, Split split);
double pipeline_bubble_fraction(int stages, int micro_batches);
PipelineSchedule pipeline_schedule_1f1b(int stages, int micro_batches);
ZeroMemory zero_memory_per_gpu(double params, int ranks, int zero_stage);
Cost tree_all_reduce_cost(int ranks, double bytes, double latency_per_step);
Mlp tensor_parallel_mlp(const Rows& w1, const Rows& w2, const Rows& x, const Rows& output_gradient, int ranks);
double interleaved_bubble_fraction(int stages, int micro_batches, int chunks);
double activation_memory_bytes(int sequence, int micro_batch, int hidden, int heads, int tp, bool sequence_parallel,
                               Recomputation recompute);

}  // namespace lab
