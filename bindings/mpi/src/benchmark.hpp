#pragma once

/// @file
/// An all-reduce of the lab and MPI's own, in turns.

#include <cstdint>

#include <shardlab/collective/builders.hpp>

#include "group.hpp"
#include "request.hpp"

namespace shardlab::mpi {

/// How one of the two did.
struct Measured {
    /// Of one all-reduce: the time of its slowest rank, the median over the iterations.
    double seconds = 0;
    /// Elements, over all ranks, that are not what they must be: for both, the exact sums of whole numbers; for ours,
    /// the bits of the core's own execution too.
    std::uint64_t wrong = 0;
};

/// One size.
struct Row {
    Algorithm algorithm = Algorithm::ring;
    std::uint64_t elements = 0;  ///< of each rank's tensor
    double bytes = 0;            ///< the same in bytes
    Measured ours = {};          ///< the lab's schedule
    Measured mpi = {};           ///< MPI_Allreduce
    /// Elements, over all ranks, to which MPI_Allreduce gives other bits than the schedule: it may add in an order of
    /// its own, which is no mistake.
    std::uint64_t other_bits = 0;
};

/// Runs one size of one algorithm; all ranks call it together. The two take turns, so that what disturbs the machine
/// disturbs both; each begins when the last rank is ready, on tensors of its own that are filled anew.
Row measure(Algorithm algorithm, std::uint64_t elements, const Request& request, const Group& group);

}  // namespace shardlab::mpi
