#include "model.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include <shardlab/accelerators.hpp>
#include <shardlab/errors.hpp>

#include "convert.hpp"
#include "routines.hpp"

namespace shardlab::wasm {
namespace {

constexpr int longest_usual_sequence = 8192;

val plain_parts(const ParameterCounts& counts) {
    val object = val::object();
    object.set("tokenEmbedding", counts.token_embedding);
    object.set("positionEmbedding", counts.position_embedding);
    object.set("attention", counts.attention);
    object.set("mlp", counts.mlp);
    object.set("router", counts.router);
    object.set("experts", counts.experts);
    object.set("sharedExperts", counts.shared_experts);
    object.set("norms", counts.norms);
    object.set("outputHead", counts.output_head);
    return object;
}

val plain_dropout(const Dropout& dropout) {
    val object = val::object();
    object.set("scores", dropout.scores);
    object.set("attentionOutput", dropout.attention_output);
    object.set("mlpOutput", dropout.mlp_output);
    object.set("embedding", dropout.embedding);
    return object;
}

val plain_shape(const TransformerShape& shape) {
    val object = val::object();
    object.set("hidden", shape.hidden);
    object.set("layers", shape.layers);
    object.set("heads", shape.heads);
    object.set("kvHeads", shape.kv_heads);
    object.set("headSize", shape.head_size);
    object.set("ffn", shape.ffn);
    object.set("vocabulary", shape.vocabulary);
    object.set("sequence", shape.sequence);
    object.set("gatedMlp", shape.gated_mlp);
    object.set("tiedEmbeddings", shape.tied_embeddings);
    object.set("dropout", plain_dropout(shape.dropout));
    object.set("kvRank", shape.latent.kv_rank);
    object.set("queryRank", shape.latent.query_rank);
    object.set("ropeHeadSize", shape.latent.rope_head_size);
    object.set("plainHeadSize", shape.latent.plain_head_size);
    object.set("valueHeadSize", shape.latent.value_head_size);
    object.set("experts", shape.experts.count);
    object.set("expertsPerToken", shape.experts.per_token);
    object.set("expertFfn", shape.experts.ffn);
    object.set("sharedExpertFfn", shape.experts.shared_ffn);
    object.set("expertLayers",
               shape.experts.count == 0 ? 0 : shape.layers - static_cast<int>(shape.experts.dense_layers.size()));
    return object;
}

val plain_preset(const ModelPreset& preset) {
    val object = val::object();
    object.set("id", preset.id);
    object.set("name", preset.name);
    object.set("source", preset.source);
    return object;
}

val plain_accelerator(const Accelerator& accelerator) {
    val object = val::object();
    object.set("id", accelerator.id);
    object.set("name", accelerator.name);
    object.set("capacityBytes", accelerator.capacity_bytes);
    object.set("usableBytes", accelerator.usable_bytes);
    object.set("source", accelerator.source);
    return object;
}

val plain_term(const ActivationTerm& term) {
    val object = val::object();
    object.set("name", std::string(term.name));
    object.set("bytes", term.bytes);
    object.set("formula", std::string(term.formula));
    return object;
}

/// The layer whose activations are asked for.
int layer_asked_for(const val& options, const TransformerShape& shape) {
    return optional_number(options, "layer") ? integer(options, "layer", 0, shape.layers - 1) : shape.layers - 1;
}

}  // namespace

AskedModel model_asked_for(const val& options) {
    const std::optional<ModelConfig> config = optional_config(options, "config");
    const std::optional<std::string> preset = optional_text(options, "preset");
    if (config && preset) {
        throw invalid_argument("preset", *preset, "be left out where config is given");
    }
    if (config) {
        return {.shape = shape_from_config(*config), .unknown_fields = unknown_fields(*config)};
    }
    if (!preset) {
        throw invalid_argument("config", "left out", "be given, or preset in its place");
    }
    return {.shape = model_preset(*preset).shape, .unknown_fields = {}};
}

int sequence_asked_for(const val& options, const TransformerShape& shape) {
    return optional_number(options, "sequence") ? integer(options, "sequence", 1)
                                                : std::min(shape.sequence, longest_usual_sequence);
}

val plain_terms(const std::vector<ActivationTerm>& terms) {
    return listed(terms, plain_term);
}

val transformer(const val& options) {
    const Recomputation recompute = recomputation_from_name(text(options, "recompute"));
    const AskedModel model = model_asked_for(options);
    const int sequence = sequence_asked_for(options, model.shape);
    const ParameterCounts counts = count_parameters(model.shape);
    const TokenFlops flops = flops_per_token(model.shape, sequence, recompute);

    val result = val::object();
    result.set("parameters", counts.total);
    result.set("activeParameters", counts.active);
    result.set("byPart", plain_parts(counts));
    result.set("predictionHeads", counts.prediction_heads);
    result.set("sequence", sequence);
    result.set("flopsPerToken", flops.model());
    result.set("hardwareFlopsPerToken", flops.hardware());
    result.set("notes", plain_texts(sequence_notes(model.shape, sequence)));
    result.set("unknownFields", plain_texts(model.unknown_fields));
    result.set("shape", plain_shape(model.shape));
    return result;
}

val transformer_presets(const val&) {
    return listed(model_presets(), plain_preset);
}

val accelerators(const val&) {
    return listed(shardlab::accelerators(), plain_accelerator);
}

val layer_activations(const val& options) {
    const AskedModel model = model_asked_for(options);
    const ActivationSetting setting{.sequence = sequence_asked_for(options, model.shape),
                                    .micro_batch = integer(options, "microBatch", 1),
                                    .tp = integer(options, "tp", 1),
                                    .cp = integer(options, "cp", 1),
                                    .sequence_parallel = flag(options, "sequenceParallel"),
                                    .recompute = recomputation_from_name(text(options, "recompute")),
                                    .flash = flag(options, "flash")};
    const int layer = layer_asked_for(options, model.shape);
    const std::vector<ActivationTerm> terms =
        shardlab::layer_activations(model.shape, has_experts(model.shape, layer), setting);

    val result = val::object();
    result.set("bytesPerLayer", total_bytes(terms));
    result.set("terms", plain_terms(terms));
    result.set("notes", plain_texts(setting_notes(model.shape, setting)));
    return result;
}

}  // namespace shardlab::wasm
