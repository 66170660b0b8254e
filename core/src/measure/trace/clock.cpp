#include "clock.hpp"

#include <algorithm>
#include <cmath>

#include "../../decimal.hpp"

namespace shardlab::measure {
namespace {

constexpr std::size_t fraction_digits = 3;
/// Of whole microseconds: what has more is beyond farthest_start, or is left to the general reader to refuse.
constexpr std::size_t most_digits = 16;

bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

/// For what has an exponent, or is no number.
std::optional<Nanoseconds> generally(std::string_view microseconds) {
    constexpr double nanoseconds_in_one = 1000;
    const std::optional<double> number = reading::decimal(microseconds);
    if (!number || !(std::abs(*number) * nanoseconds_in_one <= static_cast<double>(farthest_start))) {
        return std::nullopt;
    }
    return static_cast<Nanoseconds>(std::llround(*number * nanoseconds_in_one));
}

/// Appends decimal digits off the front of a text to a number.
/// @return how many
std::size_t take_digits(std::string_view& text, std::size_t most, std::uint64_t& number) {
    std::size_t count = 0;
    while (count < most && count < text.size() && is_digit(text[count])) {
        number = number * 10 + static_cast<std::uint64_t>(text[count] - '0');
        ++count;
    }
    text.remove_prefix(count);
    return count;
}

}  // namespace

std::optional<Nanoseconds> nanoseconds(std::string_view microseconds) {
    std::string_view rest = microseconds;
    const bool negative = !rest.empty() && rest.front() == '-';
    rest.remove_prefix(negative ? 1 : 0);
    std::uint64_t number = 0;  // of nanoseconds; 16 digits and 3 more stay below 2^64
    if (take_digits(rest, most_digits, number) == 0) {
        return generally(microseconds);
    }
    std::size_t decimals = 0;
    bool rounds_up = false;
    if (!rest.empty() && rest.front() == '.') {
        rest.remove_prefix(1);
        decimals = take_digits(rest, fraction_digits, number);
        rounds_up = !rest.empty() && rest.front() >= '5' && rest.front() <= '9';
        rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of("0123456789")));
    }
    if (!rest.empty()) {
        return generally(microseconds);
    }
    for (; decimals < fraction_digits; ++decimals) {
        number *= 10;
    }
    number += rounds_up ? 1 : 0;
    if (number > static_cast<std::uint64_t>(farthest_start)) {
        return std::nullopt;
    }
    const auto found = static_cast<Nanoseconds>(number);
    return negative ? -found : found;
}

}  // namespace shardlab::measure
