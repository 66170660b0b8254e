#pragma once

/// @file
/// A block on some ranks, before anything is compared.

#include <vector>

#include <shardlab/tensor_parallel/block.hpp>

#include "group.hpp"
#include "part.hpp"

namespace shardlab::tensor_parallel {

/// What the ranks have after forward and backward.
struct Outcome {
    PerRank output;
    PerRank input_gradient;
    Gradients gradients;
    std::vector<CollectiveCall> calls;
    std::vector<double> weight_elements;
    double gathered_elements_kept = 0;
};

/// Runs a block whose arguments have been checked.
Outcome run_on_ranks(Block block, const BlockShape& shape, const BlockData& data, const BlockOptions& options);

}  // namespace shardlab::tensor_parallel
