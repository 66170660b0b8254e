#pragma once

/// @file
/// Routines of types.ts that have a source file of their own.

#include <emscripten/val.h>

namespace shardlab::wasm {

using emscripten::val;

val ring_all_reduce(const val& options);
val all_reduce(const val& options);
val collective(const val& options);
val even_elements(const val& options);
val all_reduce_cost(const val& options);
val tree_all_reduce_cost(const val& options);
val all_reduce_times(const val& options);
val crossover(const val& options);
val nccl_tuning(const val& options);
val fit_all_reduce(const val& options);
val data_parallel_gradient_average(const val& options);
val data_parallel_train(const val& options);
val gradient_buckets(const val& options);
val pipeline_schedule(const val& options);
val pipeline_schedule_1f1b(const val& options);
val pipeline_import(const val& options);
val pipeline_export(const val& options);
val tensor_parallel_matmul(const val& options);
val tensor_parallel_linear(const val& options);
val tensor_parallel_mlp(const val& options);
val tensor_parallel_block(const val& options);
val tensor_parallel_cost(const val& options);
val transformer(const val& options);
val transformer_presets(const val& options);
val accelerators(const val& options);
val precision_recipes(const val& options);
val layer_activations(const val& options);
val zero_states(const val& options);
val footprint(const val& options);
val smallest_cluster(const val& options);
val launch_settings(const val& options);
val verify(const val& options);
val trace_open(const val& options);
val trace_feed(const val& options);
val trace_finish(const val& options);
val trace_close(const val& options);
val traces_measured(const val& options);
val parse_csv(const val& options);
val random_matrix(const val& options);

}  // namespace shardlab::wasm
