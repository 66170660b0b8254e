// Mixtures of experts over grouped-query attention.

#include <algorithm>
#include <utility>

#include "families.hpp"

namespace shardlab::transformer {
namespace {

/// Qwen's dense layers: those listed, and with a step of n all but each n-th.
std::vector<int> dense_layers(const Fields& fields, int layers) {
    std::vector<int> listed = fields.layer_list("mlp_only_layers", layers);
    const int step = fields.size_or("decoder_sparse_step", 1);
    if (step == 1) {
        return listed;
    }
    fields.size("num_hidden_layers", most_listed_layers);
    std::vector<int> dense;
    for (int layer = 0; layer < layers; ++layer) {
        if ((layer + 1) % step != 0 || std::binary_search(listed.begin(), listed.end(), layer)) {
            dense.push_back(layer);
        }
    }
    return dense;
}

}  // namespace

Experts routed_experts(const Fields& fields, const std::string& count_field, int ffn) {
    Experts experts;
    experts.count = fields.size(count_field);
    experts.per_token = fields.size("num_experts_per_tok", experts.count);
    experts.ffn = ffn;
    return experts;
}

TransformerShape with_experts(TransformerShape shape, Experts experts) {
    // The families after Mixtral that have no dense layer name the width of one all the same, or give the experts'
    // there.
    shape.ffn = experts.dense_layers.empty() ? 0 : shape.ffn;
    shape.experts = std::move(experts);
    return shape;
}

TransformerShape mixtral(const Fields& fields) {
    const TransformerShape shape = after_llama(fields, {.kv_heads = 8, .positions = 131072});
    return with_experts(shape, routed_experts(fields, "num_local_experts", shape.ffn));
}

TransformerShape qwen2_moe(const Fields& fields) {
    TransformerShape shape = after_llama(fields, {.kv_heads = 16, .positions = 32768});
    shape.qkv_bias = fields.flag_or("qkv_bias", true);
    shape.attention_output_bias = false;
    Experts experts = routed_experts(fields, "num_experts", fields.size("moe_intermediate_size"));
    experts.shared_ffn = fields.size("shared_expert_intermediate_size");
    experts.shared_gate = true;
    experts.dense_layers = dense_layers(fields, shape.layers);
    return with_experts(shape, experts);
}

TransformerShape qwen3_moe(const Fields& fields) {
    TransformerShape shape = after_llama(fields, {.kv_heads = 4, .positions = 32768});
    shape.extra_norms.heads = true;
    Experts experts = routed_experts(fields, "num_experts", fields.size("moe_intermediate_size"));
    experts.dense_layers = dense_layers(fields, shape.layers);
    return with_experts(shape, experts);
}

TransformerShape olmoe(const Fields& fields) {
    TransformerShape shape = after_llama(fields, {.positions = 4096});
    shape.extra_norms.projections = true;
    return with_experts(shape, routed_experts(fields, "num_experts", shape.ffn));
}

TransformerShape gpt_oss(const Fields& fields) {
    TransformerShape shape =
        after_llama(fields, {.kv_heads = 8, .head_dim = 64, .positions = 131072, .attention_bias = true});
    shape.attention_sinks = true;
    Experts experts = routed_experts(fields, "num_local_experts", shape.ffn);
    experts.router_bias = true;
    experts.expert_bias = true;
    return with_experts(shape, experts);
}

}  // namespace shardlab::transformer
