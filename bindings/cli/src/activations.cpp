#include <array>

#include <nlohmann/json.hpp>

#include <shardlab/activations.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "model_option.hpp"
#include "numbers.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    declare_model(options);
    options.add("hidden", "N", "in place of a model: width of the residual stream");
    options.add("heads", "N", "query heads");
    options.add("kv_heads", "N", "key and value heads; left out: as many as --heads");
    options.add("ffn", "N", "inner features of the MLP; left out: 4 times --hidden");
    options.add("layers", "N", "layers to add up; left out: the model's, or 1");
    options.add_flag("gated", "a gated MLP, of three matrices");
    options.add_flag("no_dropout", "trained without dropout anywhere");
    options.add("sequence", "N", "tokens of a sequence");
    options.add_with_default("micro_batch", "N", "1", "sequences in a micro-batch");
    options.add_with_default("tp", "N", "1", "tensor-parallel ranks");
    options.add_with_default("cp", "N", "1", "context-parallel ranks");
    options.add_flag("sequence_parallel",
                     "what tensor parallelism leaves whole is cut over its ranks by tokens; without effect at --tp 1");
    options.add_with_default("recompute", "NAME", "none", "what the backward computes again: none, selective, full");
    options.add_flag("flash", "fused attention, which keeps no scores");
}

/// Korthikanti's layer, with what is said otherwise.
TransformerShape shape_of_options(const Options& options) {
    TransformerShape shape;
    shape.hidden = options.whole("hidden", 1);
    shape.heads = options.whole("heads", 1);
    shape.kv_heads = options.given("kv_heads") ? options.whole("kv_heads", 1) : shape.heads;
    constexpr int usual_ffn_factor = 4;
    constexpr int widest = 536870911;  // four times as much is still an int
    require_int("hidden", shape.hidden, 1, widest);
    shape.ffn = options.given("ffn") ? options.whole("ffn", 1) : usual_ffn_factor * shape.hidden;
    if (shape.hidden % shape.heads != 0) {
        throw invalid_argument("heads", std::to_string(shape.heads),
                               "divide hidden, which is " + std::to_string(shape.hidden));
    }
    shape.head_size = shape.hidden / shape.heads;
    shape.layers = 1;
    shape.vocabulary = 1;
    shape.sequence = options.whole("sequence", 1);
    shape.gated_mlp = options.given("gated");
    shape.dropout = options.given("no_dropout") ? Dropout{} : dropout_everywhere;
    return shape;
}

TransformerShape shape_asked_for(const Options& options) {
    if (!model_given(options)) {
        return shape_of_options(options);
    }
    for (const char* own : {"hidden", "heads", "kv_heads", "ffn"}) {
        if (options.given(own)) {
            throw invalid_argument(own, options.text(own), "be left out where --config or --preset gives the model");
        }
    }
    TransformerShape shape = model_asked_for(options).shape;
    shape.gated_mlp = shape.gated_mlp || options.given("gated");
    shape.dropout = options.given("no_dropout") ? Dropout{} : shape.dropout;
    return shape;
}

void add_terms(Answer& answer, const char* key, const std::vector<ActivationTerm>& terms) {
    answer.add_records(key, terms.size(), [&](std::size_t index) -> nlohmann::ordered_json {
        const ActivationTerm& term = terms[index];
        return {{"term", term.name}, {"bytes", json_number(term.bytes)}, {"formula", term.formula}};
    });
}

void run(const Options& options, std::ostream& out) {
    const TransformerShape shape = shape_asked_for(options);
    const ActivationSetting setting{.sequence = options.whole("sequence", 1),
                                    .micro_batch = options.whole("micro_batch", 1),
                                    .tp = options.whole("tp", 1),
                                    .cp = options.whole("cp", 1),
                                    .sequence_parallel = options.given("sequence_parallel"),
                                    .recompute = recomputation_from_name(options.text("recompute")),
                                    .flash = options.given("flash")};
    const int layers = options.given("layers") ? options.whole("layers", 1) : shape.layers;
    const int dense = shape.experts.count > 0 ? static_cast<int>(shape.experts.dense_layers.size()) : layers;
    const bool has_dense = shape.experts.count == 0 || dense > 0;
    const auto terms = layer_activations(shape, !has_dense, setting);

    Answer answer(out);
    answer.add("bytes_per_layer", total_bytes(terms));
    add_terms(answer, "terms", terms);
    if (has_dense && shape.experts.count > 0) {
        const auto with_experts = layer_activations(shape, true, setting);
        answer.add("bytes_per_expert_layer", total_bytes(with_experts));
        add_terms(answer, "expert_terms", with_experts);
        answer.add("bytes", dense * total_bytes(terms) + (layers - dense) * total_bytes(with_experts));
    } else {
        answer.add("bytes", layers * total_bytes(terms));
    }
    answer.add("weight_gradient_bytes_per_layer", weight_gradient_bytes(shape, !has_dense, setting));
    answer.add_json("notes", setting_notes(shape, setting));
    answer.close();
}

constexpr std::array answer_fields = {
    AnswerField{"bytes_per_layer",
                "bytes that one layer keeps on one rank for one micro-batch; of a model with dense "
                "layers and others, of a dense one"},
    AnswerField{"terms", "what these bytes are, a tensor or several of a kind each:"},
    AnswerField{"terms.term", "its name"},
    AnswerField{"terms.bytes", "its bytes"},
    AnswerField{"terms.formula",
                "the formula of the bytes on whole sequences: s sequence, b micro_batch, h hidden, a heads, k kv_heads "
                "of a rank, d features of a head, f ffn, t tp, E experts, V vocabulary; cp divides s, and "
                "sequence_parallel divides by t what has none"},
    AnswerField{"bytes_per_expert_layer",
                "the same of a layer with experts, where the model has dense layers beside them"},
    AnswerField{"expert_terms", "its terms, as above: expert_terms.term, expert_terms.bytes, expert_terms.formula"},
    AnswerField{"bytes", "bytes of all layers, on a rank that has them all, for one micro-batch"},
    AnswerField{"weight_gradient_bytes_per_layer",
                "bytes of a layer that wait from its input gradient to its weight gradient, where schedules part them"},
    AnswerField{"notes", "what the setting does that may not be expected, in sentences"},
};

}  // namespace

const Command activations_command = {
    .name = "activations",
    .summary = "List what a rank keeps of a transformer layer for its backward pass, term by term",
    .example = "shardlab activations --hidden 8192 --heads 64 --sequence 4096 --tp 8 --sequence-parallel",
    .declare = declare,
    .run = run,
    .answer = answer_fields,
};

}  // namespace shardlab::cli
