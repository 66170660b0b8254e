#pragma once

/// @file
/// The options of a footprint.

#include <shardlab/footprint.hpp>

#include "../options.hpp"

namespace shardlab::cli {

/// Declares `--tp --pp --dp --cp --ep`.
void declare_layout(Options& options);

/// The layout that these give.
/// @throws invalid_argument as require_layout() does
Layout layout_asked_for(const Options& options);

/// Declares `--recipe`, the bytes that may differ from it, `--shard-ranks` and `--offload`.
void declare_states(Options& options);

/// The recipe, with the bytes that are given for themselves.
PrecisionRecipe recipe_asked_for(const Options& options);

/// Declares all that a FootprintRequest has but its model.
void declare_request(Options& options);

/// The request that the options make of a model.
FootprintRequest request_asked_for(const Options& options, const TransformerShape& shape);

}  // namespace shardlab::cli
