#include <array>
#include <vector>

#include <nlohmann/json.hpp>

#include <shardlab/footprint.hpp>
#include <shardlab/states.hpp>
#include <shardlab/zero_states.hpp>

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
    options.add_with_default("gathered", "freed|kept", "freed",
                             "whether stage 3 gathers weights once more for the backward, or keeps them until then");
    options.add_with_default("micro_batches", "N", "1", "micro-batches in a step, for what is sent");
}

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

ZeroStates states_asked_for(const Options& options, FootprintRequest request) {
    const Gathered gathered = gathered_from_name(options.text("gathered"));
    if (options.given("params") && model_given(options)) {
        throw invalid_argument("params", options.text("params"),
                               "stand alone, since --config or --preset gives the parameters");
    }
    if (options.given("params")) {
        return zero_states(options.count("params"), request, gathered);
    }
    if (!model_given(options)) {
        throw invalid_argument("params", "missing", "be given, or --config or --preset in its place");
    }
    request.shape = model_asked_for(options).shape;
    return zero_states(request, gathered);
}

nlohmann::ordered_json listed(const std::vector<StateCollective>& sent) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const StateCollective& one : sent) {
        list.push_back({{"collective", one.collective},
                        {"pass", one.pass},
                        {"times", one.times},
                        {"bytes_per_param", one.bytes_per_param},
                        {"bytes", one.bytes}});
    }
    return list;
}

void run(const Options& options, std::ostream& out) {
    FootprintRequest request;
    request.layout = layout_with_ranks(options);
    request.zero_stage = options.whole("zero_stage", 0, 3);
    request.recipe = recipe_asked_for(options);
    request.shard_ranks = options.given("shard_ranks") ? options.whole("shard_ranks", 1) : 0;
    request.offload = offload_from_name(options.text("offload"));
    request.micro_batches = options.whole("micro_batches", 1);
    const ZeroStates found = states_asked_for(options, request);

    Answer answer(out);
    answer.add("params", found.params);
    answer.add("parameter_bytes", found.states.weight_bytes);
    answer.add("gradient_bytes", found.states.gradient_bytes);
    answer.add("optimizer_bytes", found.states.optimizer_bytes);
    answer.add("host_bytes", found.states.host_bytes);
    answer.add("params_on_rank", found.params_on_rank);
    answer.add("bytes_per_param", found.bytes_per_param);
    answer.add("sent_bytes", found.sent_bytes());
    answer.add_json("sent", listed(found.sent));
    answer.add("total_bytes", found.states.total());
    answer.add_json("notes", found.notes);
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
    AnswerField{
        "sent",
        "what sent_bytes are made of; the all-reduce of stage 0 is the two collectives that a ring makes it of"},
    AnswerField{"sent.collective", "reduce-scatter or all-gather; all-reduce between groups of hybrid sharding"},
    AnswerField{"sent.pass", "forward, backward, or step for what follows the last backward"},
    AnswerField{"sent.times", "in a step"},
    AnswerField{"sent.bytes_per_param", "bytes of what is on its way: a weight's, or a gradient's"},
    AnswerField{"sent.bytes", "bytes that the rank sends in one of them"},
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
