#include "parts.hpp"

namespace shardlab {

using namespace collective;

CollectiveSchedule ring_all_reduce_schedule(int ranks, double elements) {
    const Ring ring{.first = 0, .stride = 1, .size = require_ranks(ranks)};
    const std::uint64_t size = require_elements(elements);
    const Chunks chunks({.offset = 0, .count = size}, ranks);
    const int steps_per_phase = ranks - 1;

    const auto generate = [=](int index, Step& step) {
        const bool reducing = index < steps_per_phase;
        // The all-gather starts where the reduce-scatter ended: rank r holds the whole sum of chunk r + 1.
        const int step_of_phase = reducing ? index : index - steps_per_phase - 1;
        add_ring_step(step, ring, chunks, -step_of_phase, reducing);
    };
    return {ranks, size, 2 * steps_per_phase, generate};
}

CollectiveSchedule ring_reduce_scatter_schedule(int ranks, double elements) {
    const Ring ring{.first = 0, .stride = 1, .size = require_ranks(ranks)};
    const std::uint64_t size = require_elements(elements);
    const Chunks chunks({.offset = 0, .count = size}, ranks);

    // A chunk behind the all-reduce's, so that rank r ends with chunk r.
    const auto generate = [=](int index, Step& step) { add_ring_step(step, ring, chunks, -1 - index, true); };
    return {ranks, size, ranks - 1, generate};
}

CollectiveSchedule ring_all_gather_schedule(int ranks, double elements) {
    const Ring ring{.first = 0, .stride = 1, .size = require_ranks(ranks)};
    const std::uint64_t size = require_elements(elements);
    const Chunks chunks({.offset = 0, .count = size}, ranks);

    const auto generate = [=](int index, Step& step) { add_ring_step(step, ring, chunks, -index, false); };
    return {ranks, size, ranks - 1, generate};
}

}  // namespace shardlab
