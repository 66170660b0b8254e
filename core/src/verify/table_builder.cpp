#include "table_builder.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace shardlab::verifying {
namespace {

/// Letters and digits, with a dash for whatever stands between them.
std::string slug(std::string_view words) {
    std::string text;
    bool apart = false;
    for (const char character : words) {
        const bool upper = character >= 'A' && character <= 'Z';
        const bool kept = upper || (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9');
        if (kept) {
            text += apart && !text.empty() ? "-" : "";
            text += upper ? static_cast<char>(character - 'A' + 'a') : character;
        }
        apart = !kept;
    }
    return text;
}

}  // namespace

void TableBuilder::derive(Derivation derivation) {
    const auto known = std::find(table_.derivations.begin(), table_.derivations.end(), derivation);
    derivation_ = static_cast<std::size_t>(known - table_.derivations.begin());
    if (known == table_.derivations.end()) {
        table_.derivations.push_back(std::move(derivation));
    }
}

void TableBuilder::add(const std::string& row, std::string_view column, PublishedValue expected, PublishedValue got,
                       double tolerance) {
    VerifiedCell cell;
    cell.id = slug(row) + '.' + slug(column);
    cell.row = row_named(row);
    cell.column = column_named(column);
    cell.expected = std::move(expected);
    cell.got = std::move(got);
    cell.tolerance = tolerance;
    cell.derivation = derivation_;
    cell.verdict = compared(cell.expected, cell.got, tolerance, table_.derivations[derivation_]);
    table_.cells.push_back(std::move(cell));
}

std::size_t TableBuilder::row_named(const std::string& name) {
    const auto [entry, is_new] = rows_.try_emplace(name, table_.rows.size());
    if (is_new) {
        table_.rows.push_back(name);
    }
    return entry->second;
}

std::size_t TableBuilder::column_named(std::string_view name) const {
    const auto found = std::find_if(table_.columns.begin(), table_.columns.end(),
                                    [&](const PublishedColumn& column) { return column.name == name; });
    if (found == table_.columns.end()) {
        throw std::out_of_range("no column of that name");
    }
    return static_cast<std::size_t>(found - table_.columns.begin());
}

}  // namespace shardlab::verifying
