#pragma once

// What every reader of text needs.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlab::reading {

inline constexpr std::string_view blanks = " \t\r\n";

/// Without the blanks at both ends.
std::string_view trimmed(std::string_view text);

/// Without the mark that some editors put before the first line.
std::string_view without_byte_order_mark(std::string_view text);

/// A cell as it may stand in a message: printable, and short.
std::string quoted(std::string_view cell);

/// Cuts the text up to a separator off its front.
std::string_view taken(std::string_view& text, char separator);

/// Cuts a line at its commas, save those between quotes; two quotes in a quoted cell are one. Cells are trimmed.
std::vector<std::string> csv_cells(std::string_view line);

/// The finite decimal number that a whole text spells, with or without a plus sign.
std::optional<double> number(std::string_view text);

}  // namespace shardlab::reading
