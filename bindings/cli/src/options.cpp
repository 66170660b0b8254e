#include "options.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "numbers.hpp"

namespace shardlab::cli {
namespace {

/// What stands between the commas of a text.
std::vector<double> read_list(std::string_view text, double (*read)(std::string_view)) {
    std::vector<double> list;
    while (true) {
        const std::size_t comma = text.find(',');
        list.push_back(read(text.substr(0, comma)));
        if (comma == std::string_view::npos) {
            return list;
        }
        text.remove_prefix(comma + 1);
    }
}

}  // namespace

std::string dashed(const std::string& parameter) {
    std::string name = "--" + parameter;
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

Options::Options(CLI::App& subcommand) : subcommand_(&subcommand) {
    // What is unknown is refused by check(), whose message says what is known.
    subcommand.allow_extras();
}

void Options::add(const std::string& parameter, const std::string& placeholder, const std::string& meaning) {
    CLI::Option* const option = subcommand_->add_option(dashed(parameter))->description(meaning);
    option->type_name(placeholder)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    options_[parameter] = option;
    order_.push_back(parameter);
}

void Options::add_with_default(const std::string& parameter, const std::string& placeholder,
                               const std::string& standard, const std::string& meaning) {
    add(parameter, placeholder, meaning);
    options_[parameter]->default_str(standard);
    defaults_[parameter] = standard;
}

void Options::add_pair(const std::string& parameter, const std::string& placeholder, const std::string& meaning) {
    add(parameter, placeholder, meaning);
    options_[parameter]->type_size(2);
}

void Options::add_flag(const std::string& parameter, const std::string& meaning) {
    options_[parameter] = subcommand_->add_flag(dashed(parameter))->description(meaning);
    order_.push_back(parameter);
}

void Options::add_words(const std::string& placeholder, const std::string& meaning) {
    words_ = subcommand_->add_option("words")->description(meaning);
    words_->type_name(placeholder)->expected(0, CLI::detail::expected_max_vector_size)->allow_extra_args();
    words_->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void Options::check() const {
    for (const std::string& parameter : order_) {
        check_values(parameter);
    }
    const std::vector<std::string> unknown = subcommand_->remaining();
    if (!unknown.empty()) {
        throw invalid_argument(unknown.front(), "unknown",
                               order_.empty() ? "be left out: there are no options" : "be one of " + names());
    }
}

void Options::check_values(const std::string& parameter) const {
    const std::vector<std::string>& values = options_.at(parameter)->results();
    for (const std::string& value : values) {
        if (is_flag(parameter) && value != "true") {
            throw invalid_argument(parameter, value, "be given without a value");
        }
        if (value.starts_with("--")) {
            throw invalid_argument(parameter, value, "be followed by its value");
        }
    }
    if (values.size() > 1 && !is_pair(parameter)) {
        throw invalid_argument(parameter, "given " + std::to_string(values.size()) + " times", "be given once");
    }
}

bool Options::is_flag(const std::string& parameter) const {
    return options_.at(parameter)->get_expected_max() == 0;
}

bool Options::is_pair(const std::string& parameter) const {
    return options_.at(parameter)->get_type_size_max() == 2;
}

bool Options::given(const std::string& parameter) const {
    return options_.at(parameter)->count() > 0;
}

std::string Options::text(const std::string& parameter) const {
    const std::vector<std::string>& values = options_.at(parameter)->results();
    if (!values.empty()) {
        return values.front();
    }
    const auto standard = defaults_.find(parameter);
    if (standard == defaults_.end()) {
        throw invalid_argument(parameter, "missing", "be given (" + options_.at(parameter)->get_description() + ")");
    }
    return standard->second;
}

std::vector<std::pair<std::string, std::string>> Options::pairs(const std::string& parameter) const {
    const std::vector<std::string>& words = options_.at(parameter)->results();
    std::vector<std::pair<std::string, std::string>> list;
    for (std::size_t index = 0; index + 1 < words.size(); index += 2) {
        list.emplace_back(words[index], words[index + 1]);
    }
    return list;
}

std::vector<std::string> Options::words() const {
    return words_ == nullptr ? std::vector<std::string>{} : words_->results();
}

double Options::number(const std::string& parameter) const {
    return number_from_text(text(parameter));
}

double Options::count(const std::string& parameter) const {
    return count_from_text(text(parameter));
}

std::vector<double> Options::numbers(const std::string& parameter) const {
    return read_list(text(parameter), number_from_text);
}

std::vector<double> Options::counts(const std::string& parameter) const {
    return read_list(text(parameter), count_from_text);
}

int Options::whole(const std::string& parameter, int least, int most) const {
    return require_int(parameter, count(parameter), least, most);
}

std::string Options::sentence(const invalid_argument& error) const {
    const bool is_option = options_.contains(error.parameter());
    return (is_option ? dashed(error.parameter()) : shown(error.parameter())) + " is " + as_typed(error) +
           "; it must " + shown(error.rule());
}

/// The core knows the value as a number (`nan` for what is none), or found the mistake in what the option led to (a row
/// of a file); the user knows what was typed.
std::string Options::as_typed(const invalid_argument& error) const {
    const std::string& parameter = error.parameter();
    if (!options_.contains(parameter) || !given(parameter) || is_flag(parameter) || is_pair(parameter)) {
        return shown(error.value());
    }
    const std::string typed = options_.at(parameter)->results().front();
    const bool is_typed = error.value() == typed || error.value() == number_text(number_from_text(typed)) ||
                          error.value() == number_text(count_from_text(typed));
    return is_typed ? shown(typed) : shown(typed) + " (" + shown(error.value()) + ")";
}

std::string Options::names() const {
    std::string list;
    for (const std::string& parameter : order_) {
        list += (list.empty() ? "" : ", ") + dashed(parameter);
    }
    return list;
}

}  // namespace shardlab::cli
