#pragma once

/// @file
/// The shape of a transformer, and its parameters counted exactly, by part.

#include <map>
#include <string>
#include <variant>

namespace shardlab {

/// What decides a decoder's parameter count.
struct TransformerShape {
    int hidden = 0;                      ///< width of the residual stream, h
    int layers = 0;                      ///< L
    int heads = 0;                       ///< query heads, a
    int kv_heads = 0;                    ///< key and value heads; as many as heads without grouped queries
    int head_size = 0;                   ///< features of one head
    int ffn = 0;                         ///< inner features of the MLP
    int vocabulary = 0;                  ///< tokens, V
    int sequence = 0;                    ///< longest sequence; the number of learned positions where there are any
    bool gated_mlp = false;              ///< SwiGLU: three matrices in place of two
    bool tied_embeddings = false;        ///< the output head is the token embedding
    bool learned_positions = false;      ///< a learned vector for each position
    bool qkv_bias = false;               ///< biases on query, key and value
    bool attention_output_bias = false;  ///< a bias on the attention's output projection
    bool mlp_bias = false;               ///< biases on the MLP's matrices
    bool norm_bias = false;              ///< LayerNorm (weight and bias) in place of RMSNorm (weight)
};

/// Parameters by part; the parts add up to `total`.
struct ParameterCounts {
    double token_embedding = 0;     ///< V·h
    double position_embedding = 0;  ///< sequence·h where positions are learned
    double attention = 0;           ///< over all layers
    double mlp = 0;                 ///< over all layers
    double norms = 0;               ///< two a layer and one at the end
    double output_head = 0;         ///< V·h unless tied
    double total = 0;               ///< the sum
};

/// Counts a decoder's parameters, exactly up to 2^53.
/// @throws invalid_argument naming the field: every size at least 1, kv_heads dividing heads, at most 2^53 in all
ParameterCounts count_parameters(const TransformerShape& shape);

/// A list or an object in a configuration: no field that decides a parameter count is one.
struct NestedField {};

/// The top level of a Hugging Face `config.json`. Null is left out by whoever reads the file: it means the family's
/// default.
using ModelConfig = std::map<std::string, std::variant<double, bool, std::string, NestedField>>;

/// The shape that a configuration describes. Families known: `llama`, `gpt2` (by `model_type`).
///
/// Fields that decide the count must be there; those that the family itself defaults take its default
/// (Hugging Face transformers 4.44, `configuration_llama.py` and `configuration_gpt2.py`).
/// @throws invalid_argument naming the configuration's field: missing, of the wrong kind, or out of range; and
///         model_type for a family that is not known
TransformerShape shape_from_config(const ModelConfig& config);

}  // namespace shardlab
