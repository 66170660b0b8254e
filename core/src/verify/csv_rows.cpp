#include "csv_rows.hpp"

#include <cmath>
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
    const std::size_t point = printed.find('.');
    const std::size_t decimals = point == std::string::npos ? 0 : printed.size() - point - 1;
    return 0.5 * std::pow(10, -static_cast<double>(decimals));
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
