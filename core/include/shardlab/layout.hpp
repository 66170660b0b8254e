#pragma once

/// @file
/// How many ranks a training run is cut over, along each of its axes.

namespace shardlab {

/// Ranks along each axis. Expert parallelism has no ranks of its own: its groups are carved out of data and context
/// parallelism, so that experts have dp·cp/ep replicas where everything else has dp·cp.
struct Layout {
    int tp = 1;  ///< tensor-parallel ranks
    int pp = 1;  ///< pipeline stages
    int dp = 1;  ///< data-parallel ranks
    int cp = 1;  ///< context-parallel ranks: each has a part of every sequence, and all weights
    int ep = 1;  ///< expert-parallel ranks, a divisor of dp·cp

    /// The world size tp·pp·dp·cp.
    double ranks() const { return static_cast<double>(tp) * pp * dp * cp; }
    /// Ranks that have the same weights, dp·cp.
    double replicas() const { return static_cast<double>(dp) * cp; }
    /// Ranks that have the same experts, dp·cp/ep.
    double expert_replicas() const { return replicas() / ep; }
};

/// Most ranks in all: 2^24.
inline constexpr double most_world_size = 16777216.0;

/// Checks every axis, and that ep divides dp·cp.
/// @return the layout, unchanged
/// @throws invalid_argument naming tp, pp, dp, cp or ep; and ranks for more than most_world_size in all
Layout require_layout(const Layout& layout);

}  // namespace shardlab
