#pragma once

/// @file
/// A simulated pipeline as a drawing.

#include <string>

#include "answers.hpp"

namespace shardlab::cli {

/// A Gantt chart as SVG: a row a device, a cell an operation in the colour of its kind, with the micro-batch's number
/// where there is room. Of a pair that overlaps, the first is the upper half of the cell.
///
/// Its size is bounded: where cells would be too narrow, the kinds stand on each other in slices of time, as high as
/// their share of it; of more devices than there are rows, one of every few is shown, and the drawing says so.
std::string gantt_svg(const Simulated& simulated, const std::string& title);

}  // namespace shardlab::cli
