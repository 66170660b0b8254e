// GPT-2 and GPT-NeoX: LayerNorm, biases everywhere, an MLP of two matrices, dropout.

#include "families.hpp"

namespace shardlab::transformer {
namespace {

TransformerShape with_biases() {
    TransformerShape shape;
    shape.qkv_bias = true;
    shape.attention_output_bias = true;
    shape.mlp_bias = true;
    shape.norm_bias = true;
    return shape;
}

}  // namespace

TransformerShape gpt2(const Fields& fields) {
    if (fields.flag_or("add_cross_attention", false)) {
        throw fields.refusal("add_cross_attention", "true", "be false: a decoder alone is counted");
    }
    constexpr int usual_ffn_factor = 4;
    constexpr int widest = 536870911;  // four times as much is still an int
    TransformerShape shape = with_biases();
    shape.hidden = fields.size("n_embd", widest);
    shape.layers = fields.size("n_layer");
    shape.heads = fields.size("n_head");
    fields.require_divides("n_head", shape.heads, "n_embd", shape.hidden);
    shape.kv_heads = shape.heads;
    shape.head_size = shape.hidden / shape.heads;
    shape.ffn = fields.size_or("n_inner", usual_ffn_factor * shape.hidden);
    shape.vocabulary = fields.size("vocab_size");
    shape.sequence = fields.size("n_positions");
    shape.tied_embeddings = fields.flag_or("tie_word_embeddings", true);
    shape.learned_positions = true;
    constexpr double usual_dropout = 0.1;
    shape.dropout.scores = fields.drops("attn_pdrop", usual_dropout);
    shape.dropout.attention_output = shape.dropout.mlp_output = fields.drops("resid_pdrop", usual_dropout);
    shape.dropout.embedding = fields.drops("embd_pdrop", usual_dropout);
    return shape;
}

TransformerShape gpt_neox(const Fields& fields) {
    TransformerShape shape = with_biases();
    shape.hidden = fields.size("hidden_size");
    shape.layers = fields.size("num_hidden_layers");
    shape.heads = fields.size("num_attention_heads");
    fields.require_divides("num_attention_heads", shape.heads, "hidden_size", shape.hidden);
    shape.kv_heads = shape.heads;
    shape.head_size = shape.hidden / shape.heads;
    shape.ffn = fields.size("intermediate_size");
    shape.vocabulary = fields.size("vocab_size");
    shape.sequence = fields.size_or("max_position_embeddings", 2048);
    shape.tied_embeddings = fields.flag_or("tie_word_embeddings", false);
    shape.qkv_bias = fields.flag_or("attention_bias", true);
    shape.attention_output_bias = shape.qkv_bias;
    shape.parallel_block = fields.flag_or("use_parallel_residual", true);
    shape.dropout.scores = fields.drops("attention_dropout", 0);
    const bool hidden = fields.drops("hidden_dropout", 0);
    shape.dropout.attention_output = shape.dropout.mlp_output = shape.dropout.embedding = hidden;
    return shape;
}

}  // namespace shardlab::transformer
