// Megatron-LM's options of the model.

#include <algorithm>
#include <string>

#include "parts.hpp"

namespace shardlab::launch {
namespace {

/// Megatron-LM has one number for the scores, and one for the outputs of both parts and for the embedding.
void add_dropout(LaunchSettings& launch, const Dropout& dropout) {
    if (!dropout.scores) {
        set(launch, "--attention-dropout", "0.0", "no mask of dropped scores; Megatron-LM drops a tenth when left out");
    }
    const int hidden = (dropout.attention_output ? 1 : 0) + (dropout.mlp_output ? 1 : 0) + (dropout.embedding ? 1 : 0);
    constexpr int all = 3;
    if (hidden == 0) {
        set(launch, "--hidden-dropout", "0.0", "no mask of dropped outputs; Megatron-LM drops a tenth when left out");
    } else if (hidden < all) {
        leave_out(launch, "dropout",
                  "--hidden-dropout drops the outputs of attention and MLP and the embedding alike.");
    }
}

void add_norms(LaunchSettings& launch, const TransformerShape& shape) {
    set(launch, "--normalization", shape.norm_bias ? "LayerNorm" : "RMSNorm",
        shape.norm_bias ? "norms of a weight and a bias" : "norms of a weight alone");
    if (!shape.norm_weight) {
        leave_out(launch, "norm_weight", "norms have weights, and there is no option against them.");
    }
}

void add_width(LaunchSettings& launch, const FootprintRequest& request) {
    const TransformerShape& shape = request.shape;
    set(launch, "--num-layers", shape.layers, "transformer layers in all");
    set(launch, "--hidden-size", shape.hidden, "features of the residual stream");
    if (shape.ffn > 0) {
        set(launch, "--ffn-hidden-size", shape.ffn, "inner features of a dense MLP");
    }
    if (shape.gated_mlp) {
        set(launch, "--swiglu", "", "a gated MLP of three matrices; its gate is SiLU, which takes what GELU takes");
    }
    add_norms(launch, shape);
    add_dropout(launch, shape.dropout);
}

void add_latent(LaunchSettings& launch, const LatentAttention& latent) {
    set(launch, "--multi-latent-attention", "", "keys and values from a latent");
    set(launch, "--kv-lora-rank", latent.kv_rank, "features of the latent of keys and values");
    if (latent.query_rank > 0) {
        set(launch, "--q-lora-rank", latent.query_rank, "features of the latent of queries");
    }
    set(launch, "--qk-head-dim", latent.plain_head_size, "features of a query or key head without a position");
    set(launch, "--qk-pos-emb-head-dim", latent.rope_head_size, "features of it with a rotary position");
    set(launch, "--v-head-dim", latent.value_head_size, "features of a value head");
}

void add_heads(LaunchSettings& launch, const TransformerShape& shape) {
    set(launch, "--num-attention-heads", shape.heads, "query heads");
    if (shape.latent.kv_rank > 0) {
        add_latent(launch, shape.latent);
        return;
    }
    if (shape.kv_heads != shape.heads) {
        set(launch, "--group-query-attention", "", "fewer key and value heads than query heads");
        set(launch, "--num-query-groups", shape.kv_heads, "key and value heads");
    }
    if (shape.head_size * shape.heads != shape.hidden) {
        set(launch, "--kv-channels", shape.head_size, "features of a head, where heads and hidden size do not give it");
    }
}

void add_attention(LaunchSettings& launch, const FootprintRequest& request) {
    const TransformerShape& shape = request.shape;
    add_heads(launch, shape);
    if (shape.extra_norms.heads) {
        set(launch, "--qk-layernorm", "", "a norm on every query head and key head");
    }
    if (shape.attention_sinks) {
        set(launch, "--softmax-type", "learnable", "a learned logit for each head beside the scores");
    }
    const bool flash = request.flash || request.layout.cp > 1;
    set(launch, "--attention-backend", flash ? "flash" : "unfused",
        flash ? "attention that keeps no scores" : "attention that keeps its scores, as they are sized here");
    if (flash && !request.flash) {
        leave_out(launch, "flash off",
                  "with context-parallel ranks Transformer Engine runs fused attention alone, which keeps no scores.");
    }
}

/// Megatron-LM has one switch for all biases, and one for those of queries, keys and values.
void add_biases(LaunchSettings& launch, const TransformerShape& shape) {
    const bool all = shape.qkv_bias && shape.attention_output_bias && shape.mlp_bias;
    if (all) {
        return;
    }
    set(launch, "--disable-bias-linear", "", "linear layers without biases");
    if (shape.qkv_bias) {
        set(launch, "--add-qkv-bias", "", "but for queries, keys and values");
    }
    constexpr const char* reason = "linear layers all have biases, or queries, keys and values alone.";
    if (shape.attention_output_bias) {
        leave_out(launch, "attention_output_bias", reason);
    }
    if (shape.mlp_bias) {
        leave_out(launch, "mlp_bias", reason);
    }
}

void add_embeddings(LaunchSettings& launch, const FootprintRequest& request) {
    const TransformerShape& shape = request.shape;
    const int tp = request.layout.tp;
    const int rows_of_rank = (shape.vocabulary - 1) / tp + 1;
    set(launch, "--padded-vocab-size", 1.0 * rows_of_rank * tp,
        "rows of the embedding: the vocabulary, filled up to a multiple of tp");
    set(launch, "--seq-length", request.sequence, "tokens of a sequence");
    set(launch, "--max-position-embeddings", std::max(shape.sequence, request.sequence),
        "longest sequence, and the rows of learned positions");
    set(launch, "--position-embedding-type", shape.learned_positions ? "learned_absolute" : "rope",
        shape.learned_positions ? "a learned vector for each position" : "rotary positions, which have no parameters");
    if (shape.alibi) {
        leave_out(launch, "alibi",
                  "biases of scores by distance have no option; rotary positions stand in their place.");
    }
    if (shape.output_head_bias) {
        leave_out(launch, "output_head_bias", "the output head has no option for a bias.");
    }
    if (!shape.tied_embeddings) {
        set(launch, "--untie-embeddings-and-output-weights", "", "an output head of its own");
    }
    if (shape.prediction_layers > 0) {
        set(launch, "--mtp-num-layers", shape.prediction_layers, "heads that predict further tokens");
    }
}

/// `[0]*3+[1]*58` in parentheses: dense layers are 0.
std::string layer_pattern(const TransformerShape& shape) {
    std::string pattern;
    for (int begin = 0; begin < shape.layers;) {
        int end = begin;
        while (end < shape.layers && has_experts(shape, end) == has_experts(shape, begin)) {
            ++end;
        }
        pattern += pattern.empty() ? "(" : "+";
        pattern += has_experts(shape, begin) ? "[1]*" : "[0]*";
        pattern += std::to_string(end - begin);
        begin = end;
    }
    return pattern + ")";
}

void leave_out_of_experts(LaunchSettings& launch, const Experts& experts) {
    if (experts.shared_gate) {
        leave_out(launch, "experts.shared_gate", "no option of this version puts a gate on shared experts.");
    }
    if (experts.router_bias) {
        leave_out(launch, "experts.router_bias",
                  "a correction for balance is --moe-router-enable-expert-bias; a bias of the router itself has no "
                  "option.");
    }
    if (experts.expert_bias) {
        leave_out(launch, "experts.expert_bias", "experts have no option for biases of their own.");
    }
}

void add_experts(LaunchSettings& launch, const FootprintRequest& request) {
    const Experts& experts = request.shape.experts;
    if (experts.count == 0) {
        return;
    }
    set(launch, "--num-experts", experts.count, "routed experts in a layer");
    set(launch, "--moe-router-topk", experts.per_token, "routed experts that a token goes to");
    set(launch, "--moe-ffn-hidden-size", experts.ffn, "inner features of a routed expert");
    if (experts.shared_ffn > 0) {
        set(launch, "--moe-shared-expert-intermediate-size", experts.shared_ffn,
            "inner features of the experts that every token goes to, together");
    }
    if (!experts.dense_layers.empty()) {
        set(launch, "--moe-layer-freq", layer_pattern(request.shape), "layers with experts are 1, with a dense MLP 0");
    }
    if (request.layout.ep > 1) {
        set(launch, "--expert-model-parallel-size", request.layout.ep, "ranks that a layer's experts are dealt to");
        set(launch, "--moe-token-dispatcher-type", "alltoall", "tokens go to their experts' ranks and no others");
    }
    leave_out_of_experts(launch, experts);
}

void leave_out_of_shape(LaunchSettings& launch, const TransformerShape& shape) {
    if (shape.extra_norms.outputs) {
        leave_out(launch, "extra_norms.outputs", "norms after attention and MLP are a layer specification in Python.");
    }
    if (shape.extra_norms.projections) {
        leave_out(launch, "extra_norms.projections",
                  "a norm over all query features at once is a layer specification in Python.");
    }
    if (!shape.norm_inputs) {
        leave_out(launch, "norm_inputs", "layers without a norm before them are a layer specification in Python.");
    }
    if (shape.parallel_block) {
        leave_out(launch, shape.shared_norm ? "parallel_block and shared_norm" : "parallel_block",
                  "attention and MLP beside each other have no option: they follow in turn.");
    }
}

}  // namespace

void add_megatron_shape(LaunchSettings& launch, const FootprintRequest& request) {
    add_width(launch, request);
    add_attention(launch, request);
    add_biases(launch, request.shape);
    add_embeddings(launch, request);
    add_experts(launch, request);
    leave_out_of_shape(launch, request.shape);
}

}  // namespace shardlab::launch
