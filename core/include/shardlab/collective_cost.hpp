#pragma once

/// @file
/// Closed forms of collectives' costs. They stand beside the executed schedules of collective.hpp, and the tests
/// hold the two together.

#include <optional>
#include <string_view>

#include <shardlab/hardware.hpp>

namespace shardlab {

/// Most ranks that a closed form takes: 2^30, so that the steps are an `int`.
inline constexpr int most_priced_ranks = 1 << 30;

/// What an all-reduce costs.
struct AllReduceCost {
    int steps = 0;                   ///< steps one after the other
    double bytes_sent_per_rank = 0;  ///< bytes that the busiest rank sends; in a ring every rank sends as much
    double bus_factor = 0;           ///< bus bandwidth over algorithm bandwidth: 2(N-1)/N for any all-reduce
    std::optional<double> seconds;   ///< with a link: its time in the alpha-beta model
};

/// The ring all-reduce: 2(N-1) steps, and 2·bytes·(N-1)/N bytes sent by each rank.
///
/// Exact where N divides the elements; otherwise the chunks differ by one element and so do the ranks.
/// Source: Patarasuk and Yuan (2009), section 3; the bus factor is that of NVIDIA's nccl-tests, doc/PERFORMANCE.md.
/// @param ranks world size N, 1 to most_priced_ranks
/// @param bytes size of each rank's tensor S, a count
/// @throws invalid_argument naming ranks or bytes
AllReduceCost all_reduce_cost(int ranks, double bytes);

/// The same with its time: 2(N-1)·alpha + 2(N-1)/N · S / bytes_per_second.
/// @throws invalid_argument naming ranks, bytes, latency_seconds or bytes_per_second
AllReduceCost all_reduce_cost(int ranks, double bytes, const Link& link);

/// Which tree: results differ by an order of magnitude between them, so it is always named.
enum class Tree {
    binomial,  ///< whole messages: reduce to rank 0 along a binomial tree, then broadcast back
};

/// The tree of that name (`binomial`).
/// @throws invalid_argument naming tree
Tree tree_from_name(std::string_view name);

/// The tree all-reduce on whole messages: 2·ceil(log2 N) steps, each of the whole tensor.
///
/// The root is the busiest rank: it sends the tensor ceil(log2 N) times in the broadcast. Seconds are
/// 2·ceil(log2 N)·(alpha + S / bytes_per_second).
/// Source: Thakur, Rabenseifner and Gropp (2005), the binomial trees of broadcast and reduce.
/// @throws invalid_argument naming ranks, bytes, latency_seconds or bytes_per_second
AllReduceCost tree_all_reduce_cost(int ranks, double bytes, const Link& link, Tree tree);

/// The short form, for messages so small that only latency counts: seconds are 2·ceil(log2 N)·latency_per_step.
/// @throws invalid_argument naming ranks, bytes or latency_per_step
AllReduceCost tree_all_reduce_cost(int ranks, double bytes, double latency_per_step);

}  // namespace shardlab
