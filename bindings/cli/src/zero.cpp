#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

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

/// A model's parameters, and the stage whose ranks hold most of their states.
struct Held {
    double params = 0;
    StageFootprint stage;
    std::vector<std::string> notes;
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

std::vector<std::string> notes_of_cut(double params, double parts) {
    if (std::fmod(params, parts) == 0) {
        return {};
    }
    return {"params, " + number_text(params) + ", do not divide by tp times pp, " + number_text(parts) +
            ": the part is rounded up to whole parameters"};
}

/// A number of parameters is cut evenly, and its parts are rounded up to whole ones, as a shard is.
Held held_of_params(const Options& options, const FootprintRequest& request) {
    const double params = require_count("params", options.count("params"), 1);
    require_int("ep", request.layout.ep, 1, 1);
    const double parts = 1.0 * request.layout.tp * request.layout.pp;
    const double on_rank = std::ceil(params / parts);
    StageFootprint stage;
    stage.parameters = stage.dense_parameters = on_rank;
    stage.states = state_bytes({.all = on_rank, .matrices = 0}, request.recipe,
                               state_sharding(request, request.layout.replicas()));
    return {.params = params, .stage = stage, .notes = notes_of_cut(params, parts)};
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
    return {.params = count_parameters(shape).total, .stage = most, .notes = sized.notes};
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

void run(const Options& options, std::ostream& out) {
    FootprintRequest request;
    request.layout = layout_with_ranks(options);
    request.zero_stage = options.whole("zero_stage", 0, 3);
    request.recipe = recipe_asked_for(options);
    request.shard_ranks = options.given("shard_ranks") ? options.whole("shard_ranks", 1) : 0;
    request.offload = offload_from_name(options.text("offload"));
    request.micro_batches = options.whole("micro_batches", 1);
    const Held held = held_asked_for(options, request);
    const StateBytes& states = held.stage.states;

    Answer answer(out);
    answer.add("params", held.params);
    answer.add("parameter_bytes", states.weight_bytes);
    answer.add("gradient_bytes", states.gradient_bytes);
    answer.add("optimizer_bytes", states.optimizer_bytes);
    answer.add("host_bytes", states.host_bytes);
    answer.add("params_on_rank", held.stage.parameters);
    answer.add("bytes_per_param", request.recipe.total());
    answer.add("sent_bytes", data_parallel_bytes(request, held.stage));
    answer.add("total_bytes", states.total());
    answer.add_json("notes", held.notes);
    answer.close();
}

constexpr std::array answer_fields = {
    AnswerField{"params", "parameters of the whole model"},
    AnswerField{"parameter_bytes", "bytes of weights on the rank that holds most"},
    AnswerField{"gradient_bytes", "bytes of gradients there"},
    AnswerField{"optimizer_bytes", "bytes of master weights and moments there"},
    AnswerField{"host_bytes", "bytes of its states in host memory, which are in no sum"},
    AnswerField{"params_on_rank", "parameters of that rank before ZeRO, after tp, pp and ep"},
    AnswerField{"bytes_per_param", "bytes of all states of a parameter, by the recipe"},
    AnswerField{"sent_bytes", "bytes that the rank sends in a step to gather and to reduce states"},
    AnswerField{"total_bytes", "bytes of states on the rank: weights, gradients and optimizer states"},
    AnswerField{"notes", "what the setting does that may not be expected, in sentences"},
};

}  // namespace

const Command zero_command = {
    .name = "zero",
    .summary = "Size the training states on each rank under ZeRO",
    .example = "shardlab zero --preset llama3-70b --tp 8 --dp 8 --zero-stage 3 --recipe mixed-adam",
    .declare = declare,
    .run = run,
    .answer = answer_fields,
};

}  // namespace shardlab::cli
