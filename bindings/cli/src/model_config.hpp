#pragma once

/// @file
/// A model's configuration, from JSON.

#include <nlohmann/json.hpp>

#include <shardlab/transformer.hpp>

namespace shardlab::cli {

/// The fields of a JSON object, and of the objects in it, as the core's own kinds of values. Null stands for a default
/// and is left out.
ModelConfig model_config(const nlohmann::json& object);

}  // namespace shardlab::cli
