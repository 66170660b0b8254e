#include <algorithm>
#include <bit>

#include <shardlab/collective.hpp>
#include <shardlab/errors.hpp>

namespace shardlab {
namespace {

int modulo(int value, int ranks) {
    return ((value % ranks) + ranks) % ranks;
}

}  // namespace

Chunk chunk(std::uint64_t elements, int chunks, int index) {
    require_int("chunks", chunks, 1);
    require_int("index", index, 0, chunks - 1);
    const auto parts = static_cast<std::uint64_t>(chunks);
    const auto part = static_cast<std::uint64_t>(index);
    const std::uint64_t share = elements / parts;
    const std::uint64_t longer = elements % parts;
    return {.offset = part * share + std::min(part, longer), .count = share + (part < longer ? 1 : 0)};
}

CollectiveSchedule ring_all_reduce_schedule(int ranks, double elements) {
    require_int("ranks", ranks, 1, most_ranks);
    const auto size = static_cast<std::uint64_t>(require_count("elements", elements));
    const int steps_per_phase = ranks - 1;

    const auto generate = [=](int index, Step& step) {
        const bool reducing = index < steps_per_phase;
        // The all-gather starts where the reduce-scatter ended: rank r holds the whole sum of chunk r + 1.
        const int step_of_phase = reducing ? index : index - steps_per_phase - 1;
        step.phase = reducing ? Phase::reduce_scatter : Phase::all_gather;
        for (int rank = 0; rank < ranks; ++rank) {
            const Chunk sent = chunk(size, ranks, modulo(rank - step_of_phase, ranks));
            step.transfers.push_back({.source = rank,
                                      .destination = modulo(rank + 1, ranks),
                                      .source_offset = sent.offset,
                                      .destination_offset = sent.offset,
                                      .count = sent.count,
                                      .reduce = reducing});
        }
    };
    return {ranks, size, 2 * steps_per_phase, generate};
}

CollectiveSchedule binomial_tree_all_reduce_schedule(int ranks, double elements) {
    require_int("ranks", ranks, 1, most_ranks);
    const auto size = static_cast<std::uint64_t>(require_count("elements", elements));
    const auto levels = static_cast<int>(std::bit_width(static_cast<unsigned>(ranks) - 1));

    const auto generate = [=](int index, Step& step) {
        const bool reducing = index < levels;
        const int level = reducing ? index : 2 * levels - 1 - index;
        const int distance = 1 << level;
        step.phase = reducing ? Phase::reduce : Phase::broadcast;
        for (int child = distance; child < ranks; child += 2 * distance) {
            const int parent = child - distance;
            step.transfers.push_back({.source = reducing ? child : parent,
                                      .destination = reducing ? parent : child,
                                      .source_offset = 0,
                                      .destination_offset = 0,
                                      .count = size,
                                      .reduce = reducing});
        }
    };
    return {ranks, size, 2 * levels, generate};
}

}  // namespace shardlab
