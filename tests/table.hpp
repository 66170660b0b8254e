#pragma once

// Rows of an embedded CSV table as text: no quotes but around a last column of words, which is left out.

#include <string>
#include <string_view>
#include <vector>

/// The cells of each row but the header's, up to the `columns`-th.
inline std::vector<std::vector<std::string>> table_rows(std::string_view table, std::size_t columns) {
    std::vector<std::vector<std::string>> rows;
    table.remove_prefix(table.find('\n') + 1);
    while (!table.empty()) {
        std::string_view line = table.substr(0, table.find('\n'));
        table.remove_prefix(line.size() + 1);
        std::vector<std::string>& cells = rows.emplace_back();
        for (std::size_t column = 0; column < columns; ++column) {
            const std::size_t comma = line.find(',');
            cells.emplace_back(line.substr(0, comma));
            line.remove_prefix(comma + 1);
        }
    }
    return rows;
}
