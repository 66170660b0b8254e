#pragma once

/// @file
/// What the routines of tensor parallelism have in common.

#include <optional>
#include <vector>

#include <shardlab/tensor_parallel/block.hpp>

#include "convert.hpp"

namespace shardlab::wasm {

/// A collective as an object.
val plain_call(const CollectiveCall& call);

/// Sets `collectives`, in the order of the calls.
void set_calls(val& result, const std::vector<CollectiveCall>& calls);

/// Sets `maxAbsError` and `maxRelError` of the output, and `gradients` with those of each gradient.
void set_errors(val& result, const ArrayError& output, const std::vector<ArrayError>& gradients);

/// The option `forget`.
std::optional<Mistake> optional_mistake(const val& options);

}  // namespace shardlab::wasm
