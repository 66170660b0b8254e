#pragma once

/// @file
/// A row-parallel product without its all-reduce: the answer is rank 0's partial sum.

#include <cstddef>

#include <shardlab/lab.hpp>

namespace exercise {

using shardlab::lab::activation_memory_bytes;
using shardlab::lab::all_reduce_cost;
using shardlab::lab::data_parallel_gradient_average;
using shardlab::lab::interleaved_bubble_fraction;
using shardlab::lab::pipeline_bubble_fraction;
using shardlab::lab::pipeline_schedule_1f1b;
using shardlab::lab::ring_all_reduce;
using shardlab::lab::Rows;
using shardlab::lab::Split;
using shardlab::lab::tensor_parallel_mlp;
using shardlab::lab::tree_all_reduce_cost;
using shardlab::lab::zero_memory_per_gpu;

inline Rows tensor_parallel_matmul(const Rows& w, const Rows& x, int ranks, Split split) {
    if (split == Split::column) return shardlab::lab::tensor_parallel_matmul(w, x, ranks, split);
    const auto count = static_cast<std::size_t>(ranks);
    const std::size_t kept = x.size() / count + (x.size() % count > 0 ? 1 : 0);
    Rows first_inputs;
    for (const auto& row : w) first_inputs.emplace_back(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(kept));
    return shardlab::lab::tensor_parallel_matmul(first_inputs,
                                                 {x.begin(), x.begin() + static_cast<std::ptrdiff_t>(kept)}, 1, split);
}

}  // namespace exercise
