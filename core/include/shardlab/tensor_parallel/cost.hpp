#pragma once

/// @file
/// What a sharded block costs, without executing it.

#include <vector>

#include <shardlab/tensor_parallel/block.hpp>
#include <shardlab/tensor_parallel/call.hpp>

namespace shardlab {

/// Bytes of the numbers that a layer moves.
struct ElementBytes {
    double activation = 2;  ///< activations and their gradients: bf16
    double reduction = 4;   ///< what must not lose digits: the cross-entropy's sums, gradients summed once a step
};

/// What one rank has of a block.
struct BlockCost {
    std::vector<CollectiveCall> collectives;  ///< those that run_block() calls, in its order
    double weight_elements = 0;               ///< that the rank with most holds
    double multiplications = 0;               ///< of its matrix products forward; backward takes twice as many
    double gathered_elements_kept = 0;        ///< that it keeps for the backward since f gathered them
};

/// The cost of a block on one of its ranks.
/// @throws invalid_argument naming ranks, a size or a number of bytes
BlockCost block_cost(Block block, const BlockShape& shape, const BlockOptions& options, const ElementBytes& bytes = {});

}  // namespace shardlab
