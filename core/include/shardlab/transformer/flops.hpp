#pragma once

/// @file
/// Floating-point operations of training a transformer, a multiply and an add being two.

#include <shardlab/activations.hpp>
#include <shardlab/transformer/shape.hpp>

namespace shardlab {

/// FLOPs for one token of a sequence.
///
/// Matrix products are counted, and nothing else: 2 a parameter and token, and 2·s·d a head for the scores and for
/// their product with the values. The whole score matrix is counted, as the papers do, though a causal kernel skips
/// half, and a sliding window most of it. The embedding's lookup is none. Heads that predict further tokens are not
/// counted.
struct TokenFlops {
    double forward = 0;         ///< one forward
    double backward = 0;        ///< two products for each of the forward's
    double recomputed = 0;      ///< what of the forward is done once more before the backward
    double scores_forward = 0;  ///< of the forward, what grows with the sequence

    double model() const { return forward + backward; }       ///< what the model needs
    double hardware() const { return model() + recomputed; }  ///< what is done
};

/// FLOPs for each token of sequences of one length.
/// @param sequence tokens, at least 1
/// @throws invalid_argument as require_shape() and require_sequence() do
TokenFlops flops_per_token(const TransformerShape& shape, int sequence, Recomputation recompute = Recomputation::none);

/// FLOPs of a GPT's training step as Korthikanti et al. print them (arXiv:2205.05198, appendix A, equations 7 to 9),
/// for B sequences of s tokens, L layers of h features with an MLP of 4h, V tokens.
struct KorthikantiFlops {
    double model = 0;     ///< 72·B·L·s·h²·(1 + s/(6h) + V/(12hL)), equal to flops_per_token()
    double hardware = 0;  ///< the same with s/(3h): selective recomputation. It counts the scores' recomputation three
                          ///< times, as if a second backward came with it; what is recomputed is s/(18h)
};

/// The closed forms of the paper.
/// @throws invalid_argument naming batch, layers, sequence, hidden or vocabulary below 1
KorthikantiFlops korthikanti_flops(int batch, int layers, int sequence, int hidden, int vocabulary);

}  // namespace shardlab
