#pragma once

/// @file
/// An all-reduce that adds up in one place, from rank 0 on, and states the ring's cost: no ring at all.

#include <cstddef>

#include <shardlab/lab.hpp>

namespace exercise {

using shardlab::lab::activation_memory_bytes;
using shardlab::lab::all_reduce_cost;
using shardlab::lab::Buffers;
using shardlab::lab::data_parallel_gradient_average;
using shardlab::lab::interleaved_bubble_fraction;
using shardlab::lab::pipeline_bubble_fraction;
using shardlab::lab::pipeline_schedule_1f1b;
using shardlab::lab::RingAllReduce;
using shardlab::lab::tensor_parallel_matmul;
using shardlab::lab::tensor_parallel_mlp;
using shardlab::lab::tree_all_reduce_cost;
using shardlab::lab::zero_memory_per_gpu;

inline RingAllReduce ring_all_reduce(const Buffers& buffers) {
    RingAllReduce result = shardlab::lab::ring_all_reduce(buffers);
    for (std::size_t e = 0; e < buffers.front().size(); ++e) {
        double sum = 0;
        for (const auto& tensor : buffers) sum += tensor[e];
        for (auto& tensor : result.buffers) tensor[e] = sum;
    }
    return result;
}

}  // namespace exercise
