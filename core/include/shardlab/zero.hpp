#pragma once

/// @file
/// ZeRO: which of the training states each data-parallel rank holds.

#include <vector>

namespace shardlab {

/// Bytes of one rank's states under mixed-precision Adam.
struct ZeroMemory {
    double parameter_bytes = 0;  ///< 16-bit weights: 2 bytes a parameter, sharded at stage 3
    double gradient_bytes = 0;   ///< 16-bit gradients: 2 bytes a parameter, sharded from stage 2
    double optimizer_bytes = 0;  ///< fp32 weights, momentum and variance: 12 bytes a parameter, sharded from stage 1
    double total_bytes = 0;      ///< the sum
};

/// Memory of the states on each of R ranks with N parameters: 16N at stage 0, (4+12/R)N at 1, (2+14/R)N at 2 and
/// 16N/R at 3.
///
/// An even share: padding of a shard to whole elements is not counted, nor are activations, buffers or the layer that
/// stage 3 has gathered.
/// Source: Rajbhandari et al., "ZeRO", arXiv:1910.02054, section 5 and table 1 (K = 12).
/// @param params parameters of the model, a count of at least 1
/// @param ranks data-parallel ranks, at least 1
/// @param zero_stage 0 to 3
/// @throws invalid_argument naming params, ranks or zero_stage
ZeroMemory zero_memory_per_gpu(double params, int ranks, int zero_stage);

/// Most ranks that a buffer is partitioned over: 2^20.
inline constexpr int most_partition_ranks = 1 << 20;

/// A flat buffer, padded so that every rank has an equal and aligned part of it.
struct ZeroPartition {
    double padded_elements = 0;    ///< the least multiple of the alignment that holds all elements
    double elements_per_rank = 0;  ///< padded_elements / ranks
    std::vector<double> padding;   ///< shape (ranks): elements of each rank's part that hold nothing
};

/// Cuts a flat buffer into one part a rank, in their order: all padding stands at the end of the buffer, on the last
/// ranks.
///
/// DeepSpeed aligns to 2·ranks elements, so that parts of 16-bit elements begin at multiples of the 4 bytes that NCCL
/// wants; PyTorch's FSDP pads to a multiple of the ranks.
/// Source: DeepSpeed, deepspeed/runtime/zero/stage_1_and_2.py, nccl_start_alignment_factor.
/// @param elements of the buffer, a count of at least 1
/// @param ranks 1 to most_partition_ranks
/// @param alignment elements that the padded buffer is a multiple of; a multiple of the ranks
/// @throws invalid_argument naming elements, also if they are padded beyond 2^53, ranks or alignment
ZeroPartition zero_partition(double elements, int ranks, double alignment);

}  // namespace shardlab
