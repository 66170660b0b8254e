#pragma once

/// @file
/// The training states of one rank: weights, gradients, and what the optimizer keeps.

#include <string>
#include <string_view>
#include <vector>

namespace shardlab {

/// Bytes that training keeps for every parameter.
struct PrecisionRecipe {
    std::string name;                ///< `mixed-adam`
    double weight_bytes = 2;         ///< of the weights that the passes work with
    double gradient_bytes = 2;       ///< of the gradients, with the copy that they are accumulated in where it is apart
    double master_bytes = 4;         ///< of the weights that the optimizer works with, where they are apart
    double moment_bytes = 8;         ///< of the optimizer's running means
    double matrix_moment_bytes = 8;  ///< the same for the matrices inside layers, which Muon treats differently
    std::string source;              ///< where the bytes are from

    /// Bytes of a parameter that is not a matrix inside a layer.
    double total() const { return weight_bytes + gradient_bytes + master_bytes + moment_bytes; }
};

/// All recipes; the first, `mixed-adam`, is the default.
const std::vector<PrecisionRecipe>& precision_recipes();

/// The recipe of that name.
/// @throws invalid_argument naming recipe, with the names that there are
const PrecisionRecipe& precision_recipe(std::string_view name);

/// Which states are in the memory of the host in place of the card's. From stage 2 on the gradients go with them: see
/// gradients_leave_card().
enum class Offload {
    none,        ///< all are on the card
    optimizer,   ///< master weights and moments are in host memory (ZeRO-Offload, arXiv:2101.06840)
    parameters,  ///< and the weights, of which the card has the layers at work (ZeRO-Infinity, arXiv:2104.07857)
};

/// Whether a rank's share of the gradients goes to host memory as it is made, so that the card has no more of it than
/// what is on its way: where anything is offloaded, from stage 2 on.
///
/// At stages 0 and 1 gradients stay on the card whole, until the step: DeepSpeed's stage 1 frees none of them in the
/// backward, and copies a rank's share to the host.
/// Source: Ren et al., "ZeRO-Offload", arXiv:2101.06840, section 4; DeepSpeed, deepspeed/runtime/zero/stage_1_and_2.py,
/// reduce_ipg_grads() and copy_grads_in_partition(), and stage3.py, grad_partitions_flat_buffer. PyTorch's
/// CPUOffloadPolicy has weights, gradients and optimizer in host memory too.
bool gradients_leave_card(int zero_stage, Offload offload);

/// The offload of that name (`none`, `optimizer`, `parameters`).
/// @throws invalid_argument naming offload
Offload offload_from_name(std::string_view name);

/// How the states are shared out over the ranks that have the same weights.
struct StateSharding {
    int zero_stage = 0;  ///< 0 to 3: nothing, optimizer, gradients too, weights too
    double ranks = 1;    ///< ranks that have the same weights
    double group = 0;    ///< ranks that share one set of states, a divisor of `ranks`; 0: all (hybrid sharding, FSDP's
                         ///< HYBRID_SHARD, when less)
    Offload offload = Offload::none;  ///< parameters: at stage 3 alone

    double sharing_ranks() const { return group > 0 ? group : ranks; }  ///< that share one set of states
};

/// Bytes of states on one rank.
struct StateBytes {
    double weight_bytes = 0;     ///< sharded at stage 3
    double gradient_bytes = 0;   ///< sharded from stage 2, and then offloaded with any other state
    double optimizer_bytes = 0;  ///< master weights and moments, sharded from stage 1
    double host_bytes = 0;       ///< what of them is in host memory, not part of the total

    double total() const { return weight_bytes + gradient_bytes + optimizer_bytes; }  ///< on the card

    StateBytes& operator+=(const StateBytes& other);  ///< adds every field
};

/// The parameters of a rank that are sharded alike.
struct ParameterGroup {
    double all = 0;       ///< elements on a rank before ZeRO shards them
    double matrices = 0;  ///< of them, those of matrices inside layers
};

/// Bytes that the most loaded rank holds of a group of parameters: each of the sharded states is one flat buffer,
/// padded to a multiple of the ranks that share it.
///
/// Source: Rajbhandari et al., "ZeRO", arXiv:1910.02054, section 5; padding as PyTorch's FSDP does it.
/// @throws invalid_argument naming params, ranks, group, zero_stage, offload or a field of the recipe
StateBytes state_bytes(const ParameterGroup& params, const PrecisionRecipe& recipe, const StateSharding& sharding);

/// Bytes that a rank sends in a step for gradients, and for weights that ZeRO shards, by rings.
///
/// Stage 0 all-reduces the gradients; stage 1 reduce-scatters them and all-gathers the weights, both once a step. Stage
/// 2 reduce-scatters the gradients of every micro-batch, and stage 3 gathers the weights twice for each. Under hybrid
/// sharding the groups all-reduce their shards of the gradients too. Gradients are sent in at most 4 bytes.
/// Source: Rajbhandari et al., arXiv:1910.02054, section 7.
/// @param micro_batches in a step, at least 1
/// @throws invalid_argument as state_bytes() does; naming micro_batches
double data_parallel_bytes(double params, const PrecisionRecipe& recipe, const StateSharding& sharding,
                           int micro_batches);

}  // namespace shardlab
