#include "parts.hpp"

namespace shardlab::transformer {
namespace {

Part grouped_query_attention(const TransformerShape& shape) {
    const double hidden = shape.hidden;
    const double queries = static_cast<double>(shape.heads) * shape.head_size;
    const double keys_and_values = 2.0 * shape.kv_heads * shape.head_size;
    Part part;
    part.matrices = hidden * (queries + keys_and_values) + queries * hidden;
    part.vectors = shape.qkv_bias ? queries + keys_and_values : 0;
    return part;
}

/// Biases stand on the projections to latents; those from a latent to the heads have none.
Part latent_attention(const TransformerShape& shape) {
    const LatentAttention& latent = shape.latent;
    const double hidden = shape.hidden;
    const double heads = shape.heads;
    const double query_rank = latent.query_rank;
    const double kv_rank = latent.kv_rank;
    const double query_features = heads * (static_cast<double>(latent.rope_head_size) + latent.plain_head_size);
    const double values = heads * latent.value_head_size;

    Part part;
    part.matrices += query_rank > 0 ? hidden * query_rank + query_rank * query_features : hidden * query_features;
    part.matrices += hidden * (kv_rank + latent.rope_head_size);
    part.matrices += kv_rank * (heads * latent.plain_head_size + values);
    part.matrices += values * hidden;
    const double norms = query_rank + kv_rank;
    part.vectors = norms + (shape.qkv_bias ? query_rank + kv_rank + latent.rope_head_size : 0);
    return part;
}

}  // namespace

Part attention(const TransformerShape& shape) {
    Part part = shape.latent.kv_rank > 0 ? latent_attention(shape) : grouped_query_attention(shape);
    part.vectors += shape.attention_output_bias ? shape.hidden : 0;
    part.vectors += shape.attention_sinks ? shape.heads : 0;
    return part;
}

Part mlp(const TransformerShape& shape, int ffn, bool bias) {
    const double hidden = shape.hidden;
    const double inputs = shape.gated_mlp ? 2 : 1;
    return {.matrices = (inputs + 1) * hidden * ffn, .vectors = bias ? inputs * ffn + hidden : 0};
}

Part router(const TransformerShape& shape) {
    const double experts = shape.experts.count;
    return {.matrices = shape.hidden * experts, .vectors = shape.experts.router_bias ? experts : 0};
}

Part routed_expert(const TransformerShape& shape) {
    return mlp(shape, shape.experts.ffn, shape.experts.expert_bias);
}

Part shared_experts(const TransformerShape& shape) {
    if (shape.experts.shared_ffn == 0) {
        return {};
    }
    Part part = mlp(shape, shape.experts.shared_ffn, shape.experts.expert_bias);
    part.matrices += shape.experts.shared_gate ? shape.hidden : 0;
    return part;
}

double norm(const TransformerShape& shape) {
    return static_cast<double>(shape.hidden) * ((shape.norm_weight ? 1 : 0) + (shape.norm_bias ? 1 : 0));
}

double output_bias(const TransformerShape& shape) {
    return shape.output_head_bias ? shape.vocabulary : 0;
}

double layer_norms(const TransformerShape& shape) {
    const double head_size = shape.head_size;
    double weights = 0;
    weights += shape.norm_inputs ? (shape.shared_norm ? 1 : 2) * norm(shape) : 0;
    weights += shape.extra_norms.outputs ? 2 * norm(shape) : 0;
    weights += shape.extra_norms.heads ? 2 * head_size : 0;
    weights += shape.extra_norms.projections ? (static_cast<double>(shape.heads) + shape.kv_heads) * head_size : 0;
    return weights;
}

}  // namespace shardlab::transformer
