#include <algorithm>
#include <array>
#include <string>

#include <nlohmann/json.hpp>

#include <shardlab/transformer.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "model_option.hpp"
#include "numbers.hpp"

namespace shardlab::cli {
namespace {

constexpr int longest_usual_sequence = 8192;

void declare(Options& options) {
    declare_model(options);
    options.add_flag("list_presets", "list the published models and nothing else");
    options.add("sequence", "N",
                "tokens of a sequence, for the FLOPs; left out: the model's longest, and at most 8192");
    options.add_with_default("recompute", "NAME", "none",
                             "what the backward computes again: none, selective (the attention scores), full");
}

void list_presets(std::ostream& out) {
    const std::vector<ModelPreset>& presets = model_presets();
    Answer answer(out);
    answer.add_records("presets", presets.size(), [&](std::size_t index) -> nlohmann::ordered_json {
        const ModelPreset& preset = presets[index];
        const ParameterCounts counts = count_parameters(preset.shape);
        return {{"id", preset.id},
                {"name", preset.name},
                {"parameters", json_number(counts.total)},
                {"active_parameters", json_number(counts.active)},
                {"source", preset.source}};
    });
    answer.close();
}

nlohmann::ordered_json parts_of(const ParameterCounts& counts) {
    return {{"token_embedding", json_number(counts.token_embedding)},
            {"position_embedding", json_number(counts.position_embedding)},
            {"attention", json_number(counts.attention)},
            {"mlp", json_number(counts.mlp)},
            {"router", json_number(counts.router)},
            {"experts", json_number(counts.experts)},
            {"shared_experts", json_number(counts.shared_experts)},
            {"norms", json_number(counts.norms)},
            {"output_head", json_number(counts.output_head)}};
}

void run(const Options& options, std::ostream& out) {
    if (options.given("list_presets")) {
        list_presets(out);
        return;
    }
    const Recomputation recompute = recomputation_from_name(options.text("recompute"));
    const AskedModel model = model_asked_for(options);
    const int sequence = options.given("sequence") ? options.whole("sequence", 1)
                                                   : std::min(model.shape.sequence, longest_usual_sequence);
    const ParameterCounts counts = count_parameters(model.shape);
    const TokenFlops flops = flops_per_token(model.shape, sequence, recompute);

    Answer answer(out);
    answer.add("parameters", counts.total);
    answer.add("active_parameters", counts.active);
    answer.add_json("by_part", parts_of(counts));
    answer.add("prediction_heads", counts.prediction_heads);
    answer.add("sequence", sequence);
    answer.add("flops_per_token", flops.model());
    answer.add("hardware_flops_per_token", flops.hardware());
    answer.add_json("notes", sequence_notes(model.shape, sequence));
    answer.add_json("unknown_fields", model.unknown_fields);
    answer.close();
}

constexpr std::array answer_fields = {
    AnswerField{"parameters", "the model's, all of its parts without prediction heads"},
    AnswerField{"active_parameters", "those that one token meets: all but the experts that it is not sent to"},
    AnswerField{"by_part", "parameters of each part, which add up to all:"},
    AnswerField{"by_part.token_embedding", "the embedding of tokens"},
    AnswerField{"by_part.position_embedding", "learned positions"},
    AnswerField{"by_part.attention", "queries, keys, values and output of all layers"},
    AnswerField{"by_part.mlp", "dense MLPs of all layers"},
    AnswerField{"by_part.router", "routers of all layers with experts"},
    AnswerField{"by_part.experts", "routed experts of all layers"},
    AnswerField{"by_part.shared_experts", "experts that every token goes to, of all layers"},
    AnswerField{"by_part.norms", "norms of all layers, and the last one"},
    AnswerField{"by_part.output_head", "the output head, without weights of its own where it is the embedding"},
    AnswerField{"prediction_heads", "parameters of heads that predict further tokens, beside the above"},
    AnswerField{"sequence", "tokens of a sequence that the FLOPs are for"},
    AnswerField{"flops_per_token", "FLOPs of forward and backward for one token, a multiply-add two of them"},
    AnswerField{"hardware_flops_per_token", "the same with what is computed again"},
    AnswerField{"notes", "what the sequence asks of the model, in sentences"},
    AnswerField{"unknown_fields", "fields of the configuration that were not understood, and not counted"},
    AnswerField{"presets", "with --list-presets alone: the published models, each with"},
    AnswerField{"presets.id", "its name for --preset"},
    AnswerField{"presets.name", "its name in words"},
    AnswerField{"presets.parameters", "as above"},
    AnswerField{"presets.active_parameters", "as above"},
    AnswerField{"presets.source", "where its shape was read"},
};

}  // namespace

const Command transformer_command = {
    .name = "transformer",
    .summary = "Count a model's parameters by part, and the FLOPs of training it",
    .example = "shardlab transformer --preset deepseek-v3 --sequence 4096 --recompute selective",
    .declare = declare,
    .run = run,
    .answer = answer_fields,
};

}  // namespace shardlab::cli
