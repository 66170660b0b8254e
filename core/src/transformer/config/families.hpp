#pragma once

// The families of models: each reads its own fields into a shape.

#include "fields.hpp"

namespace shardlab::transformer {

/// What a family takes where its configuration is silent; a number of 0 where it takes nothing.
struct Defaults {
    int hidden = 0;
    int layers = 0;
    int heads = 0;
    int kv_heads = 0;  ///< 0: as many as heads
    int head_dim = 0;  ///< 0: hidden over heads
    int ffn = 0;
    int vocabulary = 0;
    int positions = 2048;
    bool tied = false;
    bool attention_bias = false;
};

/// Layers that a list of dense ones is made for.
inline constexpr int most_listed_layers = 1 << 16;

/// What the families after Llama share: the names of their fields, RMSNorm, a gated MLP and rotary positions.
TransformerShape after_llama(const Fields& fields, const Defaults& defaults);

/// Routed experts, their number in a field of that name.
Experts routed_experts(const Fields& fields, const std::string& count_field, int ffn);

/// A shape whose layers have experts.
TransformerShape with_experts(TransformerShape shape, Experts experts);

TransformerShape llama(const Fields& fields);
TransformerShape mistral(const Fields& fields);
TransformerShape qwen2(const Fields& fields);
TransformerShape qwen3(const Fields& fields);
TransformerShape phi3(const Fields& fields);
TransformerShape olmo(const Fields& fields);
TransformerShape olmo2(const Fields& fields);

TransformerShape cohere(const Fields& fields);
TransformerShape phi(const Fields& fields);
TransformerShape stablelm(const Fields& fields);
TransformerShape starcoder2(const Fields& fields);

TransformerShape falcon(const Fields& fields);

TransformerShape gemma(const Fields& fields);
TransformerShape gemma2(const Fields& fields);
TransformerShape gemma3_text(const Fields& fields);
TransformerShape gemma3(const Fields& fields);

TransformerShape gpt2(const Fields& fields);
TransformerShape gpt_neox(const Fields& fields);

TransformerShape mixtral(const Fields& fields);
TransformerShape qwen2_moe(const Fields& fields);
TransformerShape qwen3_moe(const Fields& fields);
TransformerShape olmoe(const Fields& fields);
TransformerShape gpt_oss(const Fields& fields);

TransformerShape deepseek_v2(const Fields& fields);
TransformerShape deepseek_v3(const Fields& fields);
TransformerShape glm4_moe(const Fields& fields);

/// This library's own: the fields are those of TransformerShape.
TransformerShape own_words(const Fields& fields);

}  // namespace shardlab::transformer
