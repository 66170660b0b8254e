#pragma once

/// @file
/// What one card holds in training, and the smallest change that makes it fit.

#include <shardlab/footprint/changes.hpp>
#include <shardlab/footprint/footprint.hpp>
#include <shardlab/footprint/price.hpp>
#include <shardlab/footprint/smallest_cluster.hpp>
