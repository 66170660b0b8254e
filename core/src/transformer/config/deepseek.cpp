// DeepSeek's experts, after a few dense layers, with DeepSeek's latent attention or GLM's grouped queries.

#include <string>

#include "families.hpp"

namespace shardlab::transformer {
namespace {

std::vector<int> dense_layers(const Fields& fields, int layers) {
    const int first = fields.count_or("first_k_dense_replace", 0);
    const int step = fields.size_or("moe_layer_freq", 1);
    if (first == 0 && step == 1) {
        return {};
    }
    fields.size("num_hidden_layers", most_listed_layers);
    std::vector<int> dense;
    for (int layer = 0; layer < layers; ++layer) {
        if (layer < first || layer % step != 0) {
            dense.push_back(layer);
        }
    }
    return dense;
}

/// Shared experts are as wide as so many routed ones.
int shared_ffn(const Fields& fields, int ffn) {
    const int count = fields.count_or("n_shared_experts", 0);
    const int most = 2147483647 / ffn;
    if (count > most) {
        throw fields.refusal("n_shared_experts", std::to_string(count), "be at most " + std::to_string(most));
    }
    return count * ffn;
}

Experts deepseek_experts(const Fields& fields, int layers) {
    const int ffn = fields.size("moe_intermediate_size");
    Experts experts = routed_experts(fields, "n_routed_experts", ffn);
    experts.shared_ffn = shared_ffn(fields, ffn);
    experts.dense_layers = dense_layers(fields, layers);
    return experts;
}

/// Without `q_lora_rank`, or with null for it as in V2-Lite, queries are projected directly.
LatentAttention latent_attention(const Fields& fields) {
    LatentAttention latent;
    latent.kv_rank = fields.size("kv_lora_rank");
    latent.query_rank = fields.count_or("q_lora_rank", 0);
    latent.rope_head_size = fields.size("qk_rope_head_dim");
    latent.plain_head_size = fields.size("qk_nope_head_dim");
    latent.value_head_size = fields.size("v_head_dim");
    return latent;
}

/// Keys and values are each head's own, whatever the file says of groups and of the size of a plain head.
TransformerShape deepseek(const Fields& fields) {
    for (const char* field : {"num_key_value_heads", "head_dim", "qk_head_dim"}) {
        fields.pass_over(field);
    }
    TransformerShape shape;
    shape.hidden = fields.size("hidden_size");
    shape.layers = fields.size("num_hidden_layers");
    shape.heads = fields.size("num_attention_heads");
    shape.kv_heads = shape.heads;
    shape.latent = latent_attention(fields);
    shape.ffn = fields.size("intermediate_size");
    shape.vocabulary = fields.size("vocab_size");
    shape.sequence = fields.size_or("max_position_embeddings", 2048);
    shape.gated_mlp = true;
    shape.tied_embeddings = fields.flag_or("tie_word_embeddings", false);
    shape.qkv_bias = fields.flag_or("attention_bias", false);
    shape.attention_output_bias = shape.qkv_bias;
    shape.dropout.scores = fields.drops("attention_dropout", 0);
    shape.prediction_layers = fields.count_or("num_nextn_predict_layers", 0);
    return shape;
}

}  // namespace

TransformerShape deepseek_v2(const Fields& fields) {
    const TransformerShape shape = deepseek(fields);
    return with_experts(shape, deepseek_experts(fields, shape.layers));
}

/// The router's bias, which balances the experts, is kept with the parameters though no gradient trains it.
TransformerShape deepseek_v3(const Fields& fields) {
    TransformerShape shape = deepseek_v2(fields);
    shape.experts.router_bias = true;
    return shape;
}

TransformerShape glm4_moe(const Fields& fields) {
    TransformerShape shape = after_llama(fields, {.kv_heads = 8, .positions = 131072});
    shape.attention_output_bias = false;
    shape.extra_norms.heads = fields.flag_or("use_qk_norm", false);
    shape.prediction_layers = fields.count_or("num_nextn_predict_layers", 0);
    Experts experts = deepseek_experts(fields, shape.layers);
    experts.router_bias = true;
    return with_experts(shape, experts);
}

}  // namespace shardlab::transformer
