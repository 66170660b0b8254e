#pragma once

/// @file
/// What stands between f and g: the shards of a block's weights and what each rank computes with its own.

#include <map>
#include <string>

#include <shardlab/array.hpp>

#include "group.hpp"

namespace shardlab::tensor_parallel {

/// Whole gradients by the names of their weights.
using Gradients = std::map<std::string, Matrix>;

/// The shards of one sublayer. Each rank's forward comes before its backward.
class Part {
public:
    Part() = default;
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    virtual ~Part() = default;

    /// A rank's partial output, shape (tokens, hidden).
    virtual Matrix forward(int rank, const Matrix& input) = 0;

    /// A rank's part of the input's gradient, shape (tokens, hidden).
    virtual Matrix backward(int rank, const Matrix& input, const Matrix& output_gradient) = 0;

    /// Puts the gradients of the shards together.
    virtual void collect(Gradients& gradients, std::vector<CollectiveCall>& calls) const = 0;

    /// Elements of the weights that a rank holds.
    virtual double weight_elements(int rank) const = 0;
};

}  // namespace shardlab::tensor_parallel
