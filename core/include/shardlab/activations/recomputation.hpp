#pragma once

/// @file
/// What a forward pass throws away and the backward computes again.

#include <string_view>

namespace shardlab {

/// What is thrown away after the forward and computed again in the backward.
enum class Recomputation {
    none,       ///< everything is kept
    selective,  ///< the attention scores are computed again
    full,       ///< only the layer's input is kept
};

/// The recomputation of that name (`none`, `selective`, `full`).
/// @throws invalid_argument naming recompute
Recomputation recomputation_from_name(std::string_view name);

/// The name of a recomputation.
std::string_view name_of(Recomputation recompute);

}  // namespace shardlab
