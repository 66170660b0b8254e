#pragma once

/// @file
/// The options `--config` and `--preset`: a model from its config.json, or by name.

#include <string>
#include <vector>

#include <shardlab/transformer.hpp>

#include "options.hpp"

namespace shardlab::cli {

/// A model as it was asked for.
struct AskedModel {
    TransformerShape shape;                   ///< its parameters can be counted
    std::vector<std::string> unknown_fields;  ///< fields of its configuration that were not understood
};

/// Declares `--config` and `--preset`.
void declare_model(Options& options);

/// Whether one of the two is given.
bool model_given(const Options& options);

/// The model that the file of `--config` describes.
/// @throws invalid_argument naming the file before its field
AskedModel model_in_config(const Options& options);

/// The model that one of the two gives.
/// @throws invalid_argument naming config or preset if both or neither are given; the file before its field
AskedModel model_asked_for(const Options& options);

}  // namespace shardlab::cli
