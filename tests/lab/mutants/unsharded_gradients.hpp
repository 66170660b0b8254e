#pragma once

/// @file
/// ZeRO whose stage 2 forgets to shard the gradients.

#include <shardlab/lab.hpp>

namespace exercise {

using shardlab::lab::activation_memory_bytes;
using shardlab::lab::all_reduce_cost;
using shardlab::lab::data_parallel_gradient_average;
using shardlab::lab::interleaved_bubble_fraction;
using shardlab::lab::pipeline_bubble_fraction;
using shardlab::lab::pipeline_schedule_1f1b;
using shardlab::lab::ring_all_reduce;
using shardlab::lab::tensor_parallel_matmul;
using shardlab::lab::tensor_parallel_mlp;
using shardlab::lab::tree_all_reduce_cost;
using shardlab::lab::ZeroMemory;

inline ZeroMemory zero_memory_per_gpu(double params, int ranks, int zero_stage) {
    ZeroMemory memory = shardlab::lab::zero_memory_per_gpu(params, ranks, zero_stage);
    if (zero_stage != 2) return memory;
    memory.total_bytes += 2 * params - memory.gradient_bytes;
    memory.gradient_bytes = 2 * params;
    return memory;
}

}  // namespace exercise
