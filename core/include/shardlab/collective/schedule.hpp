#pragma once

/// @file
/// A collective as a sequence of steps, made one at a time, and the invariants that it holds.

#include <cstdint>
#include <functional>
#include <vector>

namespace shardlab {

/// Most ranks that a collective is built for.
inline constexpr int most_ranks = 1024;

/// Most steps that a schedule has: 2^22, so that a ledger of its steps fits.
inline constexpr int most_steps = 1 << 22;

/// What a transfer is part of.
enum class Phase : std::uint8_t { reduce_scatter, all_gather, reduce, broadcast, exchange };

/// The name of a phase: `reduce-scatter`, `all-gather`, `reduce`, `broadcast`, `exchange`.
const char* name(Phase phase);

/// One message: `count` elements from a range of the source rank's buffer to a range of the destination's.
struct Transfer {
    int source = 0;                        ///< rank that sends
    int destination = 0;                   ///< rank that receives
    std::uint64_t source_offset = 0;       ///< first element sent
    std::uint64_t destination_offset = 0;  ///< first element written
    std::uint64_t count = 0;               ///< elements; 0 is an empty chunk, which still takes its place in the step
    bool reduce = false;                   ///< true adds to what stands there, false replaces it
    Phase phase = Phase::reduce_scatter;   ///< what it is part of
};

/// Transfers that happen at the same time: each sends what stood there before the step. Where several add into one
/// range, they do so in the order of the list.
struct Step {
    std::vector<Transfer> transfers;  ///< all at once
};

/// The phase that most transfers of a step belong to, since phases overlap in a pipelined tree; of several the first
/// in the order of Phase. A step without transfers counts as reduce-scatter.
Phase phase_of(const Step& step);

/// A contiguous range of a tensor.
struct Chunk {
    std::uint64_t offset = 0;  ///< first element
    std::uint64_t count = 0;   ///< elements, possibly 0

    bool operator==(const Chunk&) const = default;
};

/// Chunk `index` of `elements` cut into `chunks` nearly equal parts: the first (elements mod chunks) parts have one
/// element more. 73 elements in 4 chunks are 19, 18, 18, 18.
Chunk chunk(std::uint64_t elements, int chunks, int index);

/// Where the transfers of a schedule read and write.
enum class Placement : std::uint8_t {
    in_place,      ///< one buffer a rank, read and written
    out_of_place,  ///< reads from the input, writes to an output that starts as a copy of it
};

/// A collective on the buffers of some ranks, as a sequence of steps.
///
/// Steps are made one at a time when they are asked for, so that a schedule of two million transfers can be priced
/// and drawn without ever standing in memory.
class CollectiveSchedule {
public:
    /// Fills the transfers of step `index`, a pure function of the index; the step arrives empty.
    using Generator = std::function<void(int index, Step& step)>;

    /// @throws invalid_argument for ranks outside 1 to most_ranks, elements beyond 2^53, steps outside 0 to most_steps
    ///         or an empty generator
    CollectiveSchedule(int ranks, std::uint64_t elements, int steps, Generator generator,
                       Placement placement = Placement::in_place);

    int ranks() const noexcept { return ranks_; }                  ///< world size of the group
    std::uint64_t elements() const noexcept { return elements_; }  ///< elements in each rank's buffer
    int steps() const noexcept { return steps_; }                  ///< number of steps
    Placement placement() const noexcept { return placement_; }    ///< in place or from input to output

    /// Writes step `index` into `step`, reusing its memory.
    /// @throws invalid_argument for an index outside 0 to steps() - 1
    void generate(int index, Step& step) const;

private:
    int ranks_;
    std::uint64_t elements_;
    int steps_;
    Generator generator_;
    Placement placement_;
};

/// Checks what every schedule must hold: each transfer stays inside the buffers and joins two different ranks; in no
/// step does a rank of an in-place schedule send from a range that it receives into, and none receives twice into a
/// range unless all of it is added.
/// @throws invalid_argument that names the step, the rank and what is broken
void check(const CollectiveSchedule& schedule);

}  // namespace shardlab
