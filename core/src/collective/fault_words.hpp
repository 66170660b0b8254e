#pragma once

/// @file
/// The words of a fault, as `miss-hop:2:3` has them.

#include <cstddef>
#include <span>
#include <string_view>

namespace shardlab::collective {

/// A fault's text taken apart at its colons.
struct FaultWords {
    std::size_t kind = 0;   ///< the place of its first word in the list of names, or their number if it is none of them
    std::size_t count = 0;  ///< words in all
    std::string_view second;  ///< empty where there is none
    std::string_view third;   ///< the same
};

/// Takes a text apart.
/// @param names of the kinds of faults
FaultWords fault_words(std::string_view text, std::span<const char* const> names);

/// The number that up to nine digits spell, or -1.
int whole_from(std::string_view digits);

}  // namespace shardlab::collective
