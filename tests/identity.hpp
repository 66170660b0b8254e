#pragma once

/// @file
/// What a build was made from and with, so that a native one and one for WebAssembly can be set side by side.

#include <cstdint>
#include <string>

namespace identity {

/// The SHA-256 of the sources of the core and of the tests, in hexadecimal digits.
std::string sources();

/// The compiler's name and version: `GCC 12.2.0`.
std::string compiler();

/// A hash as it is shown: 16 hexadecimal digits.
std::string hex(std::uint64_t hash);

}  // namespace identity
