#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include <shardlab/accelerators.hpp>
#include <shardlab/errors.hpp>
#include <shardlab/footprint.hpp>
#include <shardlab/launch.hpp>

#include "convert.hpp"
#include "model.hpp"
#include "recipe.hpp"
#include "routines.hpp"

namespace shardlab::wasm {
namespace {

/// What is asked for: a model and its training on a number of cards, the card, and what a change may use.
struct Asked {
    FootprintRequest request;
    Accelerator card;
    ChangeBounds bounds;
};

Allowances allowances_of(const val& options) {
    return {.context_bytes = number(options, "contextBytes"),
            .communication_bytes = number(options, "communicationBytes"),
            .bucket_bytes = number(options, "bucketBytes"),
            .prefetched_layers = integer(options, "prefetchedLayers", 0),
            .logit_gradients = flag(options, "logitGradients"),
            .fragmentation = number(options, "fragmentation"),
            .stage_outputs = flag(options, "stageOutputs")};
}

Layout layout_of(const val& options) {
    return {.tp = integer(options, "tp", 1),
            .pp = integer(options, "pp", 1),
            .dp = integer(options, "dp", 1),
            .cp = integer(options, "cp", 1),
            .ep = integer(options, "ep", 1)};
}

FootprintRequest request_of(const val& options) {
    FootprintRequest request;
    request.shape = model_asked_for(options).shape;
    request.layout = layout_of(options);
    request.sequence = sequence_asked_for(options, request.shape);
    request.micro_batch = integer(options, "microBatch", 1);
    request.micro_batches = optional_integer(options, "microBatches").value_or(request.layout.pp);
    request.sequence_parallel = flag(options, "sequenceParallel");
    request.recompute = recomputation_from_name(text(options, "recompute"));
    request.recompute_every = integer(options, "recomputeEvery", 1);
    request.flash = flag(options, "flash");
    request.schedule = text(options, "schedule");
    request.chunks = optional_integer(options, "chunks");
    for (const double layers : optional_numbers(options, "layersPerPart")) {
        request.layers_per_part.push_back(require_int("layers_per_part", layers, 0));
    }
    request.zero_stage = integer(options, "zeroStage", 0, 3);
    request.shard_ranks = optional_integer(options, "shardRanks").value_or(0);
    request.offload = offload_from_name(text(options, "offload"));
    request.recipe = recipe_asked_for(options);
    request.allowances = allowances_of(options);
    return request;
}

Asked asked_for(const val& options) {
    Asked asked{.request = request_of(options), .card = accelerator_from_name(text(options, "gpu")), .bounds = {}};
    asked.bounds = {.usable_bytes = asked.card.usable_bytes,
                    .per_node = integer(options, "perNode", 1),
                    .most_ranks = number(options, "mostRanks")};
    return asked;
}

val plain_stage(const StageFootprint& stage) {
    val object = val::object();
    object.set("stage", stage.stage);
    object.set("layers", stage.layers);
    object.set("expertLayers", stage.expert_layers);
    object.set("parameters", stage.parameters);
    object.set("denseParameters", stage.dense_parameters);
    object.set("microBatchesInFlight", stage.micro_batches_in_flight);
    object.set("weightGradientsWaiting", stage.weight_gradients_waiting);
    object.set("weightBytes", stage.states.weight_bytes);
    object.set("gradientBytes", stage.states.gradient_bytes);
    object.set("optimizerBytes", stage.states.optimizer_bytes);
    object.set("hostBytes", stage.states.host_bytes);
    object.set("activationBytes", stage.activation_bytes);
    object.set("logitBytes", stage.logit_bytes);
    object.set("recomputedBytes", stage.recomputed_bytes);
    object.set("gatheredBytes", stage.gathered_bytes);
    object.set("bucketBytes", stage.bucket_bytes);
    object.set("contextBytes", stage.context_bytes);
    object.set("communicationBytes", stage.communication_bytes);
    object.set("fragmentationBytes", stage.fragmentation_bytes);
    object.set("totalBytes", stage.total_bytes());
    return object;
}

val plain_cost(const StepCost& cost) {
    val object = val::object();
    object.set("ranks", cost.ranks);
    object.set("tensorBytes", cost.tensor_bytes);
    object.set("contextBytes", cost.context_bytes);
    object.set("expertBytes", cost.expert_bytes);
    object.set("pipelineBytes", cost.pipeline_bytes);
    object.set("dataBytes", cost.data_bytes);
    object.set("sentBytes", cost.sent_bytes());
    object.set("recomputedFlops", cost.recomputed_flops);
    object.set("bubbleOfTotal", cost.bubble_of_total);
    object.set("productFlops", cost.product_flops);
    return object;
}

/// The options that a change or a search may set, by their names.
val plain_settings(const FootprintRequest& request) {
    val object = val::object();
    object.set("tp", request.layout.tp);
    object.set("pp", request.layout.pp);
    object.set("dp", request.layout.dp);
    object.set("cp", request.layout.cp);
    object.set("ep", request.layout.ep);
    object.set("sequenceParallel", request.sequence_parallel);
    object.set("microBatch", request.micro_batch);
    object.set("microBatches", request.micro_batches);
    object.set("zeroStage", request.zero_stage);
    object.set("recompute", std::string(name_of(request.recompute)));
    object.set("recomputeEvery", request.recompute_every);
    return object;
}

/// The option of a field: `zero_stage` is `zeroStage`.
std::string option_name(const std::string& field) {
    std::string key;
    for (std::size_t i = 0; i < field.size(); ++i) {
        const bool begins_word = i > 0 && field[i - 1] == '_';
        if (field[i] != '_') {
            key += begins_word ? static_cast<char>(std::toupper(static_cast<unsigned char>(field[i]))) : field[i];
        }
    }
    return key;
}

val plain_change(const Change& change) {
    val object = val::object();
    object.set("parameter", option_name(change.parameter));
    object.set("value", change.value);
    object.set("settings", plain_settings(change.request));
    object.set("mostLoadedRankBytes", change.most_loaded_rank_bytes);
    object.set("cost", plain_cost(change.cost));
    return object;
}

val plain_no_change(const NoChange& change) {
    val object = val::object();
    object.set("parameter", option_name(change.parameter));
    object.set("reason", change.reason);
    object.set("leastBytes", or_null(change.least_bytes));
    return object;
}

val plain_changes(const Changes& changes) {
    val object = val::object();
    object.set("offered", listed(changes.offered, plain_change));
    object.set("notOffered", listed(changes.not_offered, plain_no_change));
    return object;
}

/// Of one micro-batch, what each kind of thing on a stage keeps: nothing where the stage has none of it.
val plain_stage_terms(const FootprintRequest& request, const StageFootprint& stage, const PipelineInFlight& in_flight) {
    const ActivationSetting setting = activation_setting(request);
    const std::vector<int>& own = in_flight.parts[static_cast<std::size_t>(stage.stage)];
    const auto has = [&](int part) { return std::find(own.begin(), own.end(), part) != own.end(); };
    const auto where = [](bool there, auto terms) { return there ? plain_terms(terms()) : val::array(); };

    val object = val::object();
    object.set("layer", where(stage.layers > stage.expert_layers,
                              [&] { return shardlab::layer_activations(request.shape, false, setting); }));
    object.set("expertLayer", where(stage.expert_layers > 0,
                                    [&] { return shardlab::layer_activations(request.shape, true, setting); }));
    object.set("embedding", where(has(0), [&] { return embedding_activations(request.shape, setting); }));
    object.set("head", where(has(in_flight.model_parts - 1), [&] { return head_activations(request.shape, setting); }));
    return object;
}

val plain_launch_setting(const LaunchSetting& setting) {
    val object = val::object();
    object.set("name", setting.name);
    object.set("value", setting.value);
    object.set("meaning", setting.meaning);
    return object;
}

}  // namespace

val footprint(const val& options) {
    const Asked asked = asked_for(options);
    InFlightCache cache;
    const Footprint whole = shardlab::footprint(asked.request, cache);
    const Changes changes = changes_that_fit(asked.request, asked.bounds, cache);
    const StageFootprint& most = whole.per_stage[static_cast<std::size_t>(whole.most_loaded_stage)];
    const PipelineInFlight& in_flight =
        cache.of(asked.request.schedule, asked.request.layout.pp, asked.request.micro_batches, asked.request.chunks);

    val result = val::object();
    result.set("perStage", listed(whole.per_stage, plain_stage));
    result.set("mostLoadedStage", whole.most_loaded_stage);
    result.set("mostLoadedRankBytes", whole.most_loaded_rank_bytes());
    result.set("capacityBytes", asked.card.capacity_bytes);
    result.set("usableBytes", asked.card.usable_bytes);
    result.set("spareBytes", asked.card.usable_bytes - whole.most_loaded_rank_bytes());
    result.set("fits", changes.fits);
    result.set("notes", plain_texts(whole.notes));
    result.set("sequence", asked.request.sequence);
    result.set("layersPerPart", copied(settled_layers_per_part(asked.request, in_flight.model_parts)));
    result.set("cost", plain_cost(changes.cost));
    result.set("changes", plain_changes(changes));
    result.set("activations", plain_stage_terms(asked.request, most, in_flight));
    return result;
}

val smallest_cluster(const val& options) {
    const Asked asked = asked_for(options);
    InFlightCache cache;
    const auto found = shardlab::smallest_cluster(asked.request, asked.bounds, cache);
    if (!found) {
        return val::null();
    }
    val result = val::object();
    result.set("settings", plain_settings(*found));
    result.set("mostLoadedRankBytes", shardlab::footprint(*found, cache).most_loaded_rank_bytes());
    result.set("cost", plain_cost(step_cost(*found, cache)));
    return result;
}

val launch_settings(const val& options) {
    const LaunchSettings launch = shardlab::launch_settings(asked_for(options).request, text(options, "framework"));
    val result = val::object();
    result.set("framework", launch.framework);
    result.set("version", launch.version);
    result.set("text", launch.text);
    result.set("settings", listed(launch.settings, plain_launch_setting));
    result.set("leftOut", plain_texts(launch.left_out));
    return result;
}

}  // namespace shardlab::wasm
