#include <algorithm>
#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/transformer/shape.hpp>

#include "../refuse.hpp"

namespace shardlab {
namespace {

void require_attention(const TransformerShape& shape) {
    require_int("heads", shape.heads, 1);
    require_int("kv_heads", shape.kv_heads, 1);
    if (shape.heads % shape.kv_heads != 0) {
        throw invalid_argument("kv_heads", std::to_string(shape.kv_heads),
                               "divide heads, which is " + std::to_string(shape.heads));
    }
    const LatentAttention& latent = shape.latent;
    require_int("latent.kv_rank", latent.kv_rank, 0);
    if (latent.kv_rank == 0) {
        require_int("head_size", shape.head_size, 1);
        return;
    }
    require_int("latent.query_rank", latent.query_rank, 0);
    require_int("latent.rope_head_size", latent.rope_head_size, 0);
    require_int("latent.plain_head_size", latent.plain_head_size, 1);
    require_int("latent.value_head_size", latent.value_head_size, 1);
}

void require_dense_layers(const TransformerShape& shape) {
    int least = 0;
    for (const int layer : shape.experts.dense_layers) {
        if (layer < least || layer >= shape.layers) {
            throw invalid_argument("experts.dense_layers", std::to_string(layer),
                                   "hold ascending layers below layers, which is " + std::to_string(shape.layers));
        }
        least = layer + 1;
    }
}

void require_mlp(const TransformerShape& shape) {
    const Experts& experts = shape.experts;
    require_int("experts.count", experts.count, 0);
    const bool has_dense_layers = experts.count == 0 || !experts.dense_layers.empty();
    require_int("ffn", shape.ffn, has_dense_layers ? 1 : 0);
    if (experts.count > 0) {
        require_int("experts.per_token", experts.per_token, 1, experts.count);
        require_int("experts.ffn", experts.ffn, 1);
        require_int("experts.shared_ffn", experts.shared_ffn, 0);
        require_dense_layers(shape);
    }
}

void require_positions_and_norms(const TransformerShape& shape) {
    if (shape.shared_norm && !shape.parallel_block) {
        throw invalid_argument("shared_norm", "true", "come with parallel_block, whose two inputs it is");
    }
    if (shape.alibi && shape.learned_positions) {
        throw invalid_argument("alibi", "true", "not come with learned_positions");
    }
}

}  // namespace

bool has_experts(const TransformerShape& shape, int layer) {
    const std::vector<int>& dense = shape.experts.dense_layers;
    return shape.experts.count > 0 && !std::binary_search(dense.begin(), dense.end(), layer);
}

const TransformerShape& require_shape(const TransformerShape& shape) {
    require_int("hidden", shape.hidden, 1);
    require_int("layers", shape.layers, 1);
    require_attention(shape);
    require_mlp(shape);
    require_int("vocabulary", shape.vocabulary, 1);
    require_int("sequence", shape.sequence, 1);
    require_int("prediction_layers", shape.prediction_layers, 0);
    require_positions_and_norms(shape);
    return shape;
}

void require_sequence(const TransformerShape& shape, int sequence) {
    require_int("sequence", sequence, 1);
    if (shape.learned_positions && sequence > shape.sequence) {
        refuse("sequence", "#", "be at most the positions that the model has learned, which are #",
               {1.0 * sequence, 1.0 * shape.sequence});
    }
}

std::vector<std::string> sequence_notes(const TransformerShape& shape, int sequence) {
    if (shape.learned_positions || shape.alibi || sequence <= shape.sequence) {
        return {};
    }
    std::string note = "sequence, ";
    note += std::to_string(sequence) + ", is longer than the " + std::to_string(shape.sequence);
    note += " tokens that the model is made for: its rotary positions must be scaled, which changes no size";
    return {note};
}

}  // namespace shardlab
