#include "parts.hpp"

#include <string>

#include <shardlab/errors.hpp>

namespace shardlab {

Chunk chunk(std::uint64_t elements, int chunks, int index) {
    require_int("chunks", chunks, 1);
    require_int("index", index, 0, chunks - 1);
    return collective::Chunks({.offset = 0, .count = elements}, chunks)[index];
}

namespace collective {

void add_ring_step(Step& step, const Ring& ring, const Chunks& chunks, int sent_by_first, bool reduce) {
    const Phase phase = reduce ? Phase::reduce_scatter : Phase::all_gather;
    int sent = modulo(sent_by_first, ring.size);
    int source = ring.first;
    for (int member = 0; member < ring.size; ++member) {
        const int next = member + 1 == ring.size ? ring.first : source + ring.stride;
        step.transfers.push_back(in_place_transfer(source, next, chunks[sent], reduce, phase));
        source = next;
        sent = sent + 1 == ring.size ? 0 : sent + 1;
    }
}

int require_ranks(int ranks) {
    return require_int("ranks", ranks, 1, most_ranks);
}

std::uint64_t require_elements(double elements) {
    return static_cast<std::uint64_t>(require_count("elements", elements));
}

int require_full_nodes(int ranks, int per_node) {
    if (ranks % per_node != 0) {
        throw invalid_argument("per_node", std::to_string(per_node),
                               "divide the " + std::to_string(ranks) + " ranks, so that every node is full");
    }
    return ranks / per_node;
}

int require_slices(int slices) {
    return require_int("slices", slices, 1, most_slices);
}

}  // namespace collective
}  // namespace shardlab
