#pragma once

/// @file
/// Refusals whose texts hold numbers: one call where they are thrown, so that a check takes few bytes of WebAssembly.

#include <initializer_list>
#include <string_view>

namespace shardlab {

/// Throws the invalid_argument whose texts are these, with each # in value and rule, in this order, replaced by the
/// next of the numbers.
[[noreturn]] void refuse(std::string_view parameter, std::string_view value, std::string_view rule,
                         std::initializer_list<double> numbers);

}  // namespace shardlab
