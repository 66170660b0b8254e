#pragma once

/// @file
/// Files that the user names.

#include <string>

#include <shardlab/array.hpp>

#include "options.hpp"

namespace shardlab::cli {

/// The bytes of the file that an option names.
/// @param most largest size that is read; a device that never ends is refused there
/// @throws invalid_argument naming the option, the path and what keeps it from being read
std::string file_text(const Options& options, const std::string& parameter, std::size_t most);

/// Writes a file that an option names, over what it held.
/// @param path as the option has it
/// @throws invalid_argument naming the option, the path and what keeps it from being written
void write_file(const std::string& parameter, const std::string& path, const std::string& text);

/// The matrix in the CSV file that `--input` names: a row a rank.
/// @throws invalid_argument naming input
Matrix input_matrix(const Options& options);

}  // namespace shardlab::cli
