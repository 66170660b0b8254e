#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fast_float/fast_float.h>

#include <shardlab/csv.hpp>
#include <shardlab/errors.hpp>

namespace shardlab {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.substr(0, mark.size()) == mark ? text.substr(mark.size()) : text;
}

/// A cell as it may stand in a message: printable, and short.
std::string quoted(std::string_view cell) {
    constexpr std::size_t longest = 40;
    std::string shown = "\"";
    for (const char character : cell.substr(0, longest)) {
        const bool printable = character >= ' ' && character <= '~';
        shown += printable ? character : '?';
    }
    return shown + (cell.size() > longest ? "...\"" : "\"");
}

/// Cuts the text up to a separator off its front.
std::string_view taken(std::string_view& text, char separator) {
    const std::size_t end = text.find(separator);
    const std::string_view head = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    return head;
}

class Reader {
public:
    explicit Reader(std::string_view parameter) : parameter_(parameter) {}

    void read_line(std::string_view text) {
        ++line_;
        // An empty last cell still counts, so the separators decide how many cells there are.
        std::size_t column = 0;
        bool more = true;
        while (more) {
            more = text.find(',') != std::string_view::npos;
            values_.push_back(number(trimmed(taken(text, ',')), ++column));
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
        // The parser takes no plus sign; spreadsheets write one.
        const bool plus = cell.substr(0, 1) == "+" && cell.substr(1, 1) != "-";
        const std::string_view digits = cell.substr(plus ? 1 : 0);
        double value = 0;
        const char* const end = digits.data() + digits.size();
        const auto [rest, error] = fast_float::from_chars(digits.data(), end, value);
        // Some versions report a number that is too small for a double as out of range; it is 0.
        const bool is_number = error == std::errc() || (error == std::errc::result_out_of_range && value == 0);
        if (!is_number || rest != end || !std::isfinite(value)) {
            refuse(quoted(cell) + " in line " + std::to_string(line_) + ", column " + std::to_string(column),
                   "have a finite decimal number in every cell, separated by commas");
        }
        return value;
    }

    std::string parameter_;
    std::size_t line_ = 0;
    std::size_t columns_ = 0;
    std::vector<double> values_;
};

}  // namespace

Matrix matrix_from_csv(std::string_view text, std::string_view parameter) {
    std::string_view rest = without_byte_order_mark(text);
    Reader reader(parameter);
    const std::size_t last = rest.find_last_not_of(blanks);
    if (last == std::string_view::npos) {
        reader.refuse("empty", "have at least one row of numbers");
    }
    rest = rest.substr(0, last + 1);
    while (!rest.empty()) {
        reader.read_line(taken(rest, '\n'));
    }
    return reader.matrix();
}

}  // namespace shardlab
