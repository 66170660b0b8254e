#pragma once

/// @file
/// What a transformer keeps for its backward pass, tensor by tensor.

#include <string>
#include <string_view>
#include <vector>

#include <shardlab/activations/recomputation.hpp>
#include <shardlab/transformer/shape.hpp>

namespace shardlab {

/// How a model is run: what its activations depend on beside its shape.
struct ActivationSetting {
    int sequence = 0;                ///< tokens of a sequence, s
    int micro_batch = 1;             ///< sequences in a micro-batch, b
    int tp = 1;                      ///< tensor-parallel ranks, t
    int cp = 1;                      ///< context-parallel ranks: each has s/cp tokens of a sequence
    bool sequence_parallel = false;  ///< what tensor parallelism leaves whole is cut over its ranks by tokens
    Recomputation recompute = Recomputation::none;  ///< what is thrown away and computed again
    bool flash = false;  ///< a fused attention that keeps a logarithm for each row of the scores, and no score
};

/// One tensor, or several of one kind, that a rank keeps.
struct ActivationTerm {
    std::string_view name;  ///< in snake_case: `attention_scores`
    double bytes = 0;       ///< on one rank, for one micro-batch
    std::string_view
        formula;  ///< its bytes in the letters of the fields: s, b, h, a, t; k for kv_heads, d for head_size, f for ffn
};

/// Checks a setting against a shape.
/// @throws invalid_argument naming sequence as require_sequence() does; micro_batch, tp or cp below 1; heads, ffn, or
///         the experts' that are no multiple of tp; kv_heads that are neither a multiple nor a divisor of it; a
///         sequence that is no multiple of cp, or of cp·tp with sequence parallelism
void require_setting(const TransformerShape& shape, const ActivationSetting& setting);

/// What a setting does that its user may not expect, in sentences: as sequence_notes(), and key and value heads that
/// several ranks hold.
std::vector<std::string> setting_notes(const TransformerShape& shape, const ActivationSetting& setting);

/// What one layer keeps: 16-bit tensors, masks of a byte, 32-bit logarithms and router probabilities.
///
/// For a GPT with dropout everywhere this is the layer of Korthikanti et al. (arXiv:2205.05198, section 4.1):
/// 34sbh + 5as²b. A gated MLP keeps both of its inner tensors and their product; grouped queries keep fewer keys and
/// values, of which a rank has at least one head; with experts every token is kept once for each expert that it goes
/// to, evenly spread. A norm that attention and MLP share is kept once. The terms of full recomputation are the layer's
/// input alone.
/// @throws invalid_argument as require_shape() and require_setting() do
std::vector<ActivationTerm> layer_activations(const TransformerShape& shape, bool with_experts,
                                              const ActivationSetting& setting);

/// What stands before the first layer: the mask of the embedding's dropout, where there is any.
/// @throws invalid_argument as require_shape() and require_setting() do
std::vector<ActivationTerm> embedding_activations(const TransformerShape& shape, const ActivationSetting& setting);

/// What stands after the last layer: the inputs of the last norm and of the output head, and 32-bit logits (Korthikanti
/// et al., section 4.3: 4sbh(1 + V/h)/t with sequence parallelism).
/// @throws invalid_argument as require_shape() and require_setting() do
std::vector<ActivationTerm> head_activations(const TransformerShape& shape, const ActivationSetting& setting);

/// What a layer keeps from its input gradient to its weight gradient, where the two are apart: the inputs of its
/// matrices and the gradients of their outputs, 32sbh for a GPT (Qi et al., arXiv:2401.10241, section 2).
/// @throws invalid_argument as require_shape() and require_setting() do
double weight_gradient_bytes(const TransformerShape& shape, bool with_experts, const ActivationSetting& setting);

/// The sum of terms.
double total_bytes(const std::vector<ActivationTerm>& terms);

}  // namespace shardlab
