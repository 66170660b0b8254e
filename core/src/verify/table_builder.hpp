#pragma once

// A table while its cells are computed.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include <shardlab/verify.hpp>

namespace shardlab::verifying {

/// Why most numbers differ.
inline constexpr const char* half_a_digit = "half a unit of the last printed digit";

class TableBuilder {
public:
    /// @param about the table's words and columns
    explicit TableBuilder(VerifiedTable about) : table_(std::move(about)) {}

    /// The derivation of the cells that are added from here on.
    void derive(Derivation derivation);

    /// Adds a cell to the row and the column of these names; the row if it is new.
    void add(const std::string& row, std::string_view column, PublishedValue expected, PublishedValue got,
             double tolerance = 0);

    VerifiedTable finish() && { return std::move(table_); }

private:
    std::size_t row_named(const std::string& name);
    std::size_t column_named(std::string_view name) const;

    VerifiedTable table_;
    std::size_t derivation_ = 0;
    std::map<std::string, std::size_t> rows_;
};

}  // namespace shardlab::verifying
