#include "model_option.hpp"

#include "config_option.hpp"

namespace shardlab::cli {

void declare_model(Options& options) {
    options.add("config", "FILE", "a model's Hugging Face config.json");
    options.add("preset", "NAME", "in place of --config: a published model by its name");
}

bool model_given(const Options& options) {
    return options.given("config") || options.given("preset");
}

AskedModel model_asked_for(const Options& options) {
    if (options.given("preset") && options.given("config")) {
        throw invalid_argument("preset", options.text("preset"), "stand alone, without --config");
    }
    if (!model_given(options)) {
        throw invalid_argument("config", "missing", "be given, or --preset in its place");
    }
    if (options.given("config")) {
        const ConfiguredModel model = model_in_config(options);
        return {.shape = model.shape, .unknown_fields = model.unknown_fields};
    }
    return {.shape = model_preset(options.text("preset")).shape, .unknown_fields = {}};
}

}  // namespace shardlab::cli
