#pragma once

/// @file
/// The training states of a rank under any recipe and layout, and the collectives that keep them the same on all ranks.

#include <string>
#include <string_view>
#include <vector>

#include <shardlab/footprint/footprint.hpp>
#include <shardlab/states.hpp>

namespace shardlab {

/// Collectives of a step that are alike.
struct StateCollective {
    std::string_view collective;  ///< `reduce-scatter`, `all-gather`; `all-reduce` between groups of hybrid sharding
    std::string_view pass;        ///< `forward`, `backward`, or `step` for what follows the last backward
    double times = 0;             ///< in a step
    double bytes_per_param = 0;   ///< of what is on its way: a weight's, or a gradient's, of which 4 at most are sent
    double bytes = 0;             ///< that a rank sends in one of them
};

/// What a rank has of the training states, and sends for them.
struct ZeroStates {
    double params = 0;                  ///< of the model
    double params_on_rank = 0;          ///< of them, on a rank before ZeRO shards them
    double bytes_per_param = 0;         ///< of the recipe
    StateBytes states;                  ///< on the most loaded rank
    std::vector<StateCollective> sent;  ///< in a step, in their order
    std::vector<std::string> notes;     ///< what the request does that may not be expected, in sentences

    double sent_bytes() const;  ///< of a step
};

/// What stage 3 does with weights that it has gathered for a forward.
enum class Gathered {
    freed,  ///< and gathered once more for the backward
    kept,   ///< until their backward: all weights are on the rank between the two (FSDP2, reshard_after_forward=False)
};

/// The way of that name (`freed`, `kept`).
/// @throws invalid_argument naming gathered
Gathered gathered_from_name(std::string_view name);

/// Of so many parameters, which tensor and pipeline parallelism cut evenly, to whole elements.
///
/// The all-reduce of stage 0 is listed as the two collectives that a ring makes it of. The sum of all is that of
/// data_parallel_bytes(), but for gathered weights that are kept.
/// @param params parameters of the model, a count of at least 1
/// @param request of it are read: layout, zero_stage, shard_ranks, offload, recipe and micro_batches
/// @throws invalid_argument naming params; ep above 1, since a size has no experts; gathered, when kept below stage 3;
///     and as state_bytes() does
ZeroStates zero_states(double params, const FootprintRequest& request, Gathered gathered = Gathered::freed);

/// The same of the request's model: of its stages, the one whose states are most.
/// @throws invalid_argument as footprint() does; and naming gathered
ZeroStates zero_states(const FootprintRequest& request, Gathered gathered = Gathered::freed);

}  // namespace shardlab
