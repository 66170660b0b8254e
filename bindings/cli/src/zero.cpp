#include <algorithm>

#include <shardlab/footprint.hpp>
#include <shardlab/states.hpp>
#include <shardlab/transformer.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "footprint/request.hpp"
#include "model_option.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add("params", "N", "parameters of the model");
    declare_model(options);
    declare_layout(options);
    options.add("ranks", "N", "data-parallel ranks, another word for --dp");
    options.add("zero_stage", "0..3", "which states are sharded: none, optimizer, gradients too, parameters too");
    declare_states(options);
    options.add_with_default("micro_batches", "N", "1", "micro-batches in a step, for what is sent");
}

/// A stage's parameters on one rank, and their states.
struct Held {
    double params = 0;  ///< of the model
    double on_rank = 0;
    double dense_on_rank = 0;
    StateBytes states;
};

Layout layout_with_ranks(const Options& options) {
    Layout layout = layout_asked_for(options);
    if (options.given("ranks") && options.given("dp")) {
        throw invalid_argument("ranks", options.text("ranks"), "be left out where --dp is given");
    }
    if (!options.given("dp")) {
        layout.dp = options.whole("ranks", 1, static_cast<int>(most_world_size));
    }
    return require_layout(layout);
}

/// A number of parameters is cut evenly.
Held held_of_params(const Options& options, const FootprintRequest& request) {
    const double params = require_count("params", options.count("params"), 1);
    require_int("ep", request.layout.ep, 1, 1);
    const double on_rank = params / (1.0 * request.layout.tp * request.layout.pp);
    const StateSharding sharding{.zero_stage = request.zero_stage,
                                 .ranks = request.layout.replicas(),
                                 .group = 1.0 * request.shard_ranks,
                                 .offload = request.offload};
    return {.params = params,
            .on_rank = on_rank,
            .dense_on_rank = on_rank,
            .states = state_bytes({.all = on_rank, .matrices = 0}, request.recipe, sharding)};
}

/// A model's parameters are where its layers are: the most loaded rank is the answer.
Held held_of_model(const TransformerShape& shape, FootprintRequest request) {
    request.shape = shape;
    request.sequence = request.layout.cp;  // states do not depend on it
    request.micro_batches = request.layout.pp;
    InFlightCache cache;
    const Footprint sized = footprint(request, cache);
    const StageFootprint& most = *std::max_element(
        sized.per_stage.begin(), sized.per_stage.end(),
        [](const StageFootprint& a, const StageFootprint& b) { return a.states.total() < b.states.total(); });
    return {.params = count_parameters(shape).total,
            .on_rank = most.parameters,
            .dense_on_rank = most.dense_parameters,
            .states = most.states};
}

Held held_asked_for(const Options& options, const FootprintRequest& request) {
    if (options.given("params") && model_given(options)) {
        throw invalid_argument("params", options.text("params"),
                               "stand alone, since --config or --preset gives the parameters");
    }
    if (!options.given("params") && !model_given(options)) {
        throw invalid_argument("params", "missing", "be given, or --config or --preset in its place");
    }
    return options.given("params") ? held_of_params(options, request)
                                   : held_of_model(model_asked_for(options).shape, request);
}

double sent_bytes(const Held& held, const FootprintRequest& request) {
    StateSharding sharding{.zero_stage = request.zero_stage,
                           .ranks = request.layout.replicas(),
                           .group = 1.0 * request.shard_ranks,
                           .offload = request.offload};
    const double dense = data_parallel_bytes(held.dense_on_rank, request.recipe, sharding, request.micro_batches);
    sharding.ranks = request.layout.expert_replicas();
    sharding.group = std::min(sharding.group, sharding.ranks);
    return dense +
           data_parallel_bytes(held.on_rank - held.dense_on_rank, request.recipe, sharding, request.micro_batches);
}

void run(const Options& options, std::ostream& out) {
    FootprintRequest request;
    request.layout = layout_with_ranks(options);
    request.zero_stage = options.whole("zero_stage", 0, 3);
    request.recipe = recipe_asked_for(options);
    request.shard_ranks = options.given("shard_ranks") ? options.whole("shard_ranks", 1) : 0;
    request.offload = offload_from_name(options.text("offload"));
    request.micro_batches = options.whole("micro_batches", 1);
    const Held held = held_asked_for(options, request);

    Answer answer(out);
    answer.add("params", held.params);
    answer.add("parameter_bytes", held.states.weight_bytes);
    answer.add("gradient_bytes", held.states.gradient_bytes);
    answer.add("optimizer_bytes", held.states.optimizer_bytes);
    answer.add("host_bytes", held.states.host_bytes);
    answer.add("params_on_rank", held.on_rank);
    answer.add("bytes_per_param", request.recipe.total());
    answer.add("sent_bytes", sent_bytes(held, request));
    answer.add("total_bytes", held.states.total());
    answer.close();
}

}  // namespace

const Command zero_command = {
    .name = "zero",
    .summary = "Size the training states on each rank under ZeRO",
    .example = "shardlab zero --preset llama3-70b --tp 8 --dp 8 --zero-stage 3 --recipe mixed-adam",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
