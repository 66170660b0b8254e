#pragma once

/// @file
/// Where one algorithm overtakes another as tensors grow.

#include <string_view>
#include <vector>

#include <shardlab/collective/price.hpp>
#include <shardlab/hardware.hpp>

namespace shardlab {

/// The name of pipelined_tree_bound() among the algorithms of price_curve_from_name().
inline constexpr const char* pipelined_tree_bound_name = "pipelined-tree-bound";

/// What a pipelined tree takes at best: 2·ceil(log2 N)·alpha + 2·S / bytes_per_second. No finite number of slices
/// reaches it, since slices have a latency each.
/// Source: Sanders, Speck and Träff (2009), for two trees.
/// @throws invalid_argument naming ranks, latency_seconds or bytes_per_second
PriceCurve pipelined_tree_bound(int ranks, const Link& link);

/// The curve of an all-reduce by the name of its algorithm, or of pipelined_tree_bound(), which knows one kind of link
/// alone and is refused on two.
/// @throws invalid_argument naming algorithm, ranks, slices, per_node or a field of the links
PriceCurve price_curve_from_name(std::string_view name, int ranks, const ScheduleOptions& options, const Links& links);

/// Which of two curves takes less time.
enum class Faster { first, second, equal };

/// A range of sizes in which it stays the same one.
struct FasterRange {
    double from_bytes = 0;          ///< where it begins
    double to_bytes = 0;            ///< where it ends
    Faster faster = Faster::equal;  ///< which takes less time inside
};

/// Two curves compared at all sizes from 0 to 2^53 bytes, fractions too.
struct Crossover {
    /// Sizes over 0 at which both take the same time, in order: each at which they cross or touch; where they run
    /// together over a range, the sizes at which it begins and ends.
    std::vector<double> crossings;
    /// From 0 to largest_count without a gap; neighbours differ. A size at which the curves only touch does not cut.
    std::vector<FasterRange> ranges;
};

/// Compares two curves. Both are piecewise linear, so that every crossing is found: one at most with one kind of link,
/// where schedules have straight lines; several with two kinds. Times that differ by 1e-12 of them or less are the
/// same: that is what rounding leaves of sums that are equal.
Crossover crossover(const PriceCurve& first, const PriceCurve& second);

}  // namespace shardlab
