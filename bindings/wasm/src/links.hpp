#pragma once

/// @file
/// The options that describe links.

#include <optional>

#include <emscripten/val.h>

#include <shardlab/hardware.hpp>

namespace shardlab::wasm {

using emscripten::val;

/// `latencySeconds` and `bytesPerSecond`, or neither.
/// @throws invalid_argument naming the one that is missing, or is no such quantity
std::optional<Link> optional_link(const val& options);

/// The same with `interLatencySeconds` and `interBytesPerSecond` for the link between nodes of `perNode` ranks, which
/// is like the other where both are left out.
/// @throws invalid_argument naming the one that is missing, or is no such quantity
std::optional<Links> optional_links(const val& options);

/// Links that must be there.
/// @throws invalid_argument naming what is missing, or is no such quantity
Links required_links(const val& options);

}  // namespace shardlab::wasm
