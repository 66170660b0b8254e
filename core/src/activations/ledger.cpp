#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <shardlab/activations/ledger.hpp>
#include <shardlab/errors.hpp>

#include "../refuse.hpp"

namespace shardlab {
namespace {

constexpr double half = 2;  ///< bytes of a 16-bit number
constexpr double single = 4;
constexpr double mask = 1;

void require_multiple(std::string_view parameter, int value, const char* of_name, int of) {
    if (value % of != 0) {
        refuse(parameter, "#", std::string("be a multiple of ") + of_name + ", which is #", {1.0 * value, 1.0 * of});
    }
}

/// The tokens and features that one rank has of a layer, and its terms.
class Ledger {
public:
    Ledger(const TransformerShape& shape, const ActivationSetting& setting)
        : shape_(shape),
          setting_(setting),
          tokens_(static_cast<double>(setting.sequence) / setting.cp * setting.micro_batch) {}

    /// Of every token, `features` that tensor parallelism leaves whole; sequence parallelism cuts them by tokens.
    void whole(std::string_view name, double bytes, double features, std::string_view formula) {
        add(name, bytes * tokens_ * features / (setting_.sequence_parallel ? setting_.tp : 1), formula);
    }

    /// Of every token, `features` that tensor parallelism cuts.
    void cut(std::string_view name, double bytes, double features, std::string_view formula) {
        add(name, bytes * tokens_ * features / setting_.tp, formula);
    }

    /// Of every token, `features` that this rank has whatever the tensor parallelism.
    void own(std::string_view name, double bytes, double features, std::string_view formula) {
        add(name, bytes * tokens_ * features, formula);
    }

    double hidden() const { return shape_.hidden; }
    double tp() const { return setting_.tp; }
    double query_features() const { return 1.0 * shape_.heads * key_size(); }
    double value_features() const { return 1.0 * shape_.heads * value_size(); }
    double key_size() const {
        return latent() ? shape_.latent.plain_head_size + shape_.latent.rope_head_size : shape_.head_size;
    }
    double value_size() const { return latent() ? shape_.latent.value_head_size : shape_.head_size; }
    bool latent() const { return shape_.latent.kv_rank > 0; }

    /// Key and value heads of a rank: at least one, so that where there are fewer than ranks they are held twice.
    double rank_kv_heads() const {
        const int heads = latent() ? shape_.heads : shape_.kv_heads;
        return std::max(1, heads / setting_.tp);
    }

    const TransformerShape& shape() const { return shape_; }
    const ActivationSetting& setting() const { return setting_; }
    std::vector<ActivationTerm> terms() && { return std::move(terms_); }

private:
    void add(std::string_view name, double bytes, std::string_view formula) {
        if (bytes > 0) {
            terms_.push_back({name, bytes, formula});
        }
    }

    const TransformerShape& shape_;
    const ActivationSetting& setting_;
    double tokens_;
    std::vector<ActivationTerm> terms_;
};

void add_scores(Ledger& ledger) {
    const ActivationSetting& setting = ledger.setting();
    if (setting.recompute == Recomputation::selective) {
        return;
    }
    const double heads = ledger.shape().heads;
    if (setting.flash) {
        ledger.cut("attention_logarithms", single, heads, "4·a·s·b/t");
        return;
    }
    const double scores = heads * setting.sequence;
    ledger.cut("attention_scores", half, scores, "2·a·s·s·b/t");
    if (ledger.shape().dropout.scores) {
        ledger.cut("attention_scores_dropout_mask", mask, scores, "a·s·s·b/t");
        ledger.cut("attention_scores_after_dropout", half, scores, "2·a·s·s·b/t");
    }
}

void add_latents(Ledger& ledger) {
    const LatentAttention& latent = ledger.shape().latent;
    ledger.whole("query_latent_norm_input", half, latent.query_rank, "2·s·b·(query rank)");
    ledger.whole("query_latent", half, latent.query_rank, "2·s·b·(query rank)");
    ledger.whole("kv_latent_norm_input", half, latent.kv_rank + latent.rope_head_size, "2·s·b·(kv rank + rope)");
    ledger.whole("kv_latent", half, latent.kv_rank, "2·s·b·(kv rank)");
}

void add_attention(Ledger& ledger) {
    const TransformerShape& shape = ledger.shape();
    if (shape.norm_inputs) {
        ledger.whole("attention_norm_input", half, ledger.hidden(), "2·s·b·h");
    }
    ledger.whole("attention_input", half, ledger.hidden(), "2·s·b·h");
    if (ledger.latent()) {
        add_latents(ledger);
    }
    if (shape.extra_norms.heads || shape.extra_norms.projections) {
        ledger.cut("query_norm_input", half, ledger.query_features(), "2·s·b·a·d/t");
        ledger.own("key_norm_input", half, ledger.rank_kv_heads() * ledger.key_size(), "2·s·b·k·d/t");
    }
    ledger.cut("queries", half, ledger.query_features(), "2·s·b·a·d/t");
    ledger.own("keys", half, ledger.rank_kv_heads() * ledger.key_size(), "2·s·b·k·d/t");
    ledger.own("values", half, ledger.rank_kv_heads() * ledger.value_size(), "2·s·b·k·d/t");
    add_scores(ledger);
    ledger.cut("attention_output", half, ledger.value_features(), "2·s·b·a·d/t");
    if (shape.dropout.attention_output) {
        ledger.whole("attention_dropout_mask", mask, ledger.hidden(), "s·b·h");
    }
    if (shape.extra_norms.outputs) {
        ledger.whole("attention_output_norm_input", half, ledger.hidden(), "2·s·b·h");
    }
}

void add_dense_mlp(Ledger& ledger) {
    const double ffn = ledger.shape().ffn;
    if (ledger.shape().gated_mlp) {
        ledger.cut("mlp_gate", half, ffn, "2·s·b·f/t");
        ledger.cut("mlp_up", half, ffn, "2·s·b·f/t");
        ledger.cut("mlp_product", half, ffn, "2·s·b·f/t");
    } else {
        ledger.cut("mlp_activation_input", half, ffn, "2·s·b·f/t");
        ledger.cut("mlp_activation_output", half, ffn, "2·s·b·f/t");
    }
}

void add_experts(Ledger& ledger) {
    const Experts& experts = ledger.shape().experts;
    const double inner = ledger.shape().gated_mlp ? 3 : 2;
    const double copies = experts.per_token;
    ledger.whole("router_probabilities", single, experts.count, "4·s·b·E");
    ledger.whole("expert_inputs", half, copies * ledger.hidden(), "2·s·b·(experts a token)·h");
    ledger.cut("expert_inner", half, inner * copies * experts.ffn, "(2 or 3)·2·s·b·(experts a token)·f/t");
    ledger.whole("expert_outputs", half, copies * ledger.hidden(), "2·s·b·(experts a token)·h");
    ledger.cut("shared_expert_inner", half, inner * experts.shared_ffn, "(2 or 3)·2·s·b·(shared f)/t");
}

void add_mlp(Ledger& ledger, bool with_experts) {
    const TransformerShape& shape = ledger.shape();
    // A parallel block's two norms read one tensor, which attention has listed; so is the output of a norm that both
    // share.
    if (shape.norm_inputs && !shape.parallel_block) {
        ledger.whole("mlp_norm_input", half, ledger.hidden(), "2·s·b·h");
    }
    if (!shape.shared_norm) {
        ledger.whole("mlp_input", half, ledger.hidden(), "2·s·b·h");
    }
    if (with_experts) {
        add_experts(ledger);
    } else {
        add_dense_mlp(ledger);
    }
    if (shape.dropout.mlp_output) {
        ledger.whole("mlp_dropout_mask", mask, ledger.hidden(), "s·b·h");
    }
    if (shape.extra_norms.outputs) {
        ledger.whole("mlp_output_norm_input", half, ledger.hidden(), "2·s·b·h");
    }
}

/// The gradients of the outputs of a layer's matrices, and of the inputs what has not been listed with them.
double matrix_gradients(const Ledger& ledger, bool with_experts) {
    Ledger gradients(ledger.shape(), ledger.setting());
    const LatentAttention& latent = ledger.shape().latent;
    const Experts& experts = ledger.shape().experts;
    const double ways_in = ledger.shape().gated_mlp ? 2 : 1;
    gradients.cut("queries", half, ledger.query_features(), "");
    gradients.own("keys", half, ledger.rank_kv_heads() * ledger.key_size(), "");
    gradients.own("values", half, ledger.rank_kv_heads() * ledger.value_size(), "");
    gradients.whole("latents", half, ledger.latent() ? latent.query_rank + latent.kv_rank : 0, "");
    gradients.whole("attention", half, ledger.hidden(), "");
    if (with_experts) {
        gradients.cut("experts", half, ways_in * experts.per_token * experts.ffn, "");
        gradients.cut("shared_experts", half, ways_in * experts.shared_ffn, "");
        gradients.whole("expert_outputs", half, experts.per_token * ledger.hidden(), "");
    } else {
        gradients.cut("mlp", half, ways_in * ledger.shape().ffn, "");
    }
    gradients.whole("mlp_output", half, ledger.hidden(), "");
    return total_bytes(std::move(gradients).terms());
}

double matrix_inputs(const Ledger& ledger, bool with_experts) {
    Ledger inputs(ledger.shape(), ledger.setting());
    const LatentAttention& latent = ledger.shape().latent;
    const Experts& experts = ledger.shape().experts;
    inputs.whole("attention_input", half, ledger.hidden(), "");
    inputs.whole("latents", half, ledger.latent() ? latent.query_rank + latent.kv_rank : 0, "");
    inputs.cut("attention_output", half, ledger.value_features(), "");
    inputs.whole("mlp_input", half, ledger.shape().shared_norm ? 0 : ledger.hidden(), "");
    if (with_experts) {
        inputs.whole("expert_inputs", half, experts.per_token * ledger.hidden(), "");
        inputs.cut("expert_products", half, 1.0 * experts.per_token * experts.ffn, "");
        inputs.cut("shared_expert_products", half, experts.shared_ffn, "");
    } else {
        inputs.cut("mlp_product", half, ledger.shape().ffn, "");
    }
    return total_bytes(std::move(inputs).terms());
}

void require_both(const TransformerShape& shape, const ActivationSetting& setting) {
    require_shape(shape);
    require_setting(shape, setting);
}

}  // namespace

void require_setting(const TransformerShape& shape, const ActivationSetting& setting) {
    require_sequence(shape, setting.sequence);
    require_int("micro_batch", setting.micro_batch, 1);
    require_int("tp", setting.tp, 1);
    require_int("cp", setting.cp, 1);
    require_multiple("heads", shape.heads, "tp", setting.tp);
    if (shape.latent.kv_rank == 0 && shape.kv_heads % setting.tp != 0 && setting.tp % shape.kv_heads != 0) {
        refuse("kv_heads", "#", "be a multiple or a divisor of tp, which is #",
               {1.0 * shape.kv_heads, 1.0 * setting.tp});
    }
    require_multiple("ffn", shape.ffn, "tp", setting.tp);
    require_multiple("experts.ffn", shape.experts.ffn, "tp", setting.tp);
    require_multiple("experts.shared_ffn", shape.experts.shared_ffn, "tp", setting.tp);
    require_multiple("sequence", setting.sequence, "cp", setting.cp);
    if (setting.sequence_parallel) {
        require_multiple("sequence", setting.sequence / setting.cp, "tp", setting.tp);
    }
}

std::vector<std::string> setting_notes(const TransformerShape& shape, const ActivationSetting& setting) {
    std::vector<std::string> notes = sequence_notes(shape, setting.sequence);
    if (shape.latent.kv_rank == 0 && shape.kv_heads < setting.tp) {
        std::string note = "kv_heads, ";
        note += std::to_string(shape.kv_heads) + ", are fewer than tp, " + std::to_string(setting.tp);
        note += ": each is held by " + std::to_string(setting.tp / shape.kv_heads) + " ranks";
        notes.push_back(std::move(note));
    }
    return notes;
}

std::vector<ActivationTerm> layer_activations(const TransformerShape& shape, bool with_experts,
                                              const ActivationSetting& setting) {
    require_both(shape, setting);
    Ledger ledger(shape, setting);
    if (setting.recompute == Recomputation::full) {
        ledger.whole("layer_input", half, ledger.hidden(), "2·s·b·h");
    } else {
        add_attention(ledger);
        add_mlp(ledger, with_experts);
    }
    return std::move(ledger).terms();
}

std::vector<ActivationTerm> embedding_activations(const TransformerShape& shape, const ActivationSetting& setting) {
    require_both(shape, setting);
    Ledger ledger(shape, setting);
    if (shape.dropout.embedding) {
        ledger.whole("embedding_dropout_mask", mask, ledger.hidden(), "s·b·h");
    }
    return std::move(ledger).terms();
}

std::vector<ActivationTerm> head_activations(const TransformerShape& shape, const ActivationSetting& setting) {
    require_both(shape, setting);
    Ledger ledger(shape, setting);
    const int share = (shape.vocabulary - 1) / setting.tp + 1;
    ledger.whole("final_norm_input", half, ledger.hidden(), "2·s·b·h");
    ledger.whole("output_head_input", half, ledger.hidden(), "2·s·b·h");
    ledger.own("logits", single, share, "4·s·b·V/t");
    return std::move(ledger).terms();
}

double weight_gradient_bytes(const TransformerShape& shape, bool with_experts, const ActivationSetting& setting) {
    require_both(shape, setting);
    const Ledger ledger(shape, setting);
    return matrix_inputs(ledger, with_experts) + matrix_gradients(ledger, with_experts);
}

double total_bytes(const std::vector<ActivationTerm>& terms) {
    double sum = 0;
    for (const ActivationTerm& term : terms) {
        sum += term.bytes;
    }
    return sum;
}

}  // namespace shardlab
