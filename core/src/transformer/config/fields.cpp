#include "fields.hpp"

#include <utility>

namespace shardlab::transformer {
namespace {

std::string shown(const ModelConfig::mapped_type& value) {
    if (const double* number = std::get_if<double>(&value)) {
        return number_text(*number);
    }
    if (const bool* flag = std::get_if<bool>(&value)) {
        return *flag ? "true" : "false";
    }
    if (const std::string* word = std::get_if<std::string>(&value)) {
        return '"' + *word + '"';
    }
    return "a list or an object";
}

}  // namespace

Fields Fields::inside(const std::string& object) const {
    const Value* const value = find(object);
    Fields fields(*this, object);
    const auto first = config_.lower_bound(fields.prefix_);
    const bool has_fields =
        first != config_.end() && first->first.compare(0, fields.prefix_.size(), fields.prefix_) == 0;
    if (value != nullptr && !has_fields) {
        throw refusal(object, shown(*value), "be an object with fields");
    }
    return fields;
}

int Fields::size(const std::string& field, int most) const {
    return whole(field, 1, most);
}

int Fields::size_or(const std::string& field, int otherwise) const {
    return has(field) || otherwise < 1 ? size(field) : otherwise;
}

int Fields::count_or(const std::string& field, int otherwise) const {
    return has(field) ? whole(field, 0, 2147483647) : otherwise;
}

bool Fields::drops(const std::string& field, double otherwise) const {
    return has(field) ? require_between(prefix_ + field, number(field, "be a number from 0 to 1"), 0, 1) > 0
                      : otherwise > 0;
}

bool Fields::flag_or(const std::string& field, bool otherwise) const {
    const Value* const value = find(field);
    if (value == nullptr) {
        return otherwise;
    }
    if (const bool* flag = std::get_if<bool>(value)) {
        return *flag;
    }
    throw refusal(field, shown(*value), "be true or false");
}

bool Fields::is_object(const std::string& field) const {
    const Value* const value = find(field);
    return value != nullptr && std::holds_alternative<NestedField>(*value);
}

std::string Fields::word(const std::string& field) const {
    const Value& value = must_find(field);
    if (const std::string* word = std::get_if<std::string>(&value)) {
        return *word;
    }
    throw refusal(field, shown(value), "be text");
}

std::vector<int> Fields::layer_list(const std::string& field, int layers) const {
    const Value* const value = find(field);
    if (value == nullptr) {
        return {};
    }
    const auto* const numbers = std::get_if<std::vector<double>>(value);
    if (numbers == nullptr) {
        throw refusal(field, shown(*value), "be a list of layers");
    }
    std::set<int> found;
    for (const double number : *numbers) {
        found.insert(require_int(prefix_ + field, number, 0, layers - 1));
    }
    return {found.begin(), found.end()};
}

void Fields::require_divides(const std::string& field, int value, const std::string& of, int whole) const {
    if (whole % value != 0) {
        throw refusal(field, std::to_string(value), "divide " + of + ", which is " + std::to_string(whole));
    }
}

invalid_argument Fields::refusal(const std::string& field, std::string value, std::string rule) const {
    return {prefix_ + field, std::move(value), std::move(rule)};
}

const Fields::Value* Fields::find(const std::string& field) const {
    asked_.insert(prefix_ + field);
    const auto found = config_.find(prefix_ + field);
    return found == config_.end() ? nullptr : &found->second;
}

const Fields::Value& Fields::must_find(const std::string& field) const {
    const Value* const value = find(field);
    if (value == nullptr) {
        throw refusal(field, "missing", "be in the configuration of this family");
    }
    return *value;
}

double Fields::number(const std::string& field, const char* rule) const {
    const Value& value = must_find(field);
    if (const double* number = std::get_if<double>(&value)) {
        return *number;
    }
    throw refusal(field, shown(value), rule);
}

int Fields::whole(const std::string& field, int least, int most) const {
    return require_int(prefix_ + field, number(field, "be a whole number"), least, most);
}

}  // namespace shardlab::transformer
