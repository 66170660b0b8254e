#pragma once

/// @file
/// What the commands that run a collective share: where their tensors come from, how they are reduced, and what they
/// answer.

#include <optional>

#include <shardlab/collective.hpp>

#include "answer.hpp"
#include "options.hpp"

namespace shardlab::cli {

/// Declares `--input`, or `--ranks` and `--elements` in its place.
void declare_tensors(Options& options);

/// Declares `--op`, `--dtype`, `--fault` and `--schedule`.
void declare_run(Options& options);

/// The tensors of all ranks: from the file, or made up.
Matrix tensors_asked_for(const Options& options);

/// Runs a schedule on tensors as the options ask, and writes the answer's keys.
void answer_run(const Options& options, const CollectiveSchedule& schedule, Matrix tensors, Kind kind,
                std::ostream& out);

}  // namespace shardlab::cli
