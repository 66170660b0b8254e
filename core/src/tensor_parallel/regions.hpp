#pragma once

/// @file
/// Megatron's conjugate operators: what happens where a block opens and closes.

#include <optional>
#include <string>

#include <shardlab/tensor_parallel/block.hpp>

#include "group.hpp"

namespace shardlab::tensor_parallel {

/// The two ends of a sharded block, f and g: forward and backward, with and without sequence parallelism.
class Regions {
public:
    Regions(Group& group, const BlockOptions& options) : group_(group), options_(options) {}

    /// f forward: all that a rank's shard works on.
    PerRank enter(const PerRank& input, const std::string& tensor) const;

    /// f forward once more, in the backward, where what it gathered was not kept.
    PerRank enter_again(const PerRank& input, const std::string& tensor) const;

    /// f backward: the sum of what the shards give of the input's gradient.
    PerRank enter_backward(PerRank parts, const std::string& tensor) const;

    /// g forward: the sum of the shards' partial outputs.
    PerRank leave(PerRank parts, const std::string& tensor) const;

    /// g backward: the gradient of the whole output.
    PerRank leave_backward(const PerRank& output_gradient, const std::string& tensor) const;

    /// Whether f gathers, and what it gathered is to be thrown away.
    bool gathers_again() const { return options_.sequence_parallel && !options_.keep_gathered; }

    Group& group() const { return group_; }

private:
    PerRank summed(PerRank parts, Pass pass, const std::string& tensor, Mistake forgotten) const;

    Group& group_;
    const BlockOptions& options_;
};

}  // namespace shardlab::tensor_parallel
