#include "model_config.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace shardlab::cli {
namespace {

using Field = ModelConfig::mapped_type;

Field list_field(const nlohmann::json& list) {
    if (!std::all_of(list.begin(), list.end(), [](const nlohmann::json& item) { return item.is_number(); })) {
        return NestedField{};
    }
    return list.get<std::vector<double>>();
}

Field field_of(const nlohmann::json& value) {
    if (value.is_number()) {
        return value.get<double>();
    }
    if (value.is_boolean()) {
        return value.get<bool>();
    }
    if (value.is_string()) {
        return value.get<std::string>();
    }
    return value.is_array() ? list_field(value) : NestedField{};
}

void add_fields(ModelConfig& config, const std::string& prefix, const nlohmann::json& object) {
    for (const auto& [key, value] : object.items()) {
        if (!value.is_null()) {
            config.insert_or_assign(prefix + key, field_of(value));
        }
    }
}

}  // namespace

ModelConfig model_config(const nlohmann::json& object) {
    ModelConfig config;
    add_fields(config, "", object);
    for (const auto& [key, value] : object.items()) {
        if (value.is_object()) {
            add_fields(config, key + ".", value);
        }
    }
    return config;
}

}  // namespace shardlab::cli
