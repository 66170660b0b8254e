#pragma once

/// @file
/// Closed forms of collectives' costs. They stand beside the executed schedules of collective.hpp, and the tests
/// hold the two together.

#include <optional>
#include <string_view>

#include <shardlab/collective/builders.hpp>
#include <shardlab/hardware.hpp>

namespace shardlab {

/// Most ranks that a closed form takes: 2^30, so that the steps are an `int`.
inline constexpr int most_priced_ranks = 1 << 30;

/// What an all-reduce costs.
struct AllReduceCost {
    int steps = 0;                   ///< steps one after the other
    double bytes_sent_per_rank = 0;  ///< bytes that the busiest rank sends; in a ring every rank sends as much
    double bus_factor = 0;           ///< bus bandwidth over algorithm bandwidth: 2(N-1)/N for any all-reduce
    std::optional<double> seconds;   ///< with a link: its time in the alpha-beta model, if that has a closed form
};

/// What no all-reduce can beat that adds in the ranks alone.
struct AllReduceBound {
    double total_bytes = 0;         ///< that all ranks together send
    double busiest_rank_bytes = 0;  ///< that the rank which sends most sends
};

/// All ranks together send at least 2·bytes·(N-1), so one of them at least 2·bytes·(N-1)/N.
///
/// Take one element. Its N contributions stand in N ranks, and the first rank to hold their sum holds it after at least
/// N - 1 messages, since each message can bring together only what its two ends hold. None of the N - 1 other ranks
/// holds the sum by then, and each needs one more message to get it. A switch that adds, as SHARP does, is under no
/// such bound. A ring attains both; a tree attains the first alone.
/// Source: Patarasuk and Yuan (2009), section 2.
/// @throws invalid_argument naming ranks or bytes
AllReduceBound all_reduce_lower_bound(int ranks, double bytes);

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

/// The all-reduce of an algorithm: its steps, and the bytes that its busiest rank sends, exact where all chunks and
/// slices are equal. With N ranks, tensors of S bytes and L = ceil(log2 N):
///
///     ring              2(N-1) steps               2 S (N-1)/N bytes
///     naive             2(N-1)                     S (N-1)
///     tree              2L + slices - 1            S L
///     double-tree       2L + slices - 1            2 S (1.5 S of 3 ranks, S of 2)
///     halving-doubling  2 log2 P                   2 S (P-1)/P, P the largest power of two up to N
///                       2 log2 P + 2 if P < N      2 S (P-1)/P + S
///     hierarchical      2(g-1) + 2(k-1)            2 S (N-1)/N, k nodes of g ranks
///
/// @param options its per_node is not limited to most_ranks
/// @throws invalid_argument naming algorithm, ranks, bytes, slices or per_node
AllReduceCost all_reduce_cost(Algorithm algorithm, int ranks, double bytes, const ScheduleOptions& options = {});

/// The same with its time, where that has a closed form: on one kind of link for all algorithms, on two for ring, naive
/// and, with nodes as its own, hierarchical. `seconds` is empty elsewhere; price_seconds() has the schedule's.
///
/// With alpha and beta = 1/bytes_per_second of one link, the bytes of the table take beta each, and the steps alpha;
/// but in a tree with s slices, where several slices pass the busiest port in one step, it is
///
///     tree         (2L s - c) · S/s · beta, c = floor(s^2/4) up to s = 2L, and L (s - L) from there on
///     double-tree  (4 s + 4L - 6) · S/(2 s) · beta (3 s + 3 for 3 ranks and 2 s for 2, in place of the bracket)
///
/// which for the double tree is exact for ranks that are a power of two where s = 1 or s >= 2L, and at most two steps'
/// more than the schedule takes elsewhere. On two links, a step of the ring lasts as long as its slower one.
/// @throws invalid_argument naming algorithm, ranks, bytes, slices, per_node or a field of the links
AllReduceCost all_reduce_cost(Algorithm algorithm, int ranks, double bytes, const ScheduleOptions& options,
                              const Links& links);

/// Which tree: results differ by an order of magnitude between them, so it is always named.
enum class Tree {
    binomial,         ///< reduce to rank 0 along a binomial tree, then broadcast back; whole messages or slices
    double_binary,    ///< NCCL's two trees, half of the tensor each
    pipelined_bound,  ///< 2 ceil(log2 N) alpha + 2 S beta, which no finite number of slices reaches
};

/// `binomial`, `double-binary` or `pipelined-bound`.
const char* name(Tree tree);

/// The tree of that name.
/// @throws invalid_argument naming tree
Tree tree_from_name(std::string_view name);

/// The tree all-reduce on one kind of link. On whole messages along a binomial tree it takes 2·ceil(log2 N) steps, each
/// of the whole tensor, and 2·ceil(log2 N)·(alpha + S / bytes_per_second) seconds; the root is the busiest rank, and
/// sends the tensor ceil(log2 N) times in the broadcast.
/// Source: Thakur, Rabenseifner and Gropp (2005), the binomial trees of broadcast and reduce; the bound is that of
/// Sanders, Speck and Träff (2009) for two trees.
/// @param slices parts of the tensor that follow each other, 1 to most_slices; the bound passes them over
/// @throws invalid_argument naming tree, ranks, bytes, slices, latency_seconds or bytes_per_second
AllReduceCost tree_all_reduce_cost(int ranks, double bytes, const Link& link, Tree tree, int slices = 1);

/// The short form, for messages so small that only latency counts: seconds are 2·ceil(log2 N)·latency_per_step.
/// @throws invalid_argument naming ranks, bytes or latency_per_step
AllReduceCost tree_all_reduce_cost(int ranks, double bytes, double latency_per_step);

}  // namespace shardlab
