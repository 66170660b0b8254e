#pragma once

/// @file
/// Collectives in which something goes wrong, and what comes of it.
///
/// These faults are hypothetical: they show what a collective rests on. Communication libraries do not skip a rank or a
/// message in silence; consequence() says what they do.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <shardlab/array.hpp>
#include <shardlab/collective/execute.hpp>
#include <shardlab/collective/price.hpp>
#include <shardlab/collective/schedule.hpp>

namespace shardlab {

/// What goes wrong.
enum class FaultKind : std::uint8_t {
    drop,        ///< a rank's contribution is missing: the reduction's identity stands in its place
    duplicated,  ///< a rank's contribution counts twice; named `double`. Nothing changes for max and min
    miss_hop,    ///< what a rank sends in one step never arrives
    stale,       ///< what a rank sends in one step is what its buffer held before the step before: a read that
                 ///< overtook the write
    slow,        ///< a rank's links are slower: only the time changes
};

/// `drop`, `double`, `miss-hop`, `stale` or `slow`.
const char* name(FaultKind kind);

/// One fault.
struct Fault {
    FaultKind kind = FaultKind::drop;  ///< what goes wrong
    int rank = 0;                      ///< at which rank
    int step = 0;                      ///< in which step, for miss_hop and stale
    double factor = 2;                 ///< how many times as long messages take, for slow: 1 to 1e6
};

/// Reads `drop:R`, `double:R`, `miss-hop:R:STEP`, `stale:R:STEP`, `slow:R` or `slow:R:FACTOR`.
/// @throws invalid_argument naming fault
Fault fault_from_text(std::string_view text);

/// What a real communication library does instead, in a sentence.
///
/// Source: NVIDIA, NCCL user guide, "Creating a Communicator", on error handling and abort; PyTorch, ProcessGroupNCCL,
/// whose watchdog ends a job when a collective takes longer than its timeout, 10 minutes by default (pull request
/// 110947).
const char* consequence(FaultKind kind);

/// What a collective leaves when something goes wrong, beside the same one without.
template <typename T>
struct FaultyRun {
    Executed<T> executed;               ///< with the fault; the ledger has what was sent, even if it never arrived
    MatrixOf<T> expected;               ///< shape (ranks, elements), without the fault
    std::vector<int> diverged_ranks;    ///< whose result differs from `expected` in any bit
    double max_abs_difference = 0;      ///< the largest |result - expected|, or the largest double if that is larger
    double max_replica_difference = 0;  ///< the largest difference between two ranks' results: 0 if replicas agree, and
                                        ///< where ranks have results of their own
};

/// Runs a collective with a fault and without.
/// @param buffers shape (ranks, elements), a row per rank
/// @param kind what the schedule leaves where: only results are compared, by result_of(). A collective that reduces
///        nothing has no contribution to drop or to double.
/// @throws invalid_argument as execute() and require_reducible() do, or naming fault: for a rank or a step that the
///         schedule does not have, a rank that sends nothing in that step, an old value in step 0, or the only rank of
///         a max or min, which has no identity to stand in; a contribution of a kind that reduces nothing
template <typename T>
FaultyRun<T> run_with_fault(const CollectiveSchedule& schedule, MatrixOf<T> buffers, const Fault& fault,
                            Reduction reduction = Reduction::sum, std::optional<int> stop_after = std::nullopt,
                            Kind kind = Kind::all_reduce);

/// The rank that a fault makes slow, for price_seconds(); none for the faults that change numbers.
std::optional<SlowRank> slow_rank(const Fault& fault);

}  // namespace shardlab
