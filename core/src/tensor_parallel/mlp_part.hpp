#pragma once

/// @file
/// The MLP's shards: up (and gate) by columns, down by rows.

#include <vector>

#include <shardlab/tensor_parallel/block.hpp>

#include "mlp.hpp"
#include "part.hpp"

namespace shardlab::tensor_parallel {

/// The MLP over some ranks. Where it is forgotten to split by columns first, up and gate are cut by rows (of inputs),
/// the activation acts on each rank's partial sums, and every rank has the whole of down.
class MlpPart : public Part {
public:
    MlpPart(int ranks, const BlockData& data, bool column_first);

    Matrix forward(int rank, const Matrix& input) override;
    Matrix backward(int rank, const Matrix& input, const Matrix& output_gradient) override;
    void collect(Gradients& gradients, std::vector<CollectiveCall>& calls) const override;
    double weight_elements(int rank) const override;

private:
    /// What a rank's first matrices are given: all features, or its own.
    Matrix input_of(int rank, const Matrix& input) const;
    MlpWeights shard(int rank, const BlockData& data) const;

    int ranks_;
    bool column_first_;
    std::vector<MlpWeights> weights_;
    std::vector<MlpTrace> traces_;
    std::vector<MlpGradients> gradients_;
};

}  // namespace shardlab::tensor_parallel
