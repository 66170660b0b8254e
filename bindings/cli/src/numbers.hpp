#pragma once

/// @file
/// Numbers as they are typed, and as they are shown.

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace shardlab::cli {

/// The number that a text spells in decimal (`4`, `0.5`, `1e9`), whatever the locale; NaN for any other text, so that
/// the core's checks refuse it by their own rule.
double number_from_text(std::string_view text);

/// The same for counts, where rounding must not hide that a text spells another number: NaN for
/// `9007199254740993` (2^53 + 1) and `4.00000000000000000001`.
double count_from_text(std::string_view text);

/// A finite number in JSON: an integer if it is whole and exact, else the double.
/// @throws std::logic_error for NaN and infinities, which JSON does not have
nlohmann::ordered_json json_number(double value);

/// A text as it can stand in a line on a terminal: control characters replaced, cut short if it is long, quoted if it
/// is empty.
std::string shown(std::string_view text);

}  // namespace shardlab::cli
