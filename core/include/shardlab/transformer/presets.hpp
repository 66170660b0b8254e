#pragma once

/// @file
/// Models by name.

#include <string>
#include <string_view>
#include <vector>

#include <shardlab/transformer/shape.hpp>

namespace shardlab {

/// A model whose configuration is public.
struct ModelPreset {
    std::string id;          ///< `llama3-8b`
    std::string name;        ///< `Llama 3 8B`
    std::string source;      ///< where its configuration stands
    TransformerShape shape;  ///< what it says
};

/// All presets, small to large within a family.
const std::vector<ModelPreset>& model_presets();

/// The preset of that id.
/// @throws invalid_argument naming preset, with the ids that there are
const ModelPreset& model_preset(std::string_view id);

}  // namespace shardlab
