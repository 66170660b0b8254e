#pragma once

/// @file
/// The bytes of a parameter that options ask for.

#include <emscripten/val.h>

#include <shardlab/states.hpp>

namespace shardlab::wasm {

using emscripten::val;

/// The recipe of a name, and of its bytes those that are given in its place.
/// @throws invalid_argument naming recipe
PrecisionRecipe recipe_asked_for(const val& options);

}  // namespace shardlab::wasm
