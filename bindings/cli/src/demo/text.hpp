#pragma once

/// @file
/// Text for a terminal: headings, paragraphs and columns.

#include <ostream>
#include <span>
#include <string>

namespace shardlab::cli {

/// A blank line, and a line that is underlined.
void write_heading(std::ostream& out, const std::string& text);

/// A paragraph, broken between words to fit 96 columns, and a blank line.
void write_paragraph(std::ostream& out, const std::string& text);

/// Text that fills at least `width` columns, at the left end of them.
std::string left(const std::string& text, std::size_t width);

/// Text that fills at least `width` columns, at the right end of them.
std::string right(const std::string& text, std::size_t width);

/// A number at the right end of `width` columns.
std::string right(double number, std::size_t width);

/// Numbers between blanks.
std::string spaced(std::span<const double> numbers);

/// Numbers as in a sentence: `1, 10 and 100`.
std::string listed(std::span<const double> numbers);

/// A number to so many decimals.
std::string fixed(double number, int decimals);

}  // namespace shardlab::cli
