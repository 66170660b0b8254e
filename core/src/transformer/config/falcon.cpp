// Falcon: three architectures of one name, told apart by flags.

#include "families.hpp"

namespace shardlab::transformer {
namespace {

/// Grouped queries in the new architecture; before it one head of keys and values, or each query head its own.
int kv_heads(const Fields& fields, int heads, bool grouped) {
    const int groups = fields.size_or("num_kv_heads", heads);
    const bool one = fields.flag_or("multi_query", true);
    return grouped ? groups : one ? 1 : heads;
}

void read_sizes(const Fields& fields, TransformerShape& shape, bool grouped) {
    constexpr int usual_ffn_factor = 4;
    constexpr int widest = 536870911;  // four times as much is still an int
    shape.hidden = fields.size("hidden_size", widest);
    shape.layers = fields.size("num_hidden_layers");
    shape.heads = fields.size("num_attention_heads");
    fields.require_divides("num_attention_heads", shape.heads, "hidden_size", shape.hidden);
    shape.head_size = shape.hidden / shape.heads;
    shape.kv_heads = kv_heads(fields, shape.heads, grouped);
    fields.require_divides("num_kv_heads", shape.kv_heads, "num_attention_heads", shape.heads);
    shape.ffn = fields.size_or("ffn_hidden_size", usual_ffn_factor * shape.hidden);
    shape.vocabulary = fields.size("vocab_size");
    shape.sequence = fields.size_or("max_position_embeddings", 2048);
}

/// Attention and MLP beside each other, behind one norm or one each, or one after the other.
void read_block(const Fields& fields, TransformerShape& shape, bool grouped) {
    constexpr const char* norms = "num_ln_in_parallel_attn";
    const bool one_norm = fields.has(norms) ? fields.size(norms, 2) == 1 : !grouped;
    shape.parallel_block = fields.flag_or("parallel_attn", true);
    if (grouped && !shape.parallel_block) {
        throw fields.refusal("parallel_attn", "false", "be true with new_decoder_architecture");
    }
    shape.shared_norm = shape.parallel_block && one_norm;
}

/// Beside each other the two outputs are added before they are dropped; else that of attention is dropped as often as
/// the scores.
void read_dropout(const Fields& fields, TransformerShape& shape) {
    shape.dropout.scores = fields.drops("attention_dropout", 0);
    shape.dropout.attention_output = shape.dropout.scores && !shape.parallel_block;
    shape.dropout.mlp_output = fields.drops("hidden_dropout", 0);
}

}  // namespace

TransformerShape falcon(const Fields& fields) {
    const bool grouped = fields.flag_or("new_decoder_architecture", false);
    TransformerShape shape;
    read_sizes(fields, shape, grouped);
    read_block(fields, shape, grouped);
    read_dropout(fields, shape);
    const bool biases = fields.flag_or("bias", false);
    shape.qkv_bias = shape.attention_output_bias = shape.mlp_bias = biases;
    shape.norm_bias = true;
    shape.tied_embeddings = fields.flag_or("tie_word_embeddings", true);
    shape.alibi = fields.flag_or("alibi", false);
    return shape;
}

}  // namespace shardlab::transformer
