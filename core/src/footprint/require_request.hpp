#pragma once

/// @file
/// What every reader of a FootprintRequest checks first.

#include <shardlab/footprint/footprint.hpp>

namespace shardlab {

/// Checks all of a request but its schedule, its recipe and how its states are sharded.
/// @throws invalid_argument naming the field
void require_request(const FootprintRequest& request);

}  // namespace shardlab
