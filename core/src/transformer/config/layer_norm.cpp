// Dense models that share most fields with Llama's and normalise by LayerNorm.

#include "families.hpp"

namespace shardlab::transformer {
namespace {

/// Attention and MLP beside each other, behind one norm.
void make_parallel(TransformerShape& shape) {
    shape.parallel_block = true;
    shape.shared_norm = true;
}

}  // namespace

/// Norms of a weight alone, though they are LayerNorm's.
TransformerShape cohere(const Fields& fields) {
    TransformerShape shape = after_llama(fields, {.positions = 8192, .tied = true});
    make_parallel(shape);
    shape.extra_norms.projections = fields.flag_or("use_qk_norm", false);
    return shape;
}

/// Biases everywhere, that of the output head too.
TransformerShape phi(const Fields& fields) {
    if (fields.flag_or("qk_layernorm", false)) {
        throw fields.refusal("qk_layernorm", "true", "be false: norms of heads that have biases are not counted");
    }
    TransformerShape shape = after_llama(fields, {});
    make_parallel(shape);
    shape.gated_mlp = false;
    shape.qkv_bias = shape.attention_output_bias = shape.mlp_bias = true;
    shape.output_head_bias = true;
    shape.norm_bias = true;
    shape.dropout.attention_output = shape.dropout.mlp_output = fields.drops("resid_pdrop", 0);
    shape.dropout.embedding = fields.drops("embd_pdrop", 0);
    return shape;
}

/// The output of the MLP alone is dropped.
TransformerShape stablelm(const Fields& fields) {
    TransformerShape shape = after_llama(fields, {.kv_heads = 32, .positions = 4096});
    if (fields.flag_or("use_parallel_residual", false)) {
        make_parallel(shape);
    }
    shape.qkv_bias = fields.flag_or("use_qkv_bias", false);
    shape.attention_output_bias = false;
    shape.norm_bias = true;
    shape.extra_norms.projections = fields.flag_or("qk_layernorm", false);
    shape.dropout.mlp_output = fields.drops("hidden_dropout", 0);
    return shape;
}

TransformerShape starcoder2(const Fields& fields) {
    TransformerShape shape = after_llama(fields, {.kv_heads = 2, .positions = 4096, .tied = true});
    shape.gated_mlp = false;
    const bool biases = fields.flag_or("use_bias", true);
    shape.qkv_bias = shape.attention_output_bias = shape.mlp_bias = biases;
    shape.norm_bias = true;
    shape.dropout.attention_output = shape.dropout.mlp_output = fields.drops("residual_dropout", 0);
    shape.dropout.embedding = fields.drops("embedding_dropout", 0);
    return shape;
}

}  // namespace shardlab::transformer
