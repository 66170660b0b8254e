#include <memory>

#include "parts.hpp"

namespace shardlab {

using namespace collective;

namespace {

/// The child above `rank`: `distance` away or, where there are not so many ranks, half of it, a quarter and so on.
int right_child(int ranks, int rank, int distance) {
    while (distance > 0 && rank + distance >= ranks) {
        distance /= 2;
    }
    return distance == 0 ? -1 : rank + distance;
}

/// Rank 0 above the tree of all others, which is rooted at the largest power of two among them.
TreeNode root(int ranks) {
    TreeNode node;
    if (ranks > 1) {
        node.children[1] = static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks) - 1));
    }
    return node;
}

/// A rank's place in the first tree: its lowest set bit is its height, and its children stand half of it away on both
/// sides. The parent on the far side may be missing; then it is the one on the near side.
TreeNode first_tree_node(int ranks, int rank) {
    if (rank == 0) {
        return root(ranks);
    }
    const int lowest = rank & -rank;
    const int near = rank ^ lowest;
    const int far = near | (lowest << 1);
    TreeNode node;
    node.parent = far < ranks ? far : near;
    if (lowest > 1) {
        node.children[0] = rank - lowest / 2;
        node.children[1] = right_child(ranks, rank, lowest / 2);
    }
    return node;
}

/// A node of one tree as a node of another, whose ranks have other names.
template <typename NewName>
TreeNode renamed(const TreeNode& node, NewName new_name) {
    const auto rename = [&](int rank) { return rank < 0 ? -1 : new_name(rank); };
    return {.parent = rename(node.parent), .children = {rename(node.children[0]), rename(node.children[1])}};
}

/// A rank's place in the second tree: the first one's, mirrored or shifted by one.
TreeNode second_tree_node(int ranks, int rank) {
    if (ranks % 2 == 0) {
        const auto mirrored = [ranks](int other) { return ranks - 1 - other; };
        return renamed(first_tree_node(ranks, mirrored(rank)), mirrored);
    }
    const auto shifted = [ranks](int other) { return (other + 1) % ranks; };
    return renamed(first_tree_node(ranks, (rank + ranks - 1) % ranks), shifted);
}

/// A child and its parent.
struct Edge {
    int child;
    int parent;
};

/// The edges of a tree by the depth of their child: entry d - 1 has those of depth d.
using EdgesByDepth = std::vector<std::vector<Edge>>;

/// Both children of a parent stand next to each other, the first before the second.
EdgesByDepth edges_by_depth(const std::vector<TreeNode>& tree, int depth) {
    EdgesByDepth edges(static_cast<std::size_t>(depth));
    std::vector<int> parents;
    for (std::size_t rank = 0; rank < tree.size(); ++rank) {
        if (tree[rank].parent < 0) {
            parents.push_back(static_cast<int>(rank));
        }
    }
    for (std::vector<Edge>& level : edges) {
        std::vector<int> children;
        for (const int parent : parents) {
            for (const int child : tree[static_cast<std::size_t>(parent)].children) {
                if (child >= 0) {
                    level.push_back({child, parent});
                    children.push_back(child);
                }
            }
        }
        parents = std::move(children);
    }
    return edges;
}

/// What is sent along the edges of one tree.
struct Half {
    EdgesByDepth edges;
    Chunks slices;
};

void add_edges(Step& step, const std::vector<Edge>& edges, Chunk slice, bool reducing) {
    const Phase phase = reducing ? Phase::reduce : Phase::broadcast;
    for (const Edge& edge : edges) {
        step.transfers.push_back(in_place_transfer(reducing ? edge.child : edge.parent,
                                                   reducing ? edge.parent : edge.child, slice, reducing, phase));
    }
}

}  // namespace

DoubleBinaryTree double_binary_tree(int ranks) {
    require_ranks(ranks);
    DoubleBinaryTree tree;
    for (int rank = 0; rank < ranks; ++rank) {
        tree.trees[0].push_back(first_tree_node(ranks, rank));
        tree.trees[1].push_back(second_tree_node(ranks, rank));
    }
    return tree;
}

CollectiveSchedule double_tree_all_reduce_schedule(int ranks, double elements, int slices) {
    const int depth = levels_of(require_ranks(ranks));
    const std::uint64_t size = require_elements(elements);
    require_slices(slices);
    const DoubleBinaryTree tree = double_binary_tree(ranks);
    const Chunks halves({.offset = 0, .count = size}, 2);
    // A generator is copied with its schedule; the trees are not.
    auto parts = std::make_shared<std::vector<Half>>();
    for (int half = 0; half < 2; ++half) {
        parts->push_back({edges_by_depth(tree.trees[half], depth), Chunks(halves[half], slices)});
    }

    const auto generate = [=](int index, Step& step) {
        for_each_stage(index, 2 * depth, slices, [&](int stage, int slice) {
            const bool reducing = stage < depth;
            const int level = reducing ? depth - 1 - stage : stage - depth;
            for (const Half& half : *parts) {
                add_edges(step, half.edges[static_cast<std::size_t>(level)], half.slices[slice], reducing);
            }
        });
    };
    return {ranks, size, pipelined_steps(2 * depth, slices), generate};
}

}  // namespace shardlab
