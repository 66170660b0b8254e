#pragma once

/// @file
/// The rules of a sharded block.

#include <shardlab/tensor_parallel/block.hpp>

namespace shardlab::tensor_parallel {

/// Most ranks of a tensor-parallel group.
inline constexpr int most_tensor_ranks = 1024;

/// Features of a head.
int head_size_of(const BlockShape& shape);

/// Vectors of a norm: its scale and, if it has one, its shift.
int norm_vectors(const BlockShape& shape);

/// Checks the sizes that a block has, each on its own and against each other.
/// @throws invalid_argument naming a size
void require_shape(Block block, const BlockShape& shape);

/// Checks that a block can be cut so.
/// @throws invalid_argument naming ranks, a size or forget
void require_divisible(Block block, const BlockShape& shape, const BlockOptions& options);

/// Refuses what would take minutes or not fit, before anything is allocated.
/// @throws invalid_argument naming sequence
void require_feasible(Block block, const BlockShape& shape, const BlockOptions& options);

/// Checks the shapes and values of what a block works on.
/// @throws invalid_argument naming input, output_gradient, tokens, targets or a weight
void require_data(Block block, const BlockShape& shape, const BlockData& data);

}  // namespace shardlab::tensor_parallel
