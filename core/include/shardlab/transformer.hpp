#pragma once

/// @file
/// Transformers: their shape, parameters and FLOPs.

#include <shardlab/transformer/config.hpp>
#include <shardlab/transformer/count.hpp>
#include <shardlab/transformer/flops.hpp>
#include <shardlab/transformer/presets.hpp>
#include <shardlab/transformer/shape.hpp>
