#pragma once

/// @file
/// What a sharded block costs, without executing it.

#include <vector>

#include <shardlab/tensor_parallel/block.hpp>
#include <shardlab/tensor_parallel/call.hpp>
#include <shardlab/transformer.hpp>

namespace shardlab {

/// Bytes of the numbers that a layer moves.
struct ElementBytes {
    double activation = 2;  ///< activations and their gradients: bf16
    double reduction = 4;   ///< what must not lose digits: the cross-entropy's sums, gradients summed once a step
};

/// What one rank has of a block.
struct BlockCost {
    int kv_head_copies = 1;                   ///< ranks that hold each key and value head; 1 where they are sharded
    std::vector<CollectiveCall> collectives;  ///< those that run_block() calls, in its order
    double weight_elements = 0;               ///< that the rank with most holds
    double multiplications = 0;               ///< of its matrix products forward; backward takes twice as many
    double gathered_elements_kept = 0;        ///< that it keeps for the backward since f gathered them
};

/// The cost of a block on one of its ranks.
/// @throws invalid_argument naming ranks, a size or a number of bytes
BlockCost block_cost(Block block, const BlockShape& shape, const BlockOptions& options, const ElementBytes& bytes = {});

/// A collective that is called in several layers.
struct RepeatedCall {
    CollectiveCall call;  ///< what a layer calls
    int count = 1;        ///< layers that call it; 1 outside of the layers
};

/// What tensor parallelism makes a model send.
struct ModelCost {
    int kv_head_copies = 1;                 ///< ranks that hold each key and value head; 1 where they are sharded
    std::vector<RepeatedCall> collectives;  ///< those of a layer, of the vocabulary, and of what follows the layers
    double communication_bytes_per_token =
        0;                             ///< sent by a rank, forward and backward, over the tokens of a micro-batch
    double layer_multiplications = 0;  ///< of a rank's matrix products in the forward of one layer
    double layer_bytes_per_token = 0;  ///< the part of one layer in it
};

/// The cost of a model's layers and vocabulary. Of its norms those before attention and MLP are counted, and the last.
/// @param micro_batch sequences in a micro-batch
/// @param sequence tokens of a sequence
/// @throws invalid_argument as block_cost() and require_sequence() do; naming experts.count, latent.kv_rank or
///         parallel_block of a model whose layers are not such blocks
ModelCost model_cost(const TransformerShape& model, int micro_batch, int sequence, const BlockOptions& options,
                     const ElementBytes& bytes = {});

}  // namespace shardlab
