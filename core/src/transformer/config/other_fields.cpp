#include "other_fields.hpp"

#include <algorithm>
#include <array>

namespace shardlab::transformer {
namespace {

/// In alphabetical order.
constexpr std::array<std::string_view, 74> names = {
    "activation",
    "activation_function",
    "apply_residual_connection_post_layernorm",
    "architectures",
    "attn_logit_softcapping",
    "auto_map",
    "aux_loss_alpha",
    "cache_implementation",
    "classifier_dropout",
    "clip_qkv",
    "dtype",
    "ep_size",
    "experts_per_token",
    "final_logit_softcapping",
    "hidden_act",
    "hidden_activation",
    "id2label",
    "initial_context_length",
    "initializer_range",
    "is_decoder",
    "is_encoder_decoder",
    "label2id",
    "layer_norm_eps",
    "layer_norm_epsilon",
    "layer_types",
    "logit_scale",
    "max_window_layers",
    "mlp_type",
    "mm_tokens_per_image",
    "model_type",
    "mscale",
    "n_ctx",
    "n_group",
    "norm_eps",
    "norm_epsilon",
    "norm_topk_prob",
    "norm_type",
    "original_max_position_embeddings",
    "output_attentions",
    "output_hidden_states",
    "output_router_logits",
    "partial_rotary_factor",
    "pretraining_tp",
    "quantization_config",
    "query_pre_attn_scalar",
    "reorder_and_upcast_attn",
    "return_dict",
    "rms_norm_eps",
    "rotary_emb_base",
    "rotary_pct",
    "routed_scaling_factor",
    "router_aux_loss_coef",
    "router_jitter_noise",
    "scale_attn_by_inverse_layer_idx",
    "scale_attn_weights",
    "scoring_func",
    "seq_aux",
    "sliding_window",
    "sliding_window_pattern",
    "swiglu_limit",
    "task_specific_params",
    "tf_legacy_loss",
    "tie_encoder_decoder",
    "topk_group",
    "topk_method",
    "torch_dtype",
    "transformers_version",
    "unsloth_version",
    "use_bfloat16",
    "use_cache",
    "use_mrope",
    "use_sliding_window",
    "vocab_type",
    "z_loss_coef",
};

bool starts_with(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

bool changes_no_shape(std::string_view field) {
    // Rotary positions and the ends of texts go by many names; a leading underscore is the file's writer's own.
    return std::binary_search(names.begin(), names.end(), field) || starts_with(field, "rope_") ||
           starts_with(field, "summary_") || starts_with(field, "_") || ends_with(field, "_token_id") ||
           ends_with(field, "_token_index");
}

}  // namespace shardlab::transformer
