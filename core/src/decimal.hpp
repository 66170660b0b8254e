#pragma once

// Decimal numbers, read the same on every machine and in every locale.

#include <optional>
#include <string_view>

namespace shardlab::reading {

/// The double nearest to a decimal number without a plus sign before it, which the whole text must spell; ties to even.
/// What is too large for a double is no number here, what is too small is 0.
std::optional<double> decimal(std::string_view text);

}  // namespace shardlab::reading
