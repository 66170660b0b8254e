#include "parts.hpp"

namespace shardlab {

using namespace collective;

namespace {

/// The transfers of one level, 0 at the leaves: each odd multiple of 2^level and the rank 2^level below it.
void add_level(Step& step, int ranks, int level, Chunk slice, bool reducing) {
    const int distance = 1 << level;
    const Phase phase = reducing ? Phase::reduce : Phase::broadcast;
    for (int child = distance; child < ranks; child += 2 * distance) {
        const int parent = child - distance;
        step.transfers.push_back(
            in_place_transfer(reducing ? child : parent, reducing ? parent : child, slice, reducing, phase));
    }
}

/// Which way through the tree a tensor goes.
struct Route {
    bool up;
    bool down;
};

/// Slices pass the levels of the route one after the other, up to the root and then down again.
CollectiveSchedule binomial_tree_schedule(int ranks, double elements, int slices, Route route) {
    const int levels = levels_of(require_ranks(ranks));
    const std::uint64_t size = require_elements(elements);
    const Chunks parts({.offset = 0, .count = size}, require_slices(slices));
    const int stages_up = route.up ? levels : 0;
    const int stages = stages_up + (route.down ? levels : 0);

    const auto generate = [=](int index, Step& step) {
        for_each_stage(index, stages, slices, [&](int stage, int slice) {
            const bool reducing = stage < stages_up;
            const int level = reducing ? stage : stages - 1 - stage;
            add_level(step, ranks, level, parts[slice], reducing);
        });
    };
    return {ranks, size, pipelined_steps(stages, slices), generate};
}

}  // namespace

CollectiveSchedule binomial_tree_all_reduce_schedule(int ranks, double elements, int slices) {
    return binomial_tree_schedule(ranks, elements, slices, {.up = true, .down = true});
}

CollectiveSchedule binomial_tree_reduce_schedule(int ranks, double elements, int slices) {
    return binomial_tree_schedule(ranks, elements, slices, {.up = true, .down = false});
}

CollectiveSchedule binomial_tree_broadcast_schedule(int ranks, double elements, int slices) {
    return binomial_tree_schedule(ranks, elements, slices, {.up = false, .down = true});
}

}  // namespace shardlab
