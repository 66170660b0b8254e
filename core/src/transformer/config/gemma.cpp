// Gemma: heads wider than the hidden features over their number, and an embedding that is the output head too.

#include "families.hpp"

namespace shardlab::transformer {

TransformerShape gemma(const Fields& fields) {
    return after_llama(fields, {.kv_heads = 16, .head_dim = 256, .positions = 8192, .tied = true});
}

TransformerShape gemma2(const Fields& fields) {
    TransformerShape shape = after_llama(fields, {.kv_heads = 4, .head_dim = 256, .positions = 8192, .tied = true});
    shape.extra_norms.outputs = true;
    return shape;
}

/// Published configurations leave out what equals the family's default, so each size has one.
TransformerShape gemma3_text(const Fields& fields) {
    TransformerShape shape = after_llama(fields, {.hidden = 2304,
                                                  .layers = 26,
                                                  .heads = 8,
                                                  .kv_heads = 4,
                                                  .head_dim = 256,
                                                  .ffn = 9216,
                                                  .vocabulary = 262208,
                                                  .positions = 131072,
                                                  .tied = true});
    shape.extra_norms = {.outputs = true, .heads = true};
    return shape;
}

/// With pictures: the decoder stands in an object of its own, and alone is counted.
TransformerShape gemma3(const Fields& fields) {
    if (!fields.has("text_config")) {
        throw fields.refusal("text_config", "missing", "be in the configuration of this family");
    }
    return gemma3_text(fields.inside("text_config"));
}

}  // namespace shardlab::transformer
