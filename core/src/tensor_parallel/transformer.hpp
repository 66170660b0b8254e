#pragma once

/// @file
/// A transformer layer over some ranks: two sublayers, and what the ranks do alone between them.

#include <vector>

#include <shardlab/tensor_parallel/block.hpp>

#include "attention_part.hpp"
#include "mlp_part.hpp"
#include "norm.hpp"
#include "regions.hpp"
#include "sublayer.hpp"

namespace shardlab::tensor_parallel {

/// x + dropout(sublayer(norm(x))), on all ranks.
class Residual {
public:
    /// @param norm scale and shift of the LayerNorm, shape (2, hidden)
    Residual(Sublayer& sublayer, const Matrix& norm, std::vector<Dropout> dropout)
        : sublayer_(sublayer), norm_(norm), dropout_(std::move(dropout)) {}

    PerRank forward(const PerRank& input);
    PerRank backward(const PerRank& output_gradient);

    /// The gradients of scale and shift that each rank has from its tokens.
    const PerRank& norm_gradients() const { return norm_gradients_; }

private:
    Sublayer& sublayer_;
    const Matrix& norm_;
    std::vector<Dropout> dropout_;  // a mask a rank
    std::vector<NormTrace> traces_;
    PerRank norm_gradients_;
};

/// The masks of a dropout, one a rank.
/// @param rows_of_a_rank how many rows further each rank's first token stands; 0 where all have all
std::vector<Dropout> dropouts(double probability, double seed, int ranks, std::size_t rows_of_a_rank);

}  // namespace shardlab::tensor_parallel
