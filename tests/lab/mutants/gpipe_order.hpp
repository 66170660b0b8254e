#pragma once

/// @file
/// GPipe's order where 1F1B's is asked for: all forwards, then all backwards. The steps are right, the memory is not.

#include <shardlab/lab.hpp>

namespace exercise {

using shardlab::lab::activation_memory_bytes;
using shardlab::lab::all_reduce_cost;
using shardlab::lab::data_parallel_gradient_average;
using shardlab::lab::interleaved_bubble_fraction;
using shardlab::lab::pipeline_bubble_fraction;
using shardlab::lab::PipelineSchedule;
using shardlab::lab::ring_all_reduce;
using shardlab::lab::tensor_parallel_matmul;
using shardlab::lab::tensor_parallel_mlp;
using shardlab::lab::tree_all_reduce_cost;
using shardlab::lab::zero_memory_per_gpu;

inline PipelineSchedule pipeline_schedule_1f1b(int stages, int micro_batches) {
    PipelineSchedule schedule = shardlab::lab::pipeline_schedule_1f1b(stages, micro_batches);
    for (auto& operations : schedule.operations) {
        operations.clear();
        for (int m = 0; m < micro_batches; ++m) operations.push_back({false, m});
        for (int m = 0; m < micro_batches; ++m) operations.push_back({true, m});
    }
    return schedule;
}

}  // namespace exercise
