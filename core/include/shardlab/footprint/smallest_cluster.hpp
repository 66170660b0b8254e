#pragma once

/// @file
/// The fewest cards that train a model.

#include <optional>

#include <shardlab/footprint/changes.hpp>

namespace shardlab {

/// The layout with the fewest cards that holds a request's model, sequence and micro-batch.
///
/// Tried are every tp within a node that divides the heads, every pp up to the layers (of those above 256 powers of two
/// and divisors of the layers), every dp, every ZeRO stage and every recomputation, with sequence parallelism wherever
/// tp is more than 1. The request's schedule, micro_batches, recipe, offload and allowances are kept, and
/// recompute_every where recomputation is full; its layout, layers_per_part and shard_ranks are not, and cp and ep
/// are 1. Of equal numbers of cards the one with the least recomputation is taken, then the one that sends least.
/// @return nothing where no cluster of at most bounds.most_ranks holds it
/// @throws invalid_argument as changes_that_fit() does; naming what the schedule refuses, if it refuses every layout
std::optional<FootprintRequest> smallest_cluster(const FootprintRequest& request, const ChangeBounds& bounds,
                                                 InFlightCache& cache);

}  // namespace shardlab
