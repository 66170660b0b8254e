#pragma once

/// @file
/// Footprints in JSON and CSV.

#include <string>

#include <nlohmann/json_fwd.hpp>

#include <shardlab/footprint.hpp>
#include <shardlab/launch.hpp>

#include "../answer.hpp"

namespace shardlab::cli {

/// One object a stage.
void add_stages(Answer& answer, const Footprint& sized);

/// `changes`, what is offered for what was asked, and `not_offered`, with the reasons.
void add_changes(Answer& answer, const FootprintRequest& asked, const Changes& changes);

/// The options that make a request that was asked for into another, by their names. The default of `--micro-batches` is
/// `--pp`: where that changes, both are among them.
nlohmann::ordered_json options_between(const FootprintRequest& asked, const FootprintRequest& changed);

/// What a step costs.
nlohmann::ordered_json cost_record(const StepCost& cost);

/// Those fields of a request that a search may set.
nlohmann::ordered_json layout_record(const FootprintRequest& request);

/// A framework's settings, what is left out of them, and the text of them to be copied.
nlohmann::ordered_json launch_record(const LaunchSettings& launch);

/// A header, and a row a stage.
std::string stages_csv(const Footprint& sized);

}  // namespace shardlab::cli
