#pragma once

/// @file
/// Enumerations that have names on the command line and in JavaScript.

#include <cstddef>
#include <string>
#include <string_view>

#include <shardlab/errors.hpp>

namespace shardlab::collective {

/// The enumerator whose number is the place of its name in a list.
/// @throws invalid_argument naming `parameter`, with all names
template <typename Enumeration, std::size_t size>
Enumeration from_name(const char* parameter, std::string_view name, const char* const (&names)[size]) {
    std::string rule = "be ";
    for (std::size_t index = 0; index < size; ++index) {
        if (name == names[index]) {
            return static_cast<Enumeration>(index);
        }
        rule += (index == 0 ? "" : index + 1 == size ? " or " : ", ") + std::string(names[index]);
    }
    throw invalid_argument(parameter, std::string(name), rule);
}

/// The name of an enumerator, or `unknown` if it has none.
template <typename Enumeration, std::size_t size>
const char* name_of(Enumeration enumerator, const char* const (&names)[size]) {
    const auto index = static_cast<std::size_t>(enumerator);
    return index < size ? names[index] : "unknown";
}

}  // namespace shardlab::collective
