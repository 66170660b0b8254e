#pragma once

/// @file
/// The closed forms of the all-reduce algorithms, each term by itself. Ranks may be more than a schedule has.

#include <bit>
#include <optional>

#include <shardlab/collective/builders.hpp>
#include <shardlab/hardware.hpp>

#include "../collective/builders/parts.hpp"

namespace shardlab::closed_forms {

/// What every closed form is made of: ranks and bytes that have been checked, and how they are cut.
struct Shape {
    int ranks;
    double bytes;
    int slices;
    int per_node;

    /// ceil(log2 N)
    int levels() const { return collective::levels_of(ranks); }
    /// Bytes of one chunk of the ring.
    double chunk_bytes() const { return bytes / ranks; }
    /// Ranks that take part in a recursive halving: the largest power of two up to all of them.
    int halving_ranks() const { return static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks))); }
    bool folds() const { return halving_ranks() < ranks; }
};

/// @throws invalid_argument naming ranks, bytes, slices or per_node
Shape require_shape(int ranks, double bytes, const ScheduleOptions& options);

/// Steps, and bytes that the busiest rank sends.
struct Sent {
    int steps;
    double bytes;
};

/// @throws invalid_argument naming algorithm, or per_node where it does not divide the ranks
Sent sent(Algorithm algorithm, const Shape& shape);

/// Seconds over links, if they have a closed form.
/// @param sent what sent() gave
std::optional<double> seconds(Algorithm algorithm, const Shape& shape, const Sent& sent, const Links& links);

}  // namespace shardlab::closed_forms
