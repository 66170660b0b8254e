#pragma once

/// @file
/// Enumerations that have names on the command line and in JavaScript.

#include <cstddef>
#include <span>
#include <string_view>

namespace shardlab::collective {

/// The place of a name in a list.
/// @throws invalid_argument naming `parameter`, with all names
std::size_t place_of(const char* parameter, std::string_view name, std::span<const char* const> names);

/// The enumerator whose number is the place of its name in a list.
/// @throws invalid_argument naming `parameter`, with all names
template <typename Enumeration, std::size_t size>
Enumeration from_name(const char* parameter, std::string_view name, const char* const (&names)[size]) {
    return static_cast<Enumeration>(place_of(parameter, name, names));
}

/// The name of an enumerator, or `unknown` if it has none.
template <typename Enumeration, std::size_t size>
const char* name_of(Enumeration enumerator, const char* const (&names)[size]) {
    const auto index = static_cast<std::size_t>(enumerator);
    return index < size ? names[index] : "unknown";
}

}  // namespace shardlab::collective
