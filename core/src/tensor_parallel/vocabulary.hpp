#pragma once

/// @file
/// The two ends of a language model, by rows of the vocabulary: each rank has the vectors and logits of its tokens.

#include <vector>

#include <shardlab/tensor_parallel/block.hpp>

#include "part.hpp"
#include "regions.hpp"

namespace shardlab::tensor_parallel {

/// What the embedding, the output head and the cross-entropy give.
struct VocabularyRun {
    PerRank losses;            ///< of each token, shape (tokens, 1)
    PerRank hidden_gradients;  ///< of the mean loss with respect to what the embedding gives
    Gradients gradients;       ///< of `embedding` and `head`
    double gathered_elements_kept = 0;
    std::vector<double> weight_elements;
};

/// Looks the tokens up, predicts the targets from the vectors found, and goes back: a rank that does not have a token
/// gives zeros, and the sum over the ranks is the vector. The cross-entropy exchanges three numbers a token (the
/// largest logit, the sum of exponentials, the target's logit) in place of the logits.
VocabularyRun run_vocabulary(const BlockShape& shape, const BlockData& data, const Regions& regions);

}  // namespace shardlab::tensor_parallel
