#include "rank_parameters.hpp"

#include <algorithm>

#include "../transformer/parts.hpp"

namespace shardlab {
namespace {

/// The shape of which a tensor-parallel rank's part of a layer is the whole.
TransformerShape shape_on_rank(const TransformerShape& shape, int tp) {
    TransformerShape own = shape;
    own.heads = shape.heads / tp;
    own.kv_heads = std::max(1, shape.kv_heads / tp);
    own.ffn = shape.ffn / tp;
    own.experts.ffn = shape.experts.ffn / tp;
    own.experts.shared_ffn = shape.experts.shared_ffn / tp;
    return own;
}

void add(ParameterGroup& group, const transformer::Part& part, double times = 1) {
    group.all += times * part.total();
    group.matrices += times * part.matrices;
}

}  // namespace

RankParameters& RankParameters::operator+=(const RankParameters& other) {
    dense.all += other.dense.all;
    dense.matrices += other.dense.matrices;
    experts.all += other.experts.all;
    experts.matrices += other.experts.matrices;
    return *this;
}

RankParameters operator*(int layers, const RankParameters& layer) {
    return {.dense = {.all = layers * layer.dense.all, .matrices = layers * layer.dense.matrices},
            .experts = {.all = layers * layer.experts.all, .matrices = layers * layer.experts.matrices}};
}

RankParameters layer_on_rank(const TransformerShape& shape, bool with_experts, const Layout& layout) {
    const TransformerShape own = shape_on_rank(shape, layout.tp);
    RankParameters layer;
    add(layer.dense, transformer::attention(own));
    add(layer.dense, {.matrices = 0, .vectors = transformer::layer_norms(own)});
    if (with_experts) {
        add(layer.dense, transformer::router(own));
        add(layer.dense, transformer::shared_experts(own));
        add(layer.experts, transformer::routed_expert(own), static_cast<double>(shape.experts.count) / layout.ep);
    } else {
        add(layer.dense, transformer::mlp(own, own.ffn, own.mlp_bias));
    }
    return layer;
}

double vocabulary_on_rank(const TransformerShape& shape, const Layout& layout) {
    const int rows = (shape.vocabulary - 1) / layout.tp + 1;
    return static_cast<double>(rows) * shape.hidden;
}

double positions_on_rank(const TransformerShape& shape) {
    return shape.learned_positions ? 1.0 * shape.sequence * shape.hidden : 0;
}

double output_bias_on_rank(const TransformerShape& shape, const Layout& layout) {
    return shape.output_head_bias ? (shape.vocabulary - 1) / layout.tp + 1 : 0;
}

double final_norm_on_rank(const TransformerShape& shape) {
    return transformer::norm(shape);
}

}  // namespace shardlab
