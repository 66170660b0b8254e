#pragma once

/// @file
/// What papers say a schedule takes, and when that holds.

#include <optional>
#include <string>

#include <shardlab/pipeline/builders.hpp>

namespace shardlab {

/// A published closed form of a makespan, in the unit of the times.
struct PipelineClosedForm {
    double makespan = 0;    ///< the value of the formula
    bool applies = false;   ///< whether its conditions are met; the simulation then gives the same
    std::string formula;    ///< with the letters P, M, V, F, B (whole backward), I and W (its two gradients)
    std::string condition;  ///< when it holds, in words
};

/// The closed form for a schedule of builders.hpp; none for zb-1p and zb-2p, whose schedules are searched.
/// @throws invalid_argument as pipeline_schedule() does
std::optional<PipelineClosedForm> pipeline_closed_form(const PipelineRequest& request, const PipelineCosts& costs);

}  // namespace shardlab
