#pragma once

// The rows of a table that is carried, with cells by the names of its header.

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shardlab::verifying {

/// A number, and its digits as they are printed.
struct PrintedNumber {
    double value = 0;
    std::string text;
};

/// A row. A cell that is not there is a mistake in the table, which std::out_of_range and std::bad_optional_access
/// tell.
class CsvRow {
public:
    explicit CsvRow(std::map<std::string, std::string> cells) : cells_(std::move(cells)) {}

    const std::string& text(std::string_view column) const;
    double number(std::string_view column) const;
    int whole(std::string_view column) const { return static_cast<int>(number(column)); }

    PrintedNumber printed(std::string_view column) const { return {number(column), text(column)}; }

    /// Half a unit of a number's last printed digit.
    double rounding(std::string_view column) const;

private:
    std::map<std::string, std::string> cells_;
};

/// Words one behind the other.
std::string joined(std::initializer_list<std::string_view> words);

/// All rows but the header's.
std::vector<CsvRow> csv_rows(std::string_view csv);

}  // namespace shardlab::verifying
