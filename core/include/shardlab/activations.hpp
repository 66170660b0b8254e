#pragma once

/// @file
/// Memory of the activations that a transformer keeps for its backward pass.

#include <shardlab/activations/closed_form.hpp>
#include <shardlab/activations/ledger.hpp>
#include <shardlab/activations/recomputation.hpp>
