#pragma once

/// @file
/// The option `--config`: a model's config.json.

#include <string>
#include <vector>

#include <shardlab/transformer.hpp>

#include "options.hpp"

namespace shardlab::cli {

/// A model as a file describes it.
struct ConfiguredModel {
    TransformerShape shape;                   ///< its parameters can be counted
    std::vector<std::string> unknown_fields;  ///< fields that were not understood
};

/// The model that the file describes.
/// @throws invalid_argument naming the file before its field
ConfiguredModel model_in_config(const Options& options);

}  // namespace shardlab::cli
