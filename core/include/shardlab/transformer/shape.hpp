#pragma once

/// @file
/// The shape of a transformer decoder: what decides its parameters, its activations and its FLOPs.

#include <string>
#include <vector>

namespace shardlab {

/// Keys, values and optionally queries that are compressed to a latent vector before they are projected to heads.
///
/// Source: DeepSeek-AI, DeepSeek-V2, arXiv:2405.04434, section 2.1 and appendix C.
struct LatentAttention {
    int kv_rank = 0;          ///< features of the latent of keys and values; 0: no latent attention
    int query_rank = 0;       ///< features of the latent of queries; 0: queries are projected directly
    int rope_head_size = 0;   ///< features of a query or key head with a rotary position; one key of it for all heads
    int plain_head_size = 0;  ///< features of a query or key head without
    int value_head_size = 0;  ///< features of a value head
};

/// Mixture of experts: a router sends each token to some of many small MLPs.
struct Experts {
    int count = 0;             ///< routed experts in a layer; 0: a dense model
    int per_token = 0;         ///< routed experts that a token goes to
    int ffn = 0;               ///< inner features of a routed expert
    int shared_ffn = 0;        ///< inner features of the experts that every token goes to, together; 0: there are none
    bool shared_gate = false;  ///< a gate (hidden to 1) on the shared experts
    bool router_bias = false;  ///< a bias for each expert: the router's own, or its correction for balance
    bool expert_bias = false;  ///< biases on the experts' matrices
    std::vector<int> dense_layers = {};  ///< layers, from 0 and ascending, that have the dense MLP of `ffn` instead
};

/// Layers normalised beside the two inputs of attention and MLP.
struct ExtraNorms {
    bool outputs = false;      ///< the outputs of attention and MLP too (Gemma 2 and 3)
    bool heads = false;        ///< every query head and key head, with one weight a feature of a head (Qwen3, Gemma 3)
    bool projections = false;  ///< all query features, and all key features, at once (OLMo 2, OLMoE)
};

/// Where training drops features at random: each place keeps a mask for the backward.
struct Dropout {
    bool scores = false;            ///< the attention scores after their softmax
    bool attention_output = false;  ///< the output of attention
    bool mlp_output = false;        ///< the output of the MLP
    bool embedding = false;         ///< the embedding, before the first layer
};

/// Dropout in every place, as in a GPT.
inline constexpr Dropout dropout_everywhere{true, true, true, true};

/// What decides a decoder's parameters and activations.
struct TransformerShape {
    int hidden = 0;                      ///< width of the residual stream, h
    int layers = 0;                      ///< L
    int heads = 0;                       ///< query heads, a
    int kv_heads = 0;                    ///< key and value heads; as many as heads without grouped queries
    int head_size = 0;                   ///< features of one head; not used with latent attention
    int ffn = 0;                         ///< inner features of a dense MLP; not used where every layer has experts
    int vocabulary = 0;                  ///< tokens, V
    int sequence = 0;                    ///< longest sequence; the number of learned positions where there are any
    bool gated_mlp = false;              ///< SwiGLU or GeGLU: three matrices in place of two
    bool tied_embeddings = false;        ///< the output head is the token embedding
    bool learned_positions = false;      ///< a learned vector for each position
    bool qkv_bias = false;               ///< biases on query, key and value
    bool attention_output_bias = false;  ///< a bias on the attention's output projection
    bool attention_sinks = false;        ///< a learned logit for each query head (gpt-oss)
    bool mlp_bias = false;               ///< biases on the dense MLP's matrices
    bool output_head_bias = false;       ///< a bias for each token on the output head (Phi)
    bool norm_weight = true;             ///< norms have weights (not in the first OLMo)
    bool norm_bias = false;              ///< LayerNorm (weight and bias) in place of RMSNorm (weight)
    bool norm_inputs = true;             ///< the inputs of attention and MLP are normalised (not in OLMo 2)
    bool parallel_block = false;         ///< attention and MLP read the same input (GPT-NeoX): it is kept once
    bool shared_norm = false;            ///< in a parallel block one norm is the input of both (Phi, Falcon 7B)
    bool alibi = false;                  ///< positions are a bias on the scores, which has no parameters (ALiBi)
    Dropout dropout = {};                ///< what training drops
    ExtraNorms extra_norms = {};         ///< further norms of a layer
    LatentAttention latent = {};         ///< in place of plain keys and values
    Experts experts = {};                ///< in place of the dense MLP
    int prediction_layers = 0;           ///< heads that predict further tokens, each with a layer of its own
};

/// Whether a layer's MLP is routed experts.
/// @param layer from 0
bool has_experts(const TransformerShape& shape, int layer);

/// Checks every field. One of a part is named with it: `experts.per_token`.
/// @return the shape, unchanged
/// @throws invalid_argument naming the field: sizes of at least 1 where they are used, kv_heads dividing heads,
///         experts.per_token at most experts.count, experts.dense_layers ascending and below layers, shared_norm only
///         with parallel_block, learned_positions not with alibi
const TransformerShape& require_shape(const TransformerShape& shape);

/// Checks that a model can read a sequence.
/// @throws invalid_argument naming sequence: below 1, or longer than the learned positions where there are any
void require_sequence(const TransformerShape& shape, int sequence);

/// What a sequence asks of a model, in sentences: rotary positions that are scaled, where it is longer than the longest
/// that the model is made for.
std::vector<std::string> sequence_notes(const TransformerShape& shape, int sequence);

}  // namespace shardlab
