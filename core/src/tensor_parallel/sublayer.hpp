#pragma once

/// @file
/// A part of a block between its f and its g.

#include <string>

#include "part.hpp"
#include "regions.hpp"

namespace shardlab::tensor_parallel {

/// Runs the shards of a part on all ranks.
class Sublayer {
public:
    /// @param name what stands in the names of its tensors: `attention`
    Sublayer(Part& part, const Regions& regions, std::string name)
        : part_(part), regions_(regions), name_(std::move(name)) {}

    /// From what the ranks hold outside of the block to what they hold after it.
    PerRank forward(const PerRank& input);

    /// From the gradients of its output to those of its input.
    PerRank backward(const PerRank& output_gradient);

    /// Elements that rank 0 keeps for the backward beyond its own part, since f gathered them.
    double gathered_elements_kept() const;

private:
    Part& part_;
    const Regions& regions_;
    std::string name_;
    PerRank input_;   // what the ranks were given
    PerRank inside_;  // what their shards work on; empty where it is to be gathered again
};

}  // namespace shardlab::tensor_parallel
