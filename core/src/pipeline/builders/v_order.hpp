#pragma once

// Lists of a device that has two chunks, an early and a late one, as DualPipe writes them.

#include <array>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include <shardlab/pipeline/schedule.hpp>

namespace shardlab::pipeline {

/// One of a device's two chunks, and how its micro-batches are numbered.
struct VChunk {
    int model_part = 0;
    int first_micro_batch = 0;  ///< what the chunk's micro-batch 0 is
};

/// Writes a device's list: for each chunk and kind of operation the next micro-batch, one after the other.
class VOrder {
public:
    enum Chunk : std::size_t { early = 0, late = 1 };

    VOrder(VChunk early_chunk, VChunk late_chunk) : chunks_{early_chunk, late_chunk} {}

    void forward(Chunk chunk) { add(OperationKind::forward, chunk, forwards_[chunk]++); }
    void backward(Chunk chunk) { add(OperationKind::backward, chunk, backwards_[chunk]++); }

    /// The next forward of one chunk and backward of another at the same time.
    void overlapped(Chunk forward_of, Chunk backward_of);

    /// The next backward's input gradient; its weight gradient waits in a queue.
    void input_gradient(Chunk chunk);

    /// The longest waiting weight gradient of both chunks.
    void weight_gradient();

    std::vector<Operation> list() && { return std::move(list_); }  ///< what was written

private:
    struct Waiting {
        Chunk chunk;
        int micro_batch;
    };

    void add(OperationKind kind, Chunk chunk, int micro_batch, bool overlaps_next = false);

    std::array<VChunk, 2> chunks_;
    std::array<int, 2> forwards_{};
    std::array<int, 2> backwards_{};
    std::deque<Waiting> waiting_;
    std::vector<Operation> list_;
};

}  // namespace shardlab::pipeline
