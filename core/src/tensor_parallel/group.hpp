#pragma once

/// @file
/// A group of ranks whose collectives move real numbers and are booked.

#include <string>
#include <vector>

#include <shardlab/array.hpp>
#include <shardlab/collective/execute.hpp>
#include <shardlab/tensor_parallel/call.hpp>

#include "shards.hpp"

namespace shardlab::tensor_parallel {

/// A call of a collective on a tensor of `elements`: the ring's ledger, without executing it.
CollectiveCall ring_call(Kind kind, Pass pass, const std::string& tensor, int ranks, double elements,
                         double element_bytes);

/// Runs ring collectives on what the ranks hold. A group of one rank calls none.
class Group {
public:
    /// @param calls what is called is added here
    Group(int ranks, std::vector<CollectiveCall>& calls) : ranks_(ranks), calls_(calls) {}

    int ranks() const { return ranks_; }

    /// The reduction of all ranks' matrices, on each of them.
    PerRank all_reduce(PerRank parts, Pass pass, const std::string& tensor, Reduction reduction = Reduction::sum);

    /// The sum of all ranks' matrices, of which rank r keeps the r-th part of the rows. The ranks divide the rows.
    PerRank reduce_scatter(const PerRank& parts, Pass pass, const std::string& tensor);

    /// The ranks' rows one below the other, on each of them.
    PerRank all_gather(const PerRank& parts, Pass pass, const std::string& tensor);

private:
    /// Runs a collective on a buffer a rank, and books it.
    void run(Kind kind, Matrix& buffers, Pass pass, const std::string& tensor, Reduction reduction);

    int ranks_;
    std::vector<CollectiveCall>& calls_;
};

}  // namespace shardlab::tensor_parallel
