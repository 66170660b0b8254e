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

TableBuilder::TableBuilder(std::string_view title, const PublishedSource& source, std::string_view row_header) {
    table_.title = title;
    table_.source = source;
    table_.row_header = row_header;
}

void TableBuilder::add_column(std::string_view name, std::string_view unit) {
    table_.columns.push_back({std::string(name), unit});
}

void TableBuilder::derive(const Derivation& derivation) {
    const auto known = std::find(table_.derivations.begin(), table_.derivations.end(), derivation);
    derivation_ = static_cast<std::size_t>(known - table_.derivations.begin());
    if (known == table_.derivations.end()) {
        table_.derivations.push_back(derivation);
    }
}

void TableBuilder::add(std::string_view row, std::string_view column, const PrintedNumber& expected, double got,
                       double tolerance) {
    VerifiedCell cell;
    cell.expected = expected.value;
    cell.printed = expected.text;
    cell.got = got;
    cell.tolerance = tolerance;
    add_cell(row, column, std::move(cell));
}

void TableBuilder::add_words(std::string_view row, std::string_view column, std::string_view expected,
                             std::string_view got) {
    VerifiedCell cell;
    cell.expected = std::string(expected);
    cell.printed = expected;
    cell.got = std::string(got);
    add_cell(row, column, std::move(cell));
}

void TableBuilder::add_cell(std::string_view row, std::string_view column, VerifiedCell cell) {
    cell.id = slug(row) + '.' + slug(column);
    cell.row = row_named(row);
    cell.column = column_named(column);
    cell.derivation = derivation_;
    cell.verdict = compared(cell.expected, cell.got, cell.tolerance, table_.derivations[derivation_]);
    table_.cells.push_back(std::move(cell));
}

std::size_t TableBuilder::row_named(std::string_view name) {
    const auto [entry, is_new] = rows_.try_emplace(std::string(name), table_.rows.size());
    if (is_new) {
        table_.rows.emplace_back(name);
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
