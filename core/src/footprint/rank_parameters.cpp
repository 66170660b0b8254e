#include "rank_parameters.hpp"

#include <algorithm>

namespace shardlab {
namespace {

/// Matrices, which Muon treats apart, and everything else.
struct Parts {
    double matrices = 0;
    double others = 0;

    ParameterGroup group() const { return {.all = matrices + others, .matrices = matrices}; }
};

double norm(const TransformerShape& shape, double features) {
    return features * (shape.norm_bias ? 2 : 1);
}

void add_latent_attention(Parts& parts, const TransformerShape& shape, double tp) {
    const LatentAttention& latent = shape.latent;
    const double hidden = shape.hidden;
    const double heads = shape.heads / tp;
    const double query_features = heads * (latent.plain_head_size + latent.rope_head_size);
    if (latent.query_rank > 0) {
        parts.matrices += hidden * latent.query_rank + latent.query_rank * query_features;
        parts.others += norm(shape, latent.query_rank);
    } else {
        parts.matrices += hidden * query_features;
    }
    parts.matrices += hidden * (latent.kv_rank + latent.rope_head_size) +
                      latent.kv_rank * heads * (latent.plain_head_size + latent.value_head_size) +
                      heads * latent.value_head_size * hidden;
    parts.others += norm(shape, latent.kv_rank);
}

void add_plain_attention(Parts& parts, const TransformerShape& shape, double tp) {
    const double hidden = shape.hidden;
    const double queries = shape.heads / tp * shape.head_size;
    const double keys = std::max(1.0, shape.kv_heads / tp) * shape.head_size;
    parts.matrices += hidden * (queries + 2 * keys) + queries * hidden;
    parts.others += shape.qkv_bias ? queries + 2 * keys : 0;
    if (shape.extra_norms.heads) {
        parts.others += 2 * norm(shape, shape.head_size);
    }
    if (shape.extra_norms.projections) {
        parts.others += norm(shape, queries) + norm(shape, keys);
    }
}

/// Two or three matrices, with biases of which the output's is whole on every rank.
void add_mlp(Parts& parts, const TransformerShape& shape, double inner, bool bias) {
    const double ways_in = shape.gated_mlp ? 2 : 1;
    parts.matrices += (ways_in + 1) * shape.hidden * inner;
    parts.others += bias ? ways_in * inner + shape.hidden : 0;
}

double norms(const TransformerShape& shape) {
    const double count = (shape.norm_inputs ? 2 : 0) + (shape.extra_norms.outputs ? 2 : 0);
    return count * norm(shape, shape.hidden);
}

}  // namespace

RankParameters& RankParameters::operator+=(const RankParameters& other) {
    dense.all += other.dense.all;
    dense.matrices += other.dense.matrices;
    experts.all += other.experts.all;
    experts.matrices += other.experts.matrices;
    return *this;
}

RankParameters layer_on_rank(const TransformerShape& shape, bool with_experts, const Layout& layout) {
    const double tp = layout.tp;
    Parts dense;
    if (shape.latent.kv_rank > 0) {
        add_latent_attention(dense, shape, tp);
    } else {
        add_plain_attention(dense, shape, tp);
    }
    dense.others += (shape.attention_output_bias ? shape.hidden : 0) + (shape.attention_sinks ? shape.heads / tp : 0);
    dense.others += norms(shape);
    if (!with_experts) {
        add_mlp(dense, shape, shape.ffn / tp, shape.mlp_bias);
        return {.dense = dense.group(), .experts = {}};
    }

    const Experts& experts = shape.experts;
    dense.matrices += 1.0 * shape.hidden * experts.count;
    dense.others += experts.router_bias ? experts.count : 0;
    if (experts.shared_ffn > 0) {
        add_mlp(dense, shape, experts.shared_ffn / tp, false);
        dense.others += experts.shared_gate ? shape.hidden : 0;
    }
    Parts one;
    add_mlp(one, shape, experts.ffn / tp, experts.expert_bias);
    const double own = static_cast<double>(experts.count) / layout.ep;
    return {.dense = dense.group(),
            .experts = {.all = own * (one.matrices + one.others), .matrices = own * one.matrices}};
}

double vocabulary_on_rank(const TransformerShape& shape, const Layout& layout) {
    return ((shape.vocabulary - 1) / layout.tp + 1.0) * shape.hidden;
}

double positions_on_rank(const TransformerShape& shape) {
    return shape.learned_positions ? 1.0 * shape.sequence * shape.hidden : 0;
}

double final_norm_on_rank(const TransformerShape& shape) {
    return norm(shape, shape.hidden);
}

}  // namespace shardlab
