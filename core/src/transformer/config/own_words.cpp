// A shape of one's own, in the words of TransformerShape.

#include "families.hpp"

namespace shardlab::transformer {
namespace {

LatentAttention latent_attention(const Fields& fields) {
    return {.kv_rank = fields.count_or("kv_rank", 0),
            .query_rank = fields.count_or("query_rank", 0),
            .rope_head_size = fields.count_or("rope_head_size", 0),
            .plain_head_size = fields.count_or("plain_head_size", 0),
            .value_head_size = fields.count_or("value_head_size", 0)};
}

Experts experts_of(const Fields& fields, int layers) {
    return {.count = fields.count_or("count", 0),
            .per_token = fields.count_or("per_token", 0),
            .ffn = fields.count_or("ffn", 0),
            .shared_ffn = fields.count_or("shared_ffn", 0),
            .shared_gate = fields.flag_or("shared_gate", false),
            .router_bias = fields.flag_or("router_bias", false),
            .expert_bias = fields.flag_or("expert_bias", false),
            .dense_layers = fields.layer_list("dense_layers", layers)};
}

ExtraNorms extra_norms(const Fields& fields) {
    return {.outputs = fields.flag_or("outputs", false),
            .heads = fields.flag_or("heads", false),
            .projections = fields.flag_or("projections", false)};
}

/// In one place or another; a flag in place of the object stands for all.
Dropout dropout(const Fields& fields) {
    if (!fields.is_object("dropout")) {
        return fields.flag_or("dropout", false) ? dropout_everywhere : Dropout{};
    }
    const Fields places = fields.inside("dropout");
    return {.scores = places.flag_or("scores", false),
            .attention_output = places.flag_or("attention_output", false),
            .mlp_output = places.flag_or("mlp_output", false),
            .embedding = places.flag_or("embedding", false)};
}

void read_sizes(const Fields& fields, TransformerShape& shape) {
    shape.hidden = fields.size("hidden");
    shape.layers = fields.size("layers");
    shape.heads = fields.size("heads");
    shape.kv_heads = fields.size_or("kv_heads", shape.heads);
    shape.latent = latent_attention(fields.inside("latent"));
    if (shape.latent.kv_rank == 0 && !fields.has("head_size")) {
        fields.require_divides("heads", shape.heads, "hidden", shape.hidden);
        shape.head_size = shape.hidden / shape.heads;
    } else {
        shape.head_size = fields.count_or("head_size", 0);
    }
    shape.experts = experts_of(fields.inside("experts"), shape.layers);
    const bool has_dense_layers = shape.experts.count == 0 || !shape.experts.dense_layers.empty();
    shape.ffn = has_dense_layers ? fields.size("ffn") : fields.count_or("ffn", 0);
    shape.vocabulary = fields.size("vocabulary");
    shape.sequence = fields.size("sequence");
    shape.prediction_layers = fields.count_or("prediction_layers", 0);
}

}  // namespace

TransformerShape own_words(const Fields& fields) {
    TransformerShape shape;
    read_sizes(fields, shape);
    shape.gated_mlp = fields.flag_or("gated_mlp", false);
    shape.tied_embeddings = fields.flag_or("tied_embeddings", false);
    shape.learned_positions = fields.flag_or("learned_positions", false);
    shape.qkv_bias = fields.flag_or("qkv_bias", false);
    shape.attention_output_bias = fields.flag_or("attention_output_bias", false);
    shape.attention_sinks = fields.flag_or("attention_sinks", false);
    shape.mlp_bias = fields.flag_or("mlp_bias", false);
    shape.output_head_bias = fields.flag_or("output_head_bias", false);
    shape.norm_weight = fields.flag_or("norm_weight", true);
    shape.norm_bias = fields.flag_or("norm_bias", false);
    shape.norm_inputs = fields.flag_or("norm_inputs", true);
    shape.parallel_block = fields.flag_or("parallel_block", false);
    shape.shared_norm = fields.flag_or("shared_norm", false);
    shape.alibi = fields.flag_or("alibi", false);
    shape.dropout = dropout(fields);
    shape.extra_norms = extra_norms(fields.inside("extra_norms"));
    return shape;
}

}  // namespace shardlab::transformer
