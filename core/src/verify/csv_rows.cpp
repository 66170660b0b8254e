#include "csv_rows.hpp"

#include <algorithm>
#include <utility>

#include "../text.hpp"

namespace shardlab::verifying {

const std::string& CsvRow::text(std::string_view column) const {
    return cells_.at(std::string(column));
}

double CsvRow::number(std::string_view column) const {
    return reading::number(text(column)).value();
}

double CsvRow::rounding(std::string_view column) const {
    const std::string& printed = text(column);
    const std::size_t point = std::min(printed.find('.'), printed.size());
    double half = 0.5;
    for (std::size_t decimal = point; decimal + 1 < printed.size(); ++decimal) {
        half /= 10;
    }
    return half;
}

std::string joined(std::initializer_list<std::string_view> words) {
    std::string text;
    for (const std::string_view word : words) {
        text += word;
    }
    return text;
}

std::vector<CsvRow> csv_rows(std::string_view csv) {
    const std::vector<std::string> header = reading::csv_cells(reading::taken(csv, '\n'));
    std::vector<CsvRow> rows;
    while (!csv.empty()) {
        std::vector<std::string> cells = reading::csv_cells(reading::taken(csv, '\n'));
        std::map<std::string, std::string> named;
        for (std::size_t column = 0; column < header.size(); ++column) {
            named.emplace(header[column], std::move(cells.at(column)));
        }
        rows.emplace_back(std::move(named));
    }
    return rows;
}

}  // namespace shardlab::verifying
