#pragma once

/// @file
/// Collectives as data: a schedule of simultaneous transfers, and what reads it.
///
///     builders ──► CollectiveSchedule ──► execute   (real numbers, a ledger of bytes)
///                                    ├──► ledger    (the same bytes, without the numbers)
///                                    ├──► price     (alpha-beta links: seconds)
///                                    └──► check     (the invariants of a schedule)

#include <cstdint>
#include <functional>
#include <vector>

#include <shardlab/array.hpp>
#include <shardlab/hardware.hpp>

namespace shardlab {

/// Most ranks that a collective is built for.
inline constexpr int most_ranks = 1024;

/// What a step is part of.
enum class Phase : std::uint8_t { reduce_scatter, all_gather, reduce, broadcast };

/// The name of a phase: `reduce-scatter`, `all-gather`, `reduce`, `broadcast`.
const char* name(Phase phase);

/// One message: `count` elements from a range of the source rank's buffer to a range of the destination's.
struct Transfer {
    int source = 0;                        ///< rank that sends
    int destination = 0;                   ///< rank that receives
    std::uint64_t source_offset = 0;       ///< first element sent
    std::uint64_t destination_offset = 0;  ///< first element written
    std::uint64_t count = 0;               ///< elements; 0 is an empty chunk, which still takes its place in the step
    bool reduce = false;                   ///< true adds to what stands there, false replaces it
};

/// Transfers that happen at the same time. No rank sends from a range that it receives into in the same step.
struct Step {
    Phase phase = Phase::reduce_scatter;  ///< what the step is part of
    std::vector<Transfer> transfers;      ///< all at once
};

/// A contiguous range of a tensor.
struct Chunk {
    std::uint64_t offset = 0;  ///< first element
    std::uint64_t count = 0;   ///< elements, possibly 0

    bool operator==(const Chunk&) const = default;
};

/// Chunk `index` of `elements` cut into `chunks` nearly equal parts: the first (elements mod chunks) parts have one
/// element more. 73 elements in 4 chunks are 19, 18, 18, 18.
Chunk chunk(std::uint64_t elements, int chunks, int index);

/// A collective on one buffer a rank, as a sequence of steps.
///
/// Steps are made one at a time when they are asked for, so that a schedule of two million transfers can be priced
/// and drawn without ever standing in memory.
class CollectiveSchedule {
public:
    /// Fills the transfers and the phase of step `index`; the step arrives empty.
    using Generator = std::function<void(int index, Step& step)>;

    /// @throws invalid_argument for ranks outside 1 to most_ranks, a negative number of steps or an empty generator
    CollectiveSchedule(int ranks, std::uint64_t elements, int steps, Generator generator);

    int ranks() const noexcept { return ranks_; }                  ///< world size of the group
    std::uint64_t elements() const noexcept { return elements_; }  ///< elements in each rank's buffer
    int steps() const noexcept { return steps_; }                  ///< number of steps

    /// Writes step `index` into `step`, reusing its memory.
    /// @throws invalid_argument for an index outside 0 to steps() - 1
    void generate(int index, Step& step) const;

private:
    int ranks_;
    std::uint64_t elements_;
    int steps_;
    Generator generator_;
};

/// The ring all-reduce: a reduce-scatter of N - 1 steps, then an all-gather of N - 1 steps, on N chunks.
///
/// In step s of the reduce-scatter rank r sends chunk (r - s) mod N to rank r + 1, which adds it; after N - 1 steps
/// rank r holds the whole sum of chunk (r + 1) mod N. In step s of the all-gather it passes on chunk (r + 1 - s)
/// mod N. Every rank sends one chunk in every step.
/// Source: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69 (2009).
/// @throws invalid_argument for ranks outside 1 to most_ranks, or elements that are no count
CollectiveSchedule ring_all_reduce_schedule(int ranks, double elements);

/// The binomial tree all-reduce on whole messages: a reduce to rank 0 in ceil(log2 N) steps, then a broadcast back.
///
/// In step k of the reduce every rank that is an odd multiple of 2^k sends its buffer to the rank 2^k below it.
/// Source: Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH",
/// IJHPCA 19 (2005), the binomial trees of broadcast and reduce.
/// @throws invalid_argument for ranks outside 1 to most_ranks, or elements that are no count
CollectiveSchedule binomial_tree_all_reduce_schedule(int ranks, double elements);

/// Bytes that each rank sends in each step.
class Ledger {
public:
    /// An empty ledger of shape (steps, ranks).
    /// @throws invalid_argument naming steps, ranks or element_bytes; steps too if steps * ranks exceeds largest_array
    Ledger(int steps, int ranks, double element_bytes);

    /// Books one transfer under its step and source rank.
    /// @throws invalid_argument for a step or a rank that the ledger does not have
    void record(int step, const Transfer& transfer);

    int steps() const noexcept { return steps_; }                     ///< number of steps
    int ranks() const noexcept { return ranks_; }                     ///< world size
    double element_bytes() const noexcept { return element_bytes_; }  ///< bytes of one element

    /// Bytes that `rank` sent in `step`.
    /// @throws invalid_argument for a step or a rank that the ledger does not have
    double bytes_sent(int step, int rank) const;
    /// Bytes that each rank sent over all steps.
    std::vector<double> bytes_sent_per_rank() const;
    /// Elements moved over all ranks and steps.
    double elements_moved() const;
    /// Bytes that the busiest rank sent over all steps.
    double busiest_rank_bytes() const;

    bool operator==(const Ledger&) const = default;

private:
    std::size_t cell(int step, int rank) const;

    int steps_;
    int ranks_;
    double element_bytes_;
    std::vector<std::uint64_t> elements_sent_;  // (steps, ranks), row-major
};

/// The ledger of a schedule, without executing it.
/// @param element_bytes bytes of one element: 8 for float64, 2 for bf16
/// @throws invalid_argument as Ledger() does, or if a transfer leaves the buffers
Ledger ledger(const CollectiveSchedule& schedule, double element_bytes = sizeof(double));

/// Moves real numbers: runs the first `stop_after` steps of a schedule on `buffers`, in place.
/// @param buffers shape (ranks, elements)
/// Transfers are applied one after the other, which is the same as all at once for every schedule that check() passes,
/// as all builders' do; another schedule gives what its order of transfers gives.
/// @param stop_after number of steps to run, from 0 to schedule.steps()
/// @return the bytes sent in the steps that ran; the other steps of the ledger are 0
/// @throws invalid_argument if the shape is not the schedule's, or a transfer leaves the buffers
Ledger execute(const CollectiveSchedule& schedule, Matrix& buffers, int stop_after);

/// All steps of a schedule.
Ledger execute(const CollectiveSchedule& schedule, Matrix& buffers);

/// Seconds that a schedule takes where every rank has a link of its own: the steps one after the other, each as long
/// as its largest message takes.
/// @param element_bytes bytes of one element
/// @throws invalid_argument naming latency_seconds, bytes_per_second or element_bytes
double price_seconds(const CollectiveSchedule& schedule, const Link& link, double element_bytes);

/// Checks what every schedule must hold: each transfer stays inside the buffers and joins two different ranks, and in
/// no step does a rank send from, or receive twice into, a range that it receives into.
/// @throws invalid_argument that names the step, the rank and what is broken
void check(const CollectiveSchedule& schedule);

/// What an executed all-reduce leaves behind.
struct AllReduce {
    Matrix buffers;               ///< shape (ranks, elements): the sum, in every row
    CollectiveSchedule schedule;  ///< what was executed
    Ledger ledger;                ///< what each rank sent in each step
};

/// Sums the buffers of all ranks by the ring all-reduce, for real.
///
/// Any number of elements works: fewer than ranks leave some chunks empty, none moves nothing; one rank takes no
/// step. Every rank ends with the same bits, since each chunk is summed along one path and then copied.
/// @param buffers shape (ranks, elements), a row per rank
/// @throws invalid_argument for no rank or more than most_ranks, or a value that is not finite or so large that the
///         sum over the ranks could overflow: over the largest double divided by the ranks, less what sums of more
///         than two ranks may be rounded up by
AllReduce ring_all_reduce(Matrix buffers);

/// The first steps of the ring all-reduce, to be looked at on the way.
/// @param stop_after number of steps to run, from 0 to 2(ranks - 1)
AllReduce ring_all_reduce(Matrix buffers, int stop_after);

}  // namespace shardlab
