#include "model_option.hpp"

#include <nlohmann/json.hpp>

#include "files.hpp"
#include "model_config.hpp"

namespace shardlab::cli {
namespace {

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

}  // namespace

void declare_model(Options& options) {
    options.add("config", "FILE", "a model's Hugging Face config.json");
    options.add("preset", "NAME", "in place of --config: a published model by its name");
}

bool model_given(const Options& options) {
    return options.given("config") || options.given("preset");
}

AskedModel model_in_config(const Options& options) {
    const ModelConfig config = model_config(json_object(options));
    try {
        AskedModel model{.shape = shape_from_config(config), .unknown_fields = unknown_fields(config)};
        count_parameters(model.shape);
        return model;
    } catch (const invalid_argument& error) {
        throw invalid_argument("--config " + options.text("config") + ": " + error.parameter(), error.value(),
                               error.rule());
    }
}

AskedModel model_asked_for(const Options& options) {
    if (options.given("preset") && options.given("config")) {
        throw invalid_argument("preset", options.text("preset"), "stand alone, without --config");
    }
    if (!model_given(options)) {
        throw invalid_argument("config", "missing", "be given, or --preset in its place");
    }
    if (options.given("config")) {
        return model_in_config(options);
    }
    return {.shape = model_preset(options.text("preset")).shape, .unknown_fields = {}};
}

}  // namespace shardlab::cli
