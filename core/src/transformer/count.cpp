#include <shardlab/errors.hpp>
#include <shardlab/transformer/count.hpp>

#include "parts.hpp"

namespace shardlab {
namespace {

LayerParameters layer_of(const TransformerShape& shape, bool with_experts) {
    LayerParameters layer;
    layer.attention = transformer::attention(shape).total();
    layer.norms = transformer::layer_norms(shape);
    if (with_experts) {
        layer.router = transformer::router(shape).total();
        layer.experts = shape.experts.count * transformer::routed_expert(shape).total();
        layer.shared_experts = transformer::shared_experts(shape).total();
    } else {
        layer.mlp = transformer::mlp(shape, shape.ffn, shape.mlp_bias).total();
    }
    return layer;
}

/// Layers of each kind of MLP.
struct LayerKinds {
    double dense = 0;
    double with_experts = 0;
};

LayerKinds kinds_of(const TransformerShape& shape) {
    if (shape.experts.count == 0) {
        return {.dense = static_cast<double>(shape.layers)};
    }
    const auto dense = static_cast<double>(shape.experts.dense_layers.size());
    return {.dense = dense, .with_experts = shape.layers - dense};
}

/// DeepSeek-AI, DeepSeek-V3, arXiv:2412.19437, section 2.2: norms of the token's embedding and of the features, their
/// projection together, a layer, and the norm before the shared head.
double prediction_head(const TransformerShape& shape) {
    const double hidden = shape.hidden;
    const bool with_experts = shape.experts.count > 0;
    return 3 * transformer::norm(shape) + 2 * hidden * hidden + layer_of(shape, with_experts).total();
}

double inactive_experts(const TransformerShape& shape, double layers) {
    const double idle = static_cast<double>(shape.experts.count) - shape.experts.per_token;
    return layers > 0 ? idle * transformer::routed_expert(shape).total() * layers : 0;
}

}  // namespace

LayerParameters count_layer(const TransformerShape& shape, bool with_experts) {
    require_shape(shape);
    if (with_experts) {
        require_int("experts.count", shape.experts.count, 1);
    } else {
        require_int("ffn", shape.ffn, 1);
    }
    return layer_of(shape, with_experts);
}

ParameterCounts count_parameters(const TransformerShape& shape) {
    require_shape(shape);
    const double hidden = shape.hidden;
    const LayerKinds layers = kinds_of(shape);
    const LayerParameters dense = layer_of(shape, false);
    const LayerParameters mixture = layer_of(shape, true);

    ParameterCounts counts;
    counts.token_embedding = shape.vocabulary * hidden;
    counts.position_embedding = shape.learned_positions ? shape.sequence * hidden : 0;
    counts.attention = shape.layers * dense.attention;
    counts.mlp = layers.dense * dense.mlp;
    counts.router = layers.with_experts * mixture.router;
    counts.experts = layers.with_experts * mixture.experts;
    counts.shared_experts = layers.with_experts * mixture.shared_experts;
    counts.norms = shape.layers * dense.norms + transformer::norm(shape);
    counts.output_head = (shape.tied_embeddings ? 0 : counts.token_embedding) + transformer::output_bias(shape);
    counts.total = counts.token_embedding + counts.position_embedding + counts.attention + counts.mlp + counts.router +
                   counts.experts + counts.shared_experts + counts.norms + counts.output_head;
    counts.active = counts.total - inactive_experts(shape, layers.with_experts);
    counts.prediction_heads = shape.prediction_layers > 0 ? shape.prediction_layers * prediction_head(shape) : 0;
    require_count("params", counts.total + counts.prediction_heads, 1);
    return counts;
}

}  // namespace shardlab
