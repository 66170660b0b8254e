#pragma once

// Published tables as rows of cells: comma-separated text, where a cell in quotes may hold commas.

#include <string>
#include <string_view>
#include <vector>

inline std::vector<std::string> cells_of_line(std::string_view line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char character : line) {
        if (character == '"') {
            quoted = !quoted;
        } else if (character == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += character;
        }
    }
    return cells;
}

/// The rows of a table without its header.
inline std::vector<std::vector<std::string>> table_rows(std::string_view text) {
    std::vector<std::vector<std::string>> rows;
    text.remove_prefix(text.find('\n') + 1);
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        rows.push_back(cells_of_line(text.substr(0, end)));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return rows;
}
