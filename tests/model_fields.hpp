#pragma once

// A model's configuration as tests and tables write it: `model_type=gpt2 n_embd=768`, lists as `0,2,`.

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <shardlab/transformer/config.hpp>

inline shardlab::ModelConfig::mapped_type field_value(const std::string& text) {
    if (text == "true" || text == "false") {
        return text == "true";
    }
    if (text == "{}") {
        return shardlab::NestedField{};
    }
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (*end == ',') {
        std::vector<double> numbers;
        for (const char* next = text.c_str(); *next != '\0'; next = *end == ',' ? end + 1 : end) {
            numbers.push_back(std::strtod(next, &end));
        }
        return numbers;
    }
    if (*end == '\0') {
        return number;
    }
    return text;
}

inline shardlab::ModelConfig model_fields(std::string_view text) {
    shardlab::ModelConfig config;
    while (!text.empty()) {
        const std::string_view field = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(field.size() + 1, text.size()));
        const std::size_t equals = field.find('=');
        config[std::string(field.substr(0, equals))] = field_value(std::string(field.substr(equals + 1)));
    }
    return config;
}

/// The configuration with some fields changed.
inline shardlab::ModelConfig changed(std::string_view fields, std::string_view changes) {
    shardlab::ModelConfig config = model_fields(fields);
    for (const auto& [name, value] : model_fields(changes)) {
        config[name] = value;
    }
    return config;
}
