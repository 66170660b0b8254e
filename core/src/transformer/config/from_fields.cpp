#include <optional>
#include <string>
#include <vector>

#include <shardlab/transformer/config.hpp>

#include "../../text.hpp"

namespace shardlab {
namespace {

/// The numbers of a list with a comma behind each; nothing if it is none.
std::optional<std::vector<double>> listed_numbers(std::string_view text) {
    std::vector<double> numbers;
    while (!text.empty()) {
        const bool ends_in_comma = text.find(',') != std::string_view::npos;
        const std::optional<double> number = reading::number(reading::taken(text, ','));
        if (!ends_in_comma || !number) {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return numbers;
}

ModelConfig::mapped_type field_value(std::string_view text) {
    if (text == "true" || text == "false") {
        return text == "true";
    }
    if (text == "{}") {
        return NestedField{};
    }
    if (const std::optional<double> number = reading::number(text)) {
        return *number;
    }
    if (const std::optional<std::vector<double>> numbers = listed_numbers(text); numbers && !text.empty()) {
        return *numbers;
    }
    return std::string(text);
}

}  // namespace

ModelConfig config_from_fields(std::string_view fields) {
    ModelConfig config;
    for (std::string_view rest = reading::trimmed(fields); !rest.empty(); rest = reading::trimmed(rest)) {
        std::string_view value = reading::taken(rest, ' ');
        const std::string name(reading::taken(value, '='));
        config[name] = field_value(value);
    }
    return config;
}

}  // namespace shardlab
