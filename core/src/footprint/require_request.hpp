#pragma once

/// @file
/// What every reader of a FootprintRequest checks first.

#include <string>
#include <utility>

#include <shardlab/errors.hpp>
#include <shardlab/footprint/footprint.hpp>

namespace shardlab {

/// Checks all of a request but its schedule, its recipe and how its states are sharded.
/// @throws invalid_argument naming the field
void require_request(const FootprintRequest& request);

/// Makes something of a request's pipeline. A pipeline's errors name its stages, which are the request's pp.
template <typename Make>
decltype(auto) of_pipeline(Make&& make) {
    try {
        return std::forward<Make>(make)();
    } catch (const invalid_argument& error) {
        throw invalid_argument(error.parameter() == "stages" ? "pp" : error.parameter(), error.value(), error.rule());
    }
}

}  // namespace shardlab
