#pragma once

/// @file
/// A routine as it is registered.

#include "convert.hpp"

namespace shardlab::wasm {

/// The routine behind guarded(), in the shape that embind takes.
template <val (*routine)(const val& options)>
val exported(val options) {
    return guarded(routine, options);
}

}  // namespace shardlab::wasm
