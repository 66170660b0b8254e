#pragma once

/// @file
/// The schedule in the file that `--import` names.

#include <optional>
#include <string>

#include <shardlab/pipeline/notation.hpp>

#include "../options.hpp"

namespace shardlab::cli {

/// A schedule from comma-separated text, or from JSON where the text begins with a brace:
/// `{"stages": 2, "operations": [["0F0", "0B0"], ["1F0", "1B0"]]}`, with `micro_batches`, `placement`, `replicas` (1)
/// and `notation` if wanted, which are then held against the cells.
/// @throws invalid_argument naming schedule
ReadSchedule schedule_in_text(const std::string& text, std::optional<BackwardLetters> letters);

/// The same from the file, in the notation of `--notation` if that is given.
/// @throws invalid_argument naming import or notation
ReadSchedule imported_schedule(const Options& options);

}  // namespace shardlab::cli
