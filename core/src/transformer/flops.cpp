#include <shardlab/errors.hpp>
#include <shardlab/transformer/flops.hpp>

#include "parts.hpp"

namespace shardlab {
namespace {

/// Weights of a layer's matrices that one token is multiplied with.
double met_weights(const TransformerShape& shape, bool with_experts) {
    const double attention = transformer::attention(shape).matrices;
    if (!with_experts) {
        return attention + transformer::mlp(shape, shape.ffn, shape.mlp_bias).matrices;
    }
    return attention + transformer::router(shape).matrices +
           shape.experts.per_token * transformer::routed_expert(shape).matrices +
           transformer::shared_experts(shape).matrices;
}

double met_weights_of_layers(const TransformerShape& shape) {
    if (shape.experts.count == 0) {
        return shape.layers * met_weights(shape, false);
    }
    const auto dense = static_cast<double>(shape.experts.dense_layers.size());
    return dense * met_weights(shape, false) + (shape.layers - dense) * met_weights(shape, true);
}

/// Features of a head that the scores, and then the values, are products over.
double head_features(const TransformerShape& shape) {
    const LatentAttention& latent = shape.latent;
    if (latent.kv_rank == 0) {
        return 2.0 * shape.head_size;
    }
    return static_cast<double>(latent.rope_head_size) + latent.plain_head_size + latent.value_head_size;
}

double recomputed(Recomputation recompute, double scores, double layers) {
    switch (recompute) {
        case Recomputation::none:
            return 0;
        case Recomputation::selective:
            return scores;
        case Recomputation::full:
            return layers;
    }
    return 0;
}

}  // namespace

TokenFlops flops_per_token(const TransformerShape& shape, int sequence, Recomputation recompute) {
    require_shape(shape);
    require_sequence(shape, sequence);
    TokenFlops flops;
    flops.scores_forward = 2.0 * shape.layers * shape.heads * sequence * head_features(shape);
    const double layers = 2 * met_weights_of_layers(shape) + flops.scores_forward;
    const double head = 2.0 * shape.vocabulary * shape.hidden;
    flops.forward = layers + head;
    flops.backward = 2 * flops.forward;
    flops.recomputed = recomputed(recompute, flops.scores_forward, layers);
    return flops;
}

KorthikantiFlops korthikanti_flops(int batch, int layers, int sequence, int hidden, int vocabulary) {
    const double tokens = static_cast<double>(require_int("batch", batch, 1)) * require_int("sequence", sequence, 1);
    const double blocks = require_int("layers", layers, 1);
    const double width = require_int("hidden", hidden, 1);
    // Multiplied out, whole numbers stay whole.
    const double linear = 72 * blocks * width * width;
    const double scores = 12 * blocks * width * sequence;
    const double head = 6 * width * require_int("vocabulary", vocabulary, 1);
    return {.model = tokens * (linear + scores + head), .hardware = tokens * (linear + 2 * scores + head)};
}

}  // namespace shardlab
