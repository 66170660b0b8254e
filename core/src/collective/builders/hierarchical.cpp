#include <shardlab/errors.hpp>

#include "parts.hpp"

namespace shardlab {

using namespace collective;

namespace {

/// Nodes of equally many ranks.
struct Nodes {
    int count;
    int ranks_each;

    Ring inside(int node) const { return {.first = node * ranks_each, .stride = 1, .size = ranks_each}; }
    Ring across(int local) const { return {.first = local, .stride = ranks_each, .size = count}; }
};

/// One step of the rings inside the nodes, in which local rank l ends, or starts, with chunk l.
void add_inside(Step& step, const Nodes& nodes, const Chunks& shards, int index, bool reducing) {
    for (int node = 0; node < nodes.count; ++node) {
        add_ring_step(step, nodes.inside(node), shards, (reducing ? -1 : 0) - index, reducing);
    }
}

/// One step of the all-reduces between the nodes, one for each local rank on its shard.
void add_across(Step& step, const Nodes& nodes, const Chunks& shards, int index) {
    const int steps_per_phase = nodes.count - 1;
    const bool reducing = index < steps_per_phase;
    const int step_of_phase = reducing ? index : index - steps_per_phase - 1;
    for (int local = 0; local < nodes.ranks_each; ++local) {
        add_ring_step(step, nodes.across(local), Chunks(shards[local], nodes.count), -step_of_phase, reducing);
    }
}

}  // namespace

CollectiveSchedule hierarchical_all_reduce_schedule(int ranks, double elements, int per_node) {
    require_ranks(ranks);
    require_int("per_node", per_node, 1, most_ranks);
    const Nodes nodes{.count = require_full_nodes(ranks, per_node), .ranks_each = per_node};
    const std::uint64_t size = require_elements(elements);
    const Chunks shards({.offset = 0, .count = size}, per_node);
    const int inside = nodes.ranks_each - 1;
    const int across = 2 * (nodes.count - 1);

    const auto generate = [=](int index, Step& step) {
        if (index < inside) {
            add_inside(step, nodes, shards, index, true);
        } else if (index < inside + across) {
            add_across(step, nodes, shards, index - inside);
        } else {
            add_inside(step, nodes, shards, index - inside - across, false);
        }
    };
    return {ranks, size, 2 * inside + across, generate};
}

}  // namespace shardlab
