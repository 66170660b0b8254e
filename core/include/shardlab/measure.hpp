#pragma once

/// @file
/// What real machines measured, and the model fitted to it:
///
///     text of all_reduce_perf ──► read_all_reduce_runs ──► fit_regimes ──► latency and bandwidth by range of size
///     traces of torch.profiler ──► TraceReader ──► where the time went
///                                       └──► communications ──► all_reduce_measurements ──► fit_regimes

#include <shardlab/measure/communication.hpp>
#include <shardlab/measure/fit.hpp>
#include <shardlab/measure/runs.hpp>
#include <shardlab/measure/trace.hpp>
