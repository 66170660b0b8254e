// Llama and the dense models that changed little of it.

#include "families.hpp"

namespace shardlab::transformer {
namespace {

int head_size(const Fields& fields, const TransformerShape& shape, const Defaults& defaults) {
    if (defaults.head_dim == 0 && !fields.has("head_dim")) {
        fields.require_divides("num_attention_heads", shape.heads, "hidden_size", shape.hidden);
        return shape.hidden / shape.heads;
    }
    return fields.size_or("head_dim", defaults.head_dim);
}

}  // namespace

TransformerShape after_llama(const Fields& fields, const Defaults& defaults) {
    TransformerShape shape;
    shape.hidden = fields.size_or("hidden_size", defaults.hidden);
    shape.layers = fields.size_or("num_hidden_layers", defaults.layers);
    shape.heads = fields.size_or("num_attention_heads", defaults.heads);
    shape.kv_heads = fields.size_or("num_key_value_heads", defaults.kv_heads == 0 ? shape.heads : defaults.kv_heads);
    fields.require_divides("num_key_value_heads", shape.kv_heads, "num_attention_heads", shape.heads);
    shape.head_size = head_size(fields, shape, defaults);
    shape.ffn = fields.size_or("intermediate_size", defaults.ffn);
    shape.vocabulary = fields.size_or("vocab_size", defaults.vocabulary);
    shape.sequence = fields.size_or("max_position_embeddings", defaults.positions);
    shape.gated_mlp = true;
    shape.tied_embeddings = fields.flag_or("tie_word_embeddings", defaults.tied);
    shape.qkv_bias = fields.flag_or("attention_bias", defaults.attention_bias);
    shape.attention_output_bias = shape.qkv_bias;
    shape.dropout.scores = fields.drops("attention_dropout", 0);
    return shape;
}

TransformerShape llama(const Fields& fields) {
    TransformerShape shape = after_llama(fields, {});
    shape.mlp_bias = fields.flag_or("mlp_bias", false);
    return shape;
}

TransformerShape mistral(const Fields& fields) {
    return after_llama(fields, {.kv_heads = 8, .positions = 131072});
}

TransformerShape qwen2(const Fields& fields) {
    TransformerShape shape = after_llama(fields, {.kv_heads = 32, .positions = 32768});
    shape.qkv_bias = true;
    shape.attention_output_bias = false;
    return shape;
}

TransformerShape qwen3(const Fields& fields) {
    TransformerShape shape = after_llama(fields, {.kv_heads = 32, .head_dim = 128, .positions = 32768});
    shape.extra_norms.heads = true;
    return shape;
}

/// A probability is read for the embedding, whose dropout the family's code does not run.
TransformerShape phi3(const Fields& fields) {
    TransformerShape shape = after_llama(fields, {.positions = 4096});
    shape.dropout.attention_output = shape.dropout.mlp_output = fields.drops("resid_pdrop", 0);
    fields.drops("embd_pdrop", 0);
    return shape;
}

/// Norms without parameters.
TransformerShape olmo(const Fields& fields) {
    TransformerShape shape = after_llama(fields, {});
    shape.norm_weight = false;
    return shape;
}

/// The outputs of attention and MLP are normalised in place of their inputs.
TransformerShape olmo2(const Fields& fields) {
    TransformerShape shape = after_llama(fields, {});
    shape.norm_inputs = false;
    shape.extra_norms = {.outputs = true, .projections = true};
    return shape;
}

}  // namespace shardlab::transformer
