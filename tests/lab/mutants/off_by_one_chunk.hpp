#pragma once

/// @file
/// A ring that is right but for one chunk index: its all-gather begins with the chunk that was sent first, not with
/// the one whose sum is whole.

#include <algorithm>
#include <cstddef>
#include <vector>

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

/// Part `index` of a tensor cut in `chunks`.
struct Chunk {
    std::size_t first;
    std::size_t count;
};

inline Chunk chunk(std::size_t elements, std::size_t chunks, std::size_t index) {
    const std::size_t longer = elements % chunks;
    const std::size_t count = elements / chunks;
    return {index * count + std::min(index, longer), count + (index < longer ? 1 : 0)};
}

/// Sends one chunk from a rank to the next, which adds it or takes it.
inline void send(RingAllReduce& ring, std::size_t rank, std::size_t index, bool add) {
    const std::size_t ranks = ring.buffers.size();
    const auto& source = ring.buffers[rank];
    auto& destination = ring.buffers[(rank + 1) % ranks];
    const Chunk sent = chunk(source.size(), ranks, index);
    for (std::size_t e = sent.first; e < sent.first + sent.count; ++e) {
        destination[e] = add ? destination[e] + source[e] : source[e];
    }
    ring.bytes_sent_per_rank[rank] += 8.0 * static_cast<double>(sent.count);
}

inline RingAllReduce ring_all_reduce(const Buffers& buffers) {
    const std::size_t ranks = buffers.size();
    RingAllReduce ring{buffers, 2 * (static_cast<int>(ranks) - 1), std::vector<double>(ranks, 0.0)};
    for (std::size_t s = 0; s + 1 < ranks; ++s) {
        for (std::size_t r = 0; r < ranks; ++r) send(ring, r, (r + ranks - s) % ranks, true);
    }
    for (std::size_t s = 0; s + 1 < ranks; ++s) {
        for (std::size_t r = 0; r < ranks; ++r) send(ring, r, (r + ranks - s) % ranks, false);
    }
    return ring;
}

}  // namespace exercise
