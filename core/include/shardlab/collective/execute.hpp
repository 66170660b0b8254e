#pragma once

/// @file
/// Collectives on real numbers, float32 or float64: `T` below is float or double.

#include <cstdint>
#include <optional>
#include <string_view>

#include <shardlab/array.hpp>
#include <shardlab/collective/builders.hpp>
#include <shardlab/collective/ledger.hpp>
#include <shardlab/collective/schedule.hpp>

namespace shardlab {

/// What becomes of two values that meet.
enum class Reduction : std::uint8_t {
    sum,      ///< their sum
    max,      ///< the larger one
    min,      ///< the smaller one
    average,  ///< their sum, which each rank divides by the number of ranks after the last step
};

/// `sum`, `max`, `min` or `average`.
const char* name(Reduction reduction);

/// The reduction of that name.
/// @throws invalid_argument naming op
Reduction reduction_from_name(std::string_view name);

/// Moves real numbers: runs the first `stop_after` steps of a schedule on `buffers`.
///
/// Transfers are applied one after the other, which is the same as all at once for every schedule that check() passes,
/// as all builders' do; another schedule gives what its order of transfers gives. A schedule out of place reads from a
/// copy of the buffers. An average is divided only where all steps ran and one of them reduced.
/// @param buffers shape (ranks, elements): the input, then the output
/// @param stop_after number of steps to run, from 0 to schedule.steps(); all where left out
/// @return the bytes sent in the steps that ran; the other steps of the ledger are 0
/// @throws invalid_argument if the shape is not the schedule's, or a transfer leaves the buffers
template <typename T>
Ledger execute(const CollectiveSchedule& schedule, MatrixOf<T>& buffers, std::optional<int> stop_after = std::nullopt,
               Reduction reduction = Reduction::sum);

/// Checks that no partial result of a reduction can overflow, in whichever order the ranks meet.
/// @param buffers shape (ranks, elements)
/// @throws invalid_argument naming buffers for a value that is not finite or, for sum and average, so large that the
/// sum
///         over the ranks could overflow: over the largest T divided by the ranks, less what sums of more than two
///         ranks may be rounded up by
template <typename T>
void require_reducible(const MatrixOf<T>& buffers, Reduction reduction);

/// What an executed collective leaves behind.
template <typename T>
struct Executed {
    MatrixOf<T> buffers;          ///< shape (ranks, elements)
    CollectiveSchedule schedule;  ///< what was executed
    Ledger ledger;                ///< what was sent
};

/// An executed all-reduce of float64: the sum, in every row.
using AllReduce = Executed<double>;

/// How an all-reduce is to be done.
struct AllReduceOptions {
    Algorithm algorithm = Algorithm::ring;  ///< which schedule
    ScheduleOptions schedule;               ///< its slices and nodes
    Reduction reduction = Reduction::sum;   ///< what is reduced to
    std::optional<int> stop_after;          ///< steps to run; all where left out
};

/// Reduces the buffers of all ranks by an algorithm, for real. Every rank ends with the same bits, since each element
/// is reduced along one path and then copied; which bits depends on the algorithm's order of summation.
/// @param buffers shape (ranks, elements), a row per rank
/// @throws invalid_argument as all_reduce_schedule(), require_reducible() and execute() do
template <typename T>
Executed<T> all_reduce(MatrixOf<T> buffers, const AllReduceOptions& options);

/// Runs a collective by its usual algorithm, as collective_schedule() has it.
/// @param buffers shape (ranks, elements), a row per rank
/// @param reduction what all-reduce, reduce-scatter and reduce reduce to; the others pass it over
/// @throws invalid_argument as collective_schedule() and require_reducible() do
template <typename T>
Executed<T> run_collective(Kind kind, MatrixOf<T> buffers, Reduction reduction = Reduction::sum, int slices = 1);

/// Sums the buffers of all ranks by the ring all-reduce, for real.
///
/// Any number of elements works: fewer than ranks leave some chunks empty, none moves nothing; one rank takes no
/// step. Every rank ends with the same bits, since each chunk is summed along one path and then copied.
/// @param buffers shape (ranks, elements), a row per rank
/// @throws invalid_argument for no rank or more than most_ranks, or as require_reducible() does
AllReduce ring_all_reduce(Matrix buffers);

/// The first steps of the ring all-reduce, to be looked at on the way.
/// @param stop_after number of steps to run, from 0 to 2(ranks - 1)
AllReduce ring_all_reduce(Matrix buffers, int stop_after);

}  // namespace shardlab
