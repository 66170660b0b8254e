#pragma once

/// @file
/// The model that options ask for, and lists of what its description is made of.

#include <string>
#include <vector>

#include <emscripten/val.h>

#include <shardlab/activations.hpp>
#include <shardlab/transformer.hpp>

namespace shardlab::wasm {

using emscripten::val;

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

/// An array of what `plain` makes of each item.
template <typename Items, typename Plain>
val listed(const Items& items, Plain plain) {
    val list = val::array();
    for (const auto& item : items) {
        list.call<void>("push", plain(item));
    }
    return list;
}

/// Sentences or names.
val plain_texts(const std::vector<std::string>& texts);

/// Names, bytes and formulas.
val plain_terms(const std::vector<ActivationTerm>& terms);

}  // namespace shardlab::wasm
