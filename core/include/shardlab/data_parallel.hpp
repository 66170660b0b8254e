#pragma once

/// @file
/// Data parallelism: the model is replicated, the data is split, the gradients are averaged.
///
///     model, task ──► train    (serially and on ranks, side by side: losses, weights, bytes, what each rank holds)
///     optimizer   ──►
///     fault       ──►
///     average     (one average of gradients, beside the serial mean)
///     buckets     (the all-reduces of a step in time, beside the backward that they hide behind)

#include <shardlab/data_parallel/average.hpp>
#include <shardlab/data_parallel/buckets.hpp>
#include <shardlab/data_parallel/fault.hpp>
#include <shardlab/data_parallel/model.hpp>
#include <shardlab/data_parallel/optimizer.hpp>
#include <shardlab/data_parallel/task.hpp>
#include <shardlab/data_parallel/train.hpp>
