#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <shardlab/csv.hpp>
#include <shardlab/errors.hpp>

#include "text.hpp"

namespace shardlab {
namespace {

class Reader {
public:
    explicit Reader(std::string_view parameter) : parameter_(parameter) {}

    void read_line(std::string_view line) {
        ++line_;
        // An empty last cell still counts, so the separators decide how many cells there are.
        std::size_t column = 0;
        bool more = true;
        while (more) {
            more = line.find(',') != std::string_view::npos;
            values_.push_back(number(reading::trimmed(reading::taken(line, ',')), ++column));
            if (static_cast<double>(values_.size()) > largest_array) {
                refuse("over " + number_text(largest_array) + " numbers",
                       "have at most " + number_text(largest_array) + " numbers");
            }
        }
        if (columns_ == 0) {
            columns_ = column;
        }
        if (column != columns_) {
            refuse(std::to_string(column) + " numbers in line " + std::to_string(line_),
                   "have rows of equal length; the first has " + std::to_string(columns_));
        }
    }

    Matrix matrix() const {
        Matrix result = zeros(parameter_, static_cast<double>(line_), static_cast<double>(columns_));
        std::copy(values_.begin(), values_.end(), result.begin());
        return result;
    }

    [[noreturn]] void refuse(const std::string& value, const std::string& rule) const {
        throw invalid_argument(parameter_, value, rule);
    }

private:
    double number(std::string_view cell, std::size_t column) const {
        const std::optional<double> value = reading::number(cell);
        if (!value) {
            refuse(reading::quoted(cell) + " in line " + std::to_string(line_) + ", column " + std::to_string(column),
                   "have a finite decimal number in every cell, separated by commas");
        }
        return *value;
    }

    std::string parameter_;
    std::size_t line_ = 0;
    std::size_t columns_ = 0;
    std::vector<double> values_;
};

}  // namespace

Matrix matrix_from_csv(std::string_view csv, std::string_view parameter) {
    std::string_view rest = reading::without_byte_order_mark(csv);
    Reader reader(parameter);
    const std::size_t last = rest.find_last_not_of(reading::blanks);
    if (last == std::string_view::npos) {
        reader.refuse("empty", "have at least one row of numbers");
    }
    rest = rest.substr(0, last + 1);
    while (!rest.empty()) {
        reader.read_line(reading::taken(rest, '\n'));
    }
    return reader.matrix();
}

}  // namespace shardlab
