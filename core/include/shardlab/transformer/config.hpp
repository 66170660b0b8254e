#pragma once

/// @file
/// Transformer shapes from the configuration that Hugging Face's libraries keep beside a model.

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <shardlab/transformer/shape.hpp>

namespace shardlab {

/// A field that holds more than a shape needs of it: an object, or a list that is not of numbers.
struct NestedField {};

/// A `config.json`. An object of the top level is a NestedField, and its fields stand beside it with its name and a dot
/// before theirs (`text_config.hidden_size`). Null is left out by whoever reads the file: it means the family's
/// default.
using ModelConfig = std::map<std::string, std::variant<double, bool, std::string, std::vector<double>, NestedField>>;

/// The values of `model_type` that shape_from_config() knows, in alphabetical order.
const std::vector<std::string>& known_model_types();

/// A configuration in one line: fields apart by blanks, `model_type=gpt2 n_embd=768 tie_word_embeddings=true`. A list
/// of numbers has a comma behind each (`0,2,`), a NestedField is `{}`, and what is none of these is a text.
ModelConfig config_from_fields(std::string_view fields);

/// The shape that a configuration describes, by its family (`model_type`).
///
/// Fields that decide the count must be there; those that the family itself defaults take its default (Hugging Face
/// transformers 4.57, `configuration_*.py`). Biases and norms that a family has without a field for them are part of
/// the family. The family `transformer` is this library's own: its fields are those of TransformerShape, those of its
/// parts in objects (`"experts": {"count": 8}`). A model that also reads pictures is counted without what reads them.
/// @throws invalid_argument naming the configuration's field: missing, of the wrong kind, or out of range; and
///         model_type for a family that is not known
TransformerShape shape_from_config(const ModelConfig& config);

/// Fields that neither decide a shape nor are known to leave it alone (as `rope_theta` or `torch_dtype` do): a name
/// misspelled, or something that this library does not count. In alphabetical order; of an object that no family reads
/// (`vision_config`) its name alone.
/// @throws invalid_argument as shape_from_config() does
std::vector<std::string> unknown_fields(const ModelConfig& config);

}  // namespace shardlab
