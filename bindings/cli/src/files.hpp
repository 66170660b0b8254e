#pragma once

/// @file
/// Files that the user names.

#include <functional>
#include <string>
#include <string_view>

#include <shardlab/array.hpp>

#include "options.hpp"

namespace shardlab::cli {

/// The bytes of a file.
/// @param parameter named in errors
/// @param most largest size that is read; a device that never ends is refused there
/// @throws invalid_argument naming the parameter, the path and what keeps it from being read
std::string file_text(const std::string& parameter, const std::string& path, std::size_t most);

/// The bytes of the file that an option names.
std::string file_text(const Options& options, const std::string& parameter, std::size_t most);

/// Largest log of measured runs that is read.
inline constexpr std::size_t largest_log = std::size_t{1} << 26U;

/// Hands over the bytes of a file piece by piece; those in it where it is compressed by gzip.
/// @param parameter named in errors
/// @throws invalid_argument naming the parameter, the path and what keeps it from being read
void read_in_pieces(const std::string& parameter, const std::string& path,
                    const std::function<void(std::string_view piece)>& take);

/// Writes a file that an option names, over what it held.
/// @param path as the option has it
/// @throws invalid_argument naming the option, the path and what keeps it from being written
void write_file(const std::string& parameter, const std::string& path, const std::string& text);

/// The matrix in the CSV file that `--input` names: a row a rank.
/// @throws invalid_argument naming input
Matrix input_matrix(const Options& options);

}  // namespace shardlab::cli
