#pragma once

/// @file
/// Pipelines as data: for each device an ordered list of operations, and what reads it.
///
///     builders ──► PipelineSchedule ──► simulate     (start and end of every operation, bubbles, messages)
///     notation ──►                 │         ├──►    analysis (critical path, activations over time)
///                                  │         └──►    trace    (for a viewer)
///                                  └──► lower bound, closed forms beside it

#include <shardlab/pipeline/analysis.hpp>
#include <shardlab/pipeline/builders.hpp>
#include <shardlab/pipeline/closed_form.hpp>
#include <shardlab/pipeline/in_flight.hpp>
#include <shardlab/pipeline/notation.hpp>
#include <shardlab/pipeline/schedule.hpp>
#include <shardlab/pipeline/simulate.hpp>
#include <shardlab/pipeline/trace.hpp>
