#pragma once

/// @file
/// The one kind of error that the library throws, and the checks that throw it.
///
/// Every public function checks its arguments before it allocates or computes. Quantities that arrive from outside
/// (a command line, JavaScript) are plain `double`; these checks turn them into the integers that the core works on,
/// so that a fraction, a NaN or 2^40 ranks is refused by name and never truncated.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace shardlab {

/// An argument that breaks a rule. `what()` is one sentence made of the three parts.
class invalid_argument : public std::invalid_argument {
public:
    /// @param parameter name of the argument in snake_case, e.g. `micro_batches`
    /// @param value the value given, as text
    /// @param rule what the value must be, to be read after the word "must", e.g. `be a whole number of at least 1`
    invalid_argument(std::string parameter, std::string value, std::string rule);

    /// Name of the argument in snake_case.
    const std::string& parameter() const noexcept { return parameter_; }
    /// The value given, as text.
    const std::string& value() const noexcept { return value_; }
    /// What the value must be; reads on from the word "must".
    const std::string& rule() const noexcept { return rule_; }

private:
    std::string parameter_;
    std::string value_;
    std::string rule_;
};

/// Largest count that a `double` holds exactly: 2^53.
inline constexpr double largest_count = 9007199254740992.0;

/// The shortest decimal text that reads back as the same `double`: `0.1`, `1e+12`, `nan`.
std::string number_text(double value);

/// Checks a count (bytes, parameters, elements): a whole number from `least` to `most`.
/// @return the value, unchanged
/// @throws invalid_argument for a fraction, NaN, an infinity or a value outside the range
double require_count(std::string_view parameter, double value, double least = 0, double most = largest_count);

/// Checks a small whole number (ranks, stages, layers) and converts it.
/// @return the value as an `int`
/// @throws invalid_argument for a fraction, NaN, an infinity or a value outside the range
int require_int(std::string_view parameter, double value, int least, int most = 2147483647);

/// Checks a real quantity (a time, a rate).
/// @return the value, unchanged
/// @throws invalid_argument for NaN, an infinity or a value outside the range
double require_between(std::string_view parameter, double value, double least, double most);

}  // namespace shardlab
