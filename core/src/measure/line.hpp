#pragma once

#include <cstddef>
#include <span>

#include <shardlab/measure/runs.hpp>

namespace shardlab::measure {

/// seconds = latency + bytes · seconds_per_byte, both at least 0.
struct Line {
    double latency = 0;
    double seconds_per_byte = 0;

    double seconds(double bytes) const { return latency + bytes * seconds_per_byte; }
};

/// |fitted - measured| / measured.
double relative_error(double fitted, double measured);

/// A line through points, and what it leaves.
struct LineFit {
    Line line;
    double error = 0;       ///< sum of the relative errors
    std::size_t pivot = 0;  ///< a point that the line goes through, to begin from where a point more is fitted
};

/// The line with the smallest sum of relative errors.
///
/// The best line goes through two points, or through one with a latency or a slope of 0. So a line is turned
/// about a point that it goes through, to where the sum is smallest, which is at another point (a weighted median);
/// then about that one, as long as the sum falls. Where it no longer does for any point on the line, the sum is the
/// smallest of all, since it is convex.
/// Source: Karst, "Linear curve fitting using least deviations", JASA 53 (1958), and Wesolowsky, "A new descent
/// algorithm for the least absolute value regression problem", Communications in Statistics B 10 (1981).
/// @param points at least one, of different sizes in order
/// @param pivot the point to begin with
LineFit fit_line(std::span<const Measurement> points, std::size_t pivot);

}  // namespace shardlab::measure
