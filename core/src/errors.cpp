#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <shardlab/errors.hpp>

namespace shardlab {
namespace {

std::string sentence(const std::string& parameter, const std::string& value, const std::string& rule) {
    return parameter + " is " + (value.empty() ? "empty" : value) + "; it must " + rule;
}

std::string range_text(double least, double most) {
    return "from " + number_text(least) + " to " + number_text(most);
}

}  // namespace

invalid_argument::invalid_argument(std::string parameter, std::string value, std::string rule)
    : std::invalid_argument(sentence(parameter, value, rule)),
      parameter_(std::move(parameter)),
      value_(std::move(value)),
      rule_(std::move(rule)) {}

std::string number_text(double value) {
    constexpr double plain_integers = 1e15;
    char text[40];
    if (std::abs(value) < plain_integers && value == std::floor(value)) {
        std::snprintf(text, sizeof text, "%.0f", value);
        return text;
    }
    constexpr int digits_that_always_suffice = 17;
    for (int digits = 1; digits <= digits_that_always_suffice; ++digits) {
        std::snprintf(text, sizeof text, "%.*g", digits, value);
        if (std::strtod(text, nullptr) == value) {
            break;
        }
    }
    return text;
}

double require_count(std::string_view parameter, double value, double least, double most) {
    if (!std::isfinite(value) || !(value >= least && value <= most) || value != std::floor(value)) {
        throw invalid_argument(std::string(parameter), number_text(value),
                               "be a whole number " + range_text(least, most));
    }
    return value;
}

int require_int(std::string_view parameter, double value, int least, int most) {
    return static_cast<int>(require_count(parameter, value, least, most));
}

double require_between(std::string_view parameter, double value, double least, double most) {
    if (!std::isfinite(value) || !(value >= least && value <= most)) {
        throw invalid_argument(std::string(parameter), number_text(value),
                               "be a finite number " + range_text(least, most));
    }
    return value;
}

}  // namespace shardlab
