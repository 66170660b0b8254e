#pragma once

/// @file
/// Tensors as comma-separated text: a row per rank.

#include <string_view>

#include <shardlab/array.hpp>

namespace shardlab {

/// Reads comma-separated numbers, one row of the matrix a line.
///
/// Spaces around a number, Windows line ends, a byte order mark and blank lines at the end are passed over. There is
/// no header line.
/// @param parameter named in errors
/// @return shape (lines, numbers in a line)
/// @throws invalid_argument that names the line and the column: no rows, a cell that is no finite decimal number, a
///         blank line between rows, a row of another length than the first, more than largest_array numbers
Matrix matrix_from_csv(std::string_view csv, std::string_view parameter = "input");

}  // namespace shardlab
