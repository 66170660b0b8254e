#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include <shardlab/transformer.hpp>
#include <shardlab/zero.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "files.hpp"
#include "model_config.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add("params", "N", "parameters of the model");
    options.add("config", "FILE", "in place of --params: a Hugging Face config.json (llama, gpt2), counted exactly");
    options.add("ranks", "N", "data-parallel ranks");
    options.add("zero_stage", "0..3", "which states are sharded: none, optimizer, gradients too, parameters too");
}

nlohmann::json json_object(const Options& options) {
    constexpr std::size_t largest_config = std::size_t{1} << 24U;
    const std::string text = file_text(options, "config", largest_config);
    nlohmann::json object;
    try {
        object = nlohmann::json::parse(text);
    } catch (const nlohmann::json::exception& error) {
        // The library's messages begin with a tag in brackets.
        const std::string message = error.what();
        throw invalid_argument("config", options.text("config"),
                               "hold a JSON object: " + message.substr(message.find("] ") + 2));
    }
    if (!object.is_object()) {
        throw invalid_argument("config", options.text("config"),
                               std::string("hold a JSON object, not a JSON ") + object.type_name());
    }
    return object;
}

/// Errors name the file before its field.
double parameters_in_config(const Options& options) {
    const ModelConfig config = model_config(json_object(options));
    try {
        return count_parameters(shape_from_config(config)).total;
    } catch (const invalid_argument& error) {
        throw invalid_argument("--config " + options.text("config") + ": " + error.parameter(), error.value(),
                               error.rule());
    }
}

double parameters_asked_for(const Options& options) {
    if (options.given("params") && options.given("config")) {
        throw invalid_argument("params", "given with --config", "stand alone, since the file gives the parameters");
    }
    if (!options.given("params") && !options.given("config")) {
        throw invalid_argument("params", "missing", "be given, or --config in its place");
    }
    return options.given("config") ? parameters_in_config(options) : options.count("params");
}

void run(const Options& options, std::ostream& out) {
    const double params = parameters_asked_for(options);
    const ZeroMemory memory = zero_memory_per_gpu(params, options.whole("ranks", 1), options.whole("zero_stage", 0, 3));

    Answer answer(out);
    answer.add("params", params);
    answer.add("parameter_bytes", memory.parameter_bytes);
    answer.add("gradient_bytes", memory.gradient_bytes);
    answer.add("optimizer_bytes", memory.optimizer_bytes);
    answer.add("total_bytes", memory.total_bytes);
    answer.close();
}

}  // namespace

const Command zero_command = {
    .name = "zero",
    .summary = "Size the training states on each rank under ZeRO",
    .example = "shardlab zero --params 7.5e9 --ranks 64 --zero-stage 3",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
