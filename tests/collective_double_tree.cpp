#include <string>
#include <vector>

#include <shardlab/collective.hpp>

#include "catch.hpp"
#include "refusal.hpp"
#include "verified.hpp"

using namespace shardlab;

namespace {

bool is_interior(const TreeNode& node) {
    return node.children[0] >= 0 || node.children[1] >= 0;
}

/// Messages from a rank to the root; -1 if the way never ends.
int depth(const std::vector<TreeNode>& tree, std::size_t rank) {
    int steps = 0;
    while (tree[rank].parent >= 0) {
        rank = static_cast<std::size_t>(tree[rank].parent);
        if (++steps > static_cast<int>(tree.size())) {
            return -1;
        }
    }
    return steps;
}

int ceil_log2(int ranks) {
    int levels = 0;
    while ((1 << levels) < ranks) {
        ++levels;
    }
    return levels;
}

}  // namespace

TEST_CASE("double tree: the trees of nine sizes are those of NCCL", "[double-tree]") {
    CHECK(agreeing_cells("nccl_double_binary_tree") == 6 * 104);
}

TEST_CASE("double tree: no rank is an interior node of both trees for an even number of ranks", "[double-tree]") {
    for (int ranks = 1; ranks <= most_ranks; ++ranks) {
        const DoubleBinaryTree tree = double_binary_tree(ranks);
        int both = 0;
        for (std::size_t rank = 0; rank < tree.trees[0].size(); ++rank) {
            both += is_interior(tree.trees[0][rank]) && is_interior(tree.trees[1][rank]) ? 1 : 0;
        }
        CAPTURE(ranks);
        CHECK(both == (ranks % 2 == 1 && ranks > 1 ? 1 : 0));
    }
}

TEST_CASE("double tree: each is one tree over all ranks, of depth ceil(log2 N), whose links have two ends",
          "[double-tree]") {
    for (const int ranks : {1, 2, 3, 5, 6, 7, 9, 17, 31, 33, 100, 255, 257, 1023, 1024}) {
        const DoubleBinaryTree both = double_binary_tree(ranks);
        for (const std::vector<TreeNode>& tree : both.trees) {
            int deepest = 0;
            int roots = 0;
            for (std::size_t rank = 0; rank < tree.size(); ++rank) {
                const int steps = depth(tree, rank);
                REQUIRE(steps >= 0);
                deepest = std::max(deepest, steps);
                roots += tree[rank].parent < 0 ? 1 : 0;
                for (const int child : tree[rank].children) {
                    const bool knows_parent =
                        child < 0 || tree[static_cast<std::size_t>(child)].parent == static_cast<int>(rank);
                    REQUIRE(knows_parent);
                }
            }
            CAPTURE(ranks);
            CHECK(roots == 1);
            CHECK(deepest == ceil_log2(ranks));
        }
    }
}

TEST_CASE("double tree: each tree moves its half, the first the longer one", "[double-tree]") {
    const CollectiveSchedule schedule = double_tree_all_reduce_schedule(2, 7);
    Step step;
    schedule.generate(0, step);
    REQUIRE(step.transfers.size() == 2);
    CHECK(step.transfers[0].count == 4);
    CHECK(step.transfers[1].count == 3);
    CHECK(step.transfers[1].source_offset == 4);
    CHECK(schedule.steps() == 2);
    require_refused("ranks", "0", [] { double_binary_tree(0); });
    require_refused("ranks", "1025", [] { double_binary_tree(1025); });
}
