#pragma once

/// @file
/// What the builders share: cutting a tensor, and sending slices through a pipeline of stages.

#include <algorithm>
#include <bit>
#include <cstdint>

#include <shardlab/collective/builders.hpp>

namespace shardlab::collective {

/// The chunks of a range, cut as chunk() does, without a division for each.
class Chunks {
public:
    Chunks(Chunk range, int parts)
        : first_(range.offset),
          share_(range.count / static_cast<std::uint64_t>(parts)),
          longer_(range.count % static_cast<std::uint64_t>(parts)) {}

    /// Where chunk `index` begins; the end of the range for index = parts.
    std::uint64_t offset(int index) const {
        const auto part = static_cast<std::uint64_t>(index);
        return first_ + part * share_ + std::min(part, longer_);
    }

    /// Chunk `index`, from 0.
    Chunk operator[](int index) const { return range(index, 1); }

    /// `count` chunks from chunk `index` on, as one range.
    Chunk range(int index, int count) const {
        const std::uint64_t begin = offset(index);
        return {.offset = begin, .count = offset(index + count) - begin};
    }

private:
    std::uint64_t first_;
    std::uint64_t share_;
    std::uint64_t longer_;
};

/// The remainder from 0 to modulus - 1, also of negative numbers.
inline int modulo(int value, int modulus) {
    const int remainder = value % modulus;
    return remainder < 0 ? remainder + modulus : remainder;
}

/// ceil(log2 ranks): the levels of a binary or binomial tree.
inline int levels_of(int ranks) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks) - 1));
}

/// Steps in which `slices` pass `stages` one after the other, a stage a step; none where there is no stage.
inline int pipelined_steps(int stages, int slices) {
    return stages == 0 ? 0 : stages + slices - 1;
}

/// Calls visit(stage, slice) for each slice that is on its way in a step: slice s passes stage k in step s + k.
template <typename Visit>
void for_each_stage(int step, int stages, int slices, Visit visit) {
    const int last = std::min(step, stages - 1);
    for (int stage = std::max(0, step - slices + 1); stage <= last; ++stage) {
        visit(stage, step - stage);
    }
}

/// A transfer from one range to the same range of another rank.
inline Transfer in_place_transfer(int source, int destination, Chunk range, bool reduce, Phase phase) {
    return {.source = source,
            .destination = destination,
            .source_offset = range.offset,
            .destination_offset = range.offset,
            .count = range.count,
            .reduce = reduce,
            .phase = phase};
}

/// Ranks that stand in a ring: first, first + stride, and so on.
struct Ring {
    int first;
    int stride;
    int size;
};

/// One step of a ring reduce-scatter or all-gather: member i sends chunk (i + sent_by_first) mod size to the next.
void add_ring_step(Step& step, const Ring& ring, const Chunks& chunks, int sent_by_first, bool reduce);

/// Checks the ranks of a collective.
int require_ranks(int ranks);

/// Checks the elements of a collective.
std::uint64_t require_elements(double elements);

/// Checks that nodes of so many ranks can be filled.
/// @return the number of nodes
int require_full_nodes(int ranks, int per_node);

/// Checks the slices of a tree.
int require_slices(int slices);

}  // namespace shardlab::collective
