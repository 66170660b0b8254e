#include "model_config.hpp"

#include <string>

namespace shardlab::cli {

ModelConfig model_config(const nlohmann::json& object) {
    ModelConfig config;
    for (const auto& [key, value] : object.items()) {
        if (value.is_number()) {
            config[key] = value.get<double>();
        } else if (value.is_boolean()) {
            config[key] = value.get<bool>();
        } else if (value.is_string()) {
            config[key] = value.get<std::string>();
        } else if (!value.is_null()) {
            config[key] = NestedField{};
        }
    }
    return config;
}

}  // namespace shardlab::cli
