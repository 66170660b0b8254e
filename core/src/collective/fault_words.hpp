#pragma once

/// @file
/// The words of a fault, as `miss-hop:2:3` has them.

#include <string_view>
#include <vector>

namespace shardlab::collective {

/// What stands between the colons of a text.
std::vector<std::string_view> fault_words(std::string_view text);

/// The number that up to nine digits spell, or -1.
int whole_from(std::string_view digits);

}  // namespace shardlab::collective
