#pragma once

/// @file
/// The files that `--export` writes.

#include <string>
#include <vector>

#include "../options.hpp"
#include "answers.hpp"

namespace shardlab::cli {

/// Declares `--export` and `--microseconds-per-unit`.
void declare_exports(Options& options);

/// Refuses kinds of files that there are not, and a file named twice.
/// @throws invalid_argument naming export
void require_exports(const Options& options);

/// Writes every file that is asked for, over what it held.
/// @param title of the drawing
/// @throws invalid_argument naming export, or what of the schedule cannot be written
void write_exports(const Options& options, const Simulated& simulated, const std::string& title);

}  // namespace shardlab::cli
