#pragma once

/// @file
/// The collectives of the field as schedules.
///
/// All take ranks from 1 to most_ranks and any number of elements: where they do not divide, chunks differ by one
/// element, and fewer elements than chunks leave some empty. `elements` is always the whole buffer of each rank.

#include <cstdint>
#include <string_view>
#include <vector>

#include <shardlab/collective/schedule.hpp>

namespace shardlab {

/// How an all-reduce is done.
enum class Algorithm : std::uint8_t { ring, naive, tree, double_tree, halving_doubling, hierarchical };

/// All of them, in the order of the enumeration.
inline constexpr Algorithm algorithms[] = {
    Algorithm::ring,        Algorithm::naive, Algorithm::tree, Algorithm::double_tree, Algorithm::halving_doubling,
    Algorithm::hierarchical};

/// `ring`, `naive`, `tree`, `double-tree`, `halving-doubling` or `hierarchical`.
const char* name(Algorithm algorithm);

/// The algorithm of that name.
/// @throws invalid_argument naming algorithm
Algorithm algorithm_from_name(std::string_view name);

/// What a collective leaves where.
enum class Kind : std::uint8_t { all_reduce, reduce_scatter, all_gather, broadcast, reduce, all_to_all };

/// `all-reduce`, `reduce-scatter`, `all-gather`, `broadcast`, `reduce` or `all-to-all`.
const char* name(Kind kind);

/// The collective of that name.
/// @throws invalid_argument naming kind
Kind kind_from_name(std::string_view name);

/// Whether a collective reduces: all-reduce, reduce-scatter and reduce.
bool reduces(Kind kind);

/// The part of a rank's buffer that a collective defines: rank 0's alone after a reduce, a rank's own chunk after a
/// reduce-scatter, all of it after the others. The rest holds partial sums.
/// @throws invalid_argument naming ranks or rank
Chunk result_of(Kind kind, int ranks, int rank, std::uint64_t elements);

/// Most slices that a tree cuts its tensor into.
inline constexpr int most_slices = 1 << 16;

/// What some algorithms want to know beside ranks and elements; the others pass it over.
struct ScheduleOptions {
    int slices = 1;    ///< parts of the tensor that follow each other through a tree, 1 to most_slices
    int per_node = 8;  ///< ranks in a node of the hierarchical all-reduce, 1 to most_ranks
};

/// The all-reduce of an algorithm.
/// @throws invalid_argument naming algorithm, ranks, elements, slices or per_node
CollectiveSchedule all_reduce_schedule(Algorithm algorithm, int ranks, double elements,
                                       const ScheduleOptions& options = {});

/// A collective by its usual algorithm: all-reduce, reduce-scatter and all-gather by a ring, broadcast and reduce by a
/// binomial tree with rank 0 as its root, all-to-all by pairwise exchange.
/// @param slices for broadcast and reduce, 1 to most_slices; the others pass it over
/// @throws invalid_argument naming kind, ranks, elements or slices
CollectiveSchedule collective_schedule(Kind kind, int ranks, double elements, int slices = 1);

/// The ring all-reduce: a reduce-scatter of N - 1 steps, then an all-gather of N - 1 steps, on N chunks.
///
/// In step s of the reduce-scatter rank r sends chunk (r - s) mod N to rank r + 1, which adds it; after N - 1 steps
/// rank r holds the whole sum of chunk (r + 1) mod N. In step s of the all-gather it passes on chunk (r + 1 - s)
/// mod N. Every rank sends one chunk in every step.
/// Source: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69 (2009).
/// @throws invalid_argument for ranks outside 1 to most_ranks, or elements that are no count
CollectiveSchedule ring_all_reduce_schedule(int ranks, double elements);

/// The naive all-reduce: ranks 1 to N - 1 send their tensor to rank 0, one after the other, and rank 0 sends the sum to
/// each of them, one after the other: 2(N - 1) steps of the whole tensor.
/// @throws invalid_argument for ranks outside 1 to most_ranks, or elements that are no count
CollectiveSchedule naive_all_reduce_schedule(int ranks, double elements);

/// The binomial tree all-reduce: a reduce to rank 0 in L = ceil(log2 N) levels, then a broadcast back.
///
/// In level k of the reduce every rank that is an odd multiple of 2^k sends its buffer to the rank 2^k below it. The
/// tensor may be cut into slices, which follow each other a level apart; slice s passes level k in step s + k, and its
/// broadcast begins when the root has it: 2L + slices - 1 steps.
/// Source: Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH",
/// IJHPCA 19 (2005), the binomial trees of broadcast and reduce.
/// @throws invalid_argument naming ranks, elements or slices
CollectiveSchedule binomial_tree_all_reduce_schedule(int ranks, double elements, int slices = 1);

/// One rank's place in a tree.
struct TreeNode {
    int parent = -1;             ///< -1 at the root
    int children[2] = {-1, -1};  ///< -1 where there is none

    bool operator==(const TreeNode&) const = default;
};

/// NCCL's two binary trees, a node for each rank. For an even number of ranks no rank has children in both, for an odd
/// number only rank 0 does.
struct DoubleBinaryTree {
    std::vector<TreeNode> trees[2];  ///< shape (2, ranks)
};

/// The double binary tree of some ranks.
///
/// In the first tree a rank's lowest set bit is its height above the leaves, and rank 0 is a root with one child; the
/// second is the first one mirrored (r to N - 1 - r) for an even number of ranks, shifted by one for an odd number.
/// Source: Sanders, Speck and Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan", Parallel
/// Computing 35 (2009); the trees are those of NCCL, src/graph/trees.cc.
/// @throws invalid_argument naming ranks
DoubleBinaryTree double_binary_tree(int ranks);

/// The double binary tree all-reduce: each tree reduces and broadcasts half of the elements, the first the longer half.
///
/// With D = ceil(log2 N), the depth of both trees, slice s of a half leaves a rank of depth d in step s + D - d of the
/// reduce, and reaches it in step s + D + d - 1: 2D + slices - 1 steps. A parent adds what both of its children send
/// in one step, first the first child's.
/// @throws invalid_argument naming ranks, elements or slices
CollectiveSchedule double_tree_all_reduce_schedule(int ranks, double elements, int slices = 1);

/// Rabenseifner's all-reduce: a reduce-scatter by recursive halving, then an all-gather by recursive doubling.
///
/// Among P ranks, a power of two, each sends half of its tensor to its neighbour, then a quarter to the rank 2 away, an
/// eighth to the one 4 away and so on: what is large stays near, in the node where there are nodes. The all-gather
/// takes the same way back: 2·log2(P) steps. Of other numbers, P + e, the first 2e ranks pair up: each even one sends
/// its whole tensor to the next one before, and gets the sum back after. Source: Rabenseifner, "Optimization of
/// collective reduction operations", ICCS 2004; Thakur, Rabenseifner and Gropp (2005), section 4.
/// @throws invalid_argument naming ranks or elements
CollectiveSchedule halving_doubling_all_reduce_schedule(int ranks, double elements);

/// The hierarchical all-reduce of k nodes with g = per_node ranks: a ring reduce-scatter inside each node, ring
/// all-reduces between the nodes, one for each local rank's shard, and a ring all-gather inside each node.
///
/// Rank r is local rank r mod g of node r / g: 2(g - 1) + 2(k - 1) steps.
/// @throws invalid_argument naming ranks, elements or per_node; per_node too where it does not divide ranks
CollectiveSchedule hierarchical_all_reduce_schedule(int ranks, double elements, int per_node);

/// The ring reduce-scatter: N - 1 steps, after which rank r holds the whole sum of chunk r. The rest of its buffer
/// holds partial sums.
/// @throws invalid_argument naming ranks or elements
CollectiveSchedule ring_reduce_scatter_schedule(int ranks, double elements);

/// The ring all-gather: N - 1 steps, in which chunk r of rank r's buffer reaches every rank.
/// @throws invalid_argument naming ranks or elements
CollectiveSchedule ring_all_gather_schedule(int ranks, double elements);

/// The binomial tree broadcast of rank 0's buffer: ceil(log2 N) + slices - 1 steps.
/// @throws invalid_argument naming ranks, elements or slices
CollectiveSchedule binomial_tree_broadcast_schedule(int ranks, double elements, int slices = 1);

/// The binomial tree reduce to rank 0: ceil(log2 N) + slices - 1 steps. The other buffers hold partial sums.
/// @throws invalid_argument naming ranks, elements or slices
CollectiveSchedule binomial_tree_reduce_schedule(int ranks, double elements, int slices = 1);

/// The all-to-all by pairwise exchange, out of place: in step s rank r sends its block for rank r + s + 1, for N - 1
/// steps.
///
/// Where N divides the elements, block p of rank r becomes block r of rank p. Otherwise the block between ranks r and p
/// has the elements of chunk (r + p) mod N, in both directions, so that every rank sends and receives its whole buffer:
/// blocks stand in the order of the other rank.
/// Source: Thakur, Rabenseifner and Gropp (2005), section 4, the pairwise exchange.
/// @throws invalid_argument naming ranks or elements
CollectiveSchedule all_to_all_schedule(int ranks, double elements);

/// The least number of elements, at least 1, that an all-reduce cuts into equal chunks and slices.
/// @throws invalid_argument as all_reduce_schedule() does
double even_elements(Algorithm algorithm, int ranks, const ScheduleOptions& options = {});

}  // namespace shardlab
