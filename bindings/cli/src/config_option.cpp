#include "config_option.hpp"

#include <string>

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

ConfiguredModel model_in_config(const Options& options) {
    const ModelConfig config = model_config(json_object(options));
    try {
        ConfiguredModel model{.shape = shape_from_config(config), .unknown_fields = unknown_fields(config)};
        count_parameters(model.shape);
        return model;
    } catch (const invalid_argument& error) {
        throw invalid_argument("--config " + options.text("config") + ": " + error.parameter(), error.value(),
                               error.rule());
    }
}

}  // namespace shardlab::cli
