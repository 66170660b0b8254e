#pragma once

/// @file
/// Tensor parallelism: a layer's matrices are split over ranks.

#include <shardlab/tensor_parallel/activation.hpp>
#include <shardlab/tensor_parallel/block.hpp>
#include <shardlab/tensor_parallel/call.hpp>
#include <shardlab/tensor_parallel/cost.hpp>
#include <shardlab/tensor_parallel/linear.hpp>
