#pragma once

/// @file
/// The attention's shards: query, key and value by heads, output by rows.

#include <vector>

#include <shardlab/tensor_parallel/block.hpp>

#include "attention.hpp"
#include "part.hpp"

namespace shardlab::tensor_parallel {

/// How many query heads a rank has, how many key and value heads, and how many ranks hold each of the latter.
struct HeadShare {
    int heads;
    int kv_heads;
    int copies;
};

HeadShare head_share(const BlockShape& shape, int ranks);

/// The attention over some ranks. Where it is forgotten to keep heads whole, the rows of query, key and value, one
/// below the other, are cut into equal parts, of which each rank takes the first to be its queries.
class AttentionPart : public Part {
public:
    AttentionPart(int ranks, const BlockShape& shape, const BlockData& data, bool whole_heads);

    Matrix forward(int rank, const Matrix& input) override;
    Matrix backward(int rank, const Matrix& input, const Matrix& output_gradient) override;
    void collect(Gradients& gradients, std::vector<CollectiveCall>& calls) const override;
    double weight_elements(int rank) const override;

private:
    /// The rows of query, key and value, one below the other, that a rank holds, in its order.
    std::vector<std::size_t> rows_of_rank(int rank) const;
    /// A rank's gradients of query, key and value; those of copied heads summed over the copies.
    PerRank summed_copies(std::vector<CollectiveCall>& calls) const;

    int ranks_;
    BlockShape shape_;
    bool whole_heads_;
    HeadShare share_;
    AttentionShape own_;
    std::vector<AttentionWeights> weights_;
    std::vector<AttentionTrace> traces_;
    std::vector<AttentionGradients> gradients_;
};

}  // namespace shardlab::tensor_parallel
