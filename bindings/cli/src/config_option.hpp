#pragma once

/// @file
/// The option `--config`: a model's config.json.

#include <shardlab/transformer.hpp>

#include "options.hpp"

namespace shardlab::cli {

/// The model that the file describes. Its parameters can be counted.
/// @throws invalid_argument naming the file before its field
TransformerShape model_in_config(const Options& options);

}  // namespace shardlab::cli
