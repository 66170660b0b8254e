#include "numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <system_error>

#include <fast_float/fast_float.h>
#include <nlohmann/json.hpp>

#include <shardlab/errors.hpp>

namespace shardlab::cli {
namespace {

/// A decimal number without its sign: digits that neither start nor end with a zero, times a power of ten.
struct Decimal {
    std::string digits;
    long power = 0;

    bool operator==(const Decimal&) const = default;
};

/// Takes apart a text that is known to spell a number.
Decimal decimal(std::string_view number) {
    const std::size_t mantissa_end = std::min(number.find_first_of("eE"), number.size());
    Decimal result;
    bool after_point = false;
    for (const char character : number.substr(0, mantissa_end)) {
        if (character == '.') {
            after_point = true;
        } else if (character != '-') {
            result.digits += character;
            result.power -= after_point ? 1 : 0;
        }
    }
    result.digits.erase(0, std::min(result.digits.find_first_not_of('0'), result.digits.size()));
    while (!result.digits.empty() && result.digits.back() == '0') {
        result.digits.pop_back();
        ++result.power;
    }
    if (result.digits.empty()) {
        return {};
    }
    std::string_view exponent_text = number.substr(mantissa_end);
    exponent_text.remove_prefix(std::min(exponent_text.find_first_of("-0123456789"), exponent_text.size()));
    int exponent = 0;
    std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);
    result.power += exponent;
    return result;
}

std::string whole_number_text(double value) {
    constexpr std::size_t longest = std::numeric_limits<double>::max_exponent10 + 3;
    char text[longest];
    std::snprintf(text, sizeof text, "%.0f", value);
    return text;
}

}  // namespace

double number_from_text(std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto parsed = fast_float::from_chars(text.data(), end, value);
    const bool is_number = parsed.ec == std::errc() && parsed.ptr == end && std::isfinite(value);
    return is_number ? value : std::numeric_limits<double>::quiet_NaN();
}

double count_from_text(std::string_view text) {
    const double value = number_from_text(text);
    const bool is_rounded = value == std::floor(value) && decimal(text) != decimal(whole_number_text(value));
    return is_rounded ? std::numeric_limits<double>::quiet_NaN() : value;
}

nlohmann::ordered_json json_number(double value) {
    if (!std::isfinite(value)) {
        throw std::logic_error("the answer holds a number that is not finite");
    }
    const bool negative_zero = value == 0 && std::signbit(value);
    if (std::abs(value) <= largest_count && value == std::floor(value) && !negative_zero) {
        return static_cast<std::int64_t>(value);
    }
    return value;
}

std::string shown(std::string_view text) {
    constexpr std::size_t longest = 500;
    if (text.empty()) {
        return "''";
    }
    std::string result(text.substr(0, longest));
    for (char& character : result) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte < 0x20 || byte == 0x7f) {
            character = '?';
        }
    }
    return text.size() > longest ? result + "..." : result;
}

}  // namespace shardlab::cli
