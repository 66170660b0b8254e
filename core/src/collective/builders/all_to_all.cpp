#include "parts.hpp"

namespace shardlab {

using namespace collective;

namespace {

/// Where the block for `peer` stands in the buffer of `rank`: after those of all peers before it, whose sizes are the
/// chunks rank, rank + 1 and so on round the circle.
std::uint64_t block_offset(const Chunks& chunks, int ranks, int rank, int peer) {
    const int end = rank + peer;
    const std::uint64_t begin = chunks.offset(rank);
    return end <= ranks ? chunks.offset(end) - begin : chunks.offset(ranks) - begin + chunks.offset(end - ranks);
}

}  // namespace

CollectiveSchedule all_to_all_schedule(int ranks, double elements) {
    require_ranks(ranks);
    const std::uint64_t size = require_elements(elements);
    const Chunks chunks({.offset = 0, .count = size}, ranks);

    const auto generate = [=](int index, Step& step) {
        for (int rank = 0; rank < ranks; ++rank) {
            const int peer = modulo(rank + index + 1, ranks);
            step.transfers.push_back({.source = rank,
                                      .destination = peer,
                                      .source_offset = block_offset(chunks, ranks, rank, peer),
                                      .destination_offset = block_offset(chunks, ranks, peer, rank),
                                      .count = chunks[modulo(rank + peer, ranks)].count,
                                      .reduce = false,
                                      .phase = Phase::exchange});
        }
    };
    return {ranks, size, ranks - 1, generate, Placement::out_of_place};
}

}  // namespace shardlab
