#pragma once

/// @file
/// The fewest cards that train a model.

#include <optional>

#include <shardlab/footprint/changes.hpp>

namespace shardlab {

/// The layout with the fewest cards that holds a request's model, sequence and micro-batch.
///
/// Tried are tp within a node and dp in powers of two, pp in powers of two and where it divides the layers, every ZeRO
/// stage and every recomputation, with sequence parallelism wherever tp is more than 1; the request's schedule, recipe
/// and allowances are kept. Of equal numbers of cards the one with the least recomputation is taken, then the one that
/// sends least.
/// @return nothing where no cluster of at most bounds.most_ranks holds it
/// @throws invalid_argument as changes_that_fit() does
std::optional<FootprintRequest> smallest_cluster(const FootprintRequest& request, const ChangeBounds& bounds,
                                                 InFlightCache& cache);

}  // namespace shardlab
