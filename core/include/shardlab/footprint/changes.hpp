#pragma once

/// @file
/// What makes a training run fit that does not.

#include <optional>
#include <string>
#include <vector>

#include <shardlab/footprint/footprint.hpp>
#include <shardlab/footprint/price.hpp>

namespace shardlab {

/// One change of a request that makes it fit.
struct Change {
    std::string parameter;              ///< zero_stage, recompute, sequence_parallel, micro_batch, tp, pp, cp or dp
    std::string value;                  ///< what it becomes
    FootprintRequest request;           ///< the request with it, and with what it takes along: micro_batches, dp
    double most_loaded_rank_bytes = 0;  ///< what is held then
    StepCost cost;                      ///< what a step costs then
};

/// A kind of change that is not offered.
struct NoChange {
    std::string parameter;  ///< as in Change
    std::string reason;     ///< a sentence
    std::optional<double>
        least_bytes;  ///< the least that any of its values leaves on the most loaded rank, if it is too much
};

/// What makes a request fit.
struct Changes {
    bool fits = false;                  ///< as it is: then nothing is offered
    StepCost cost;                      ///< what a step costs as it is
    std::vector<Change> offered;        ///< at most one of each kind
    std::vector<NoChange> not_offered;  ///< every other kind, and why
};

/// What a change may use.
struct ChangeBounds {
    double usable_bytes = 0;    ///< of a card
    int per_node = 8;           ///< cards of a node, which tensor parallelism stays in
    double most_ranks = 65536;  ///< cards
};

/// The smallest single change of each kind after which the most loaded rank fits.
///
/// Tried are tp up to a node's cards, every pp up to the layers (of those above 256 powers of two and divisors of the
/// layers), every cp that divides the sequence, every dp and every divisor of the micro-batch. tp, pp and cp take their
/// ranks from dp where one of their sizes can and fits: where it divides dp times the axis, and each data-parallel rank
/// that is left has a whole number of micro-batches, with as many sequences in a step as before. pp 2 and dp 3 become
/// pp 3 and dp 2, and 4 micro-batches 6. Where none can and fits they are more cards, of which each data-parallel rank
/// has the micro_batches that it had. A smaller micro_batch is more of them. A dp of any size is more sequences in a
/// step, each rank's micro-batches being as many as before. A change is not offered where another costs no more in any
/// respect (cards, bytes sent, FLOPs computed again, bubble, size of matrix products) and less in one.
/// @throws invalid_argument as footprint() does; naming usable_bytes, per_node or most_ranks
Changes changes_that_fit(const FootprintRequest& request, const ChangeBounds& bounds, InFlightCache& cache);

}  // namespace shardlab
