#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace shardlab::measure {

/// Nanoseconds since whatever the trace counts from. Exact: a double of microseconds since 1970 has steps of 0.25.
using Nanoseconds = std::int64_t;

/// Farthest start from 0, 4e15 us (the year 2096), and longest duration, 1e15 us: from the earliest start to the latest
/// end is a whole number of nanoseconds still.
inline constexpr Nanoseconds farthest_start = 4'000'000'000'000'000'000;
inline constexpr Nanoseconds longest_duration = 1'000'000'000'000'000'000;

/// The nanoseconds that a decimal number of microseconds spells, rounded to whole ones.
/// @return nothing for text that is no number, or one beyond farthest_start on either side of 0
std::optional<Nanoseconds> nanoseconds(std::string_view microseconds);

/// Later than any start.
inline constexpr Nanoseconds never = std::numeric_limits<Nanoseconds>::max();

/// How long before or after 0.
inline Nanoseconds distance_from_zero(Nanoseconds start) {
    return start < 0 ? -start : start;
}

/// Whether the start that is nearest to 0 shows that one at 0 is none: no trace begins an hour before the rest of it.
inline bool is_far_from_zero(Nanoseconds nearest) {
    constexpr Nanoseconds hour = 3'600'000'000'000;
    return nearest != never && nearest > hour;
}

/// As a difference, which a double holds.
inline double seconds(Nanoseconds duration) {
    constexpr double nanoseconds_in_second = 1e9;
    return static_cast<double>(duration) / nanoseconds_in_second;
}

}  // namespace shardlab::measure
