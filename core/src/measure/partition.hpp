#pragma once

#include <span>
#include <vector>

#include "line.hpp"

namespace shardlab::measure {

/// A run of neighbouring points and its line.
struct Part {
    std::size_t first = 0;
    std::size_t count = 0;
    LineFit fit;
};

/// Points cut into parts, each with its line.
struct Partition {
    std::vector<Part> parts;
    double error = 0;  ///< sum of the relative errors over all points
};

/// The best partitions of points into 1, 2, ... up to `most` parts of at least fewest_points_of_regime points (a lone
/// part may have fewer): as many as there are points for.
/// @param points of different sizes in order
std::vector<Partition> best_partitions(std::span<const Measurement> points, int most);

}  // namespace shardlab::measure
