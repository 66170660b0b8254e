#pragma once

/// @file
/// The model that options ask for.

#include <string>
#include <vector>

#include <shardlab/activations.hpp>
#include <shardlab/transformer.hpp>

#include "convert.hpp"

namespace shardlab::wasm {

/// The model of the options `config` or `preset`.
struct AskedModel {
    TransformerShape shape;
    std::vector<std::string> unknown_fields;  ///< of the configuration
};

/// @throws invalid_argument naming config or preset unless one of them is given; and as shape_from_config() does
AskedModel model_asked_for(const val& options);

/// The option `sequence`; where it is left out the model's longest, and at most 8192.
/// @throws invalid_argument naming sequence
int sequence_asked_for(const val& options, const TransformerShape& shape);

/// Names, bytes and formulas.
val plain_terms(const std::vector<ActivationTerm>& terms);

}  // namespace shardlab::wasm
