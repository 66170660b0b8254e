#pragma once

// A table while its cells are computed.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include <shardlab/verify.hpp>

#include "csv_rows.hpp"

namespace shardlab::verifying {

/// Why most numbers differ.
inline constexpr std::string_view half_a_digit = "half a unit of the last printed digit";

class TableBuilder {
public:
    /// @param row_header what its rows are
    TableBuilder(std::string_view title, const PublishedSource& source, std::string_view row_header);

    void add_column(std::string_view name, std::string_view unit = "");

    /// The derivation of the cells that are added from here on.
    void derive(const Derivation& derivation);

    /// Adds a cell to the row and the column of these names; the row if it is new.
    void add(std::string_view row, std::string_view column, const PrintedNumber& expected, double got,
             double tolerance = 0);

    /// The same of words.
    void add_words(std::string_view row, std::string_view column, std::string_view expected, std::string_view got);

    VerifiedTable finish() && { return std::move(table_); }

private:
    void add_cell(std::string_view row, std::string_view column, VerifiedCell cell);
    std::size_t row_named(std::string_view name);
    std::size_t column_named(std::string_view name) const;

    VerifiedTable table_;
    std::size_t derivation_ = 0;
    std::map<std::string, std::size_t> rows_;
};

}  // namespace shardlab::verifying
