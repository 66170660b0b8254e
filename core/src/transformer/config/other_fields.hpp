#pragma once

// Fields of configurations that have no part in a shape.

#include <string_view>

namespace shardlab::transformer {

/// Whether a field is known to leave a model's shape alone, whatever its family.
bool changes_no_shape(std::string_view field);

}  // namespace shardlab::transformer
