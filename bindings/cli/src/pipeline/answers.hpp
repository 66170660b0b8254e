#pragma once

/// @file
/// What the command `pipeline` answers.

#include <optional>

#include <shardlab/pipeline/closed_form.hpp>
#include <shardlab/pipeline/notation.hpp>
#include <shardlab/pipeline/simulate.hpp>

#include "../answer.hpp"
#include "../options.hpp"

namespace shardlab::cli {

/// A schedule, and what is known of it.
struct Simulated {
    const PipelineSchedule& schedule;
    const PipelineCosts& costs;
    PipelineTimeline timeline;
};

/// Declares `--critical-path`, `--activations`, `--activation-bytes`, `--weight-grad-bytes` and `--operations`.
void declare_listings(Options& options);

/// Refuses listings that are too long, and options that have no use without one.
void require_listings(const Options& options, const PipelineSchedule& schedule);

/// Steps, times, bubbles, memory, messages and the lower bound.
void add_timeline(Answer& answer, const Simulated& simulated);

/// The published formula beside the simulation; null where there is none.
void add_closed_form(Answer& answer, const std::optional<PipelineClosedForm>& form, double makespan);

/// What was read from a file, and in which notation.
void add_import(Answer& answer, const ReadSchedule& imported);

/// The lists that are asked for.
void add_listings(const Options& options, Answer& answer, const Simulated& simulated);

}  // namespace shardlab::cli
