#include "stage_times.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "../files.hpp"
#include "../numbers.hpp"

namespace shardlab::cli {
namespace {

constexpr std::size_t absent = static_cast<std::size_t>(-1);

[[noreturn]] void refuse(const std::string& value, const std::string& rule) {
    throw invalid_argument("stage_times", value, rule);
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string_view taken(std::string_view& text, char separator) {
    const std::size_t end = text.find(separator);
    const std::string_view head = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    return head;
}

std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    while (true) {
        const bool more = line.find(',') != std::string_view::npos;
        cells.push_back(trimmed(taken(line, ',')));
        if (!more) {
            return cells;
        }
    }
}

/// Which cell of a row holds which time.
struct Columns {
    std::size_t forward = absent;
    std::size_t backward = absent;
    std::size_t input_grad = absent;
    std::size_t weight_grad = absent;
    std::size_t overlapped = absent;
    std::size_t count = 0;
};

std::size_t& column_named(Columns& columns, std::string_view name) {
    if (name == "forward") {
        return columns.forward;
    }
    if (name == "backward") {
        return columns.backward;
    }
    if (name == "input_grad") {
        return columns.input_grad;
    }
    if (name == "weight_grad") {
        return columns.weight_grad;
    }
    if (name == "overlapped") {
        return columns.overlapped;
    }
    refuse("a column " + shown(name),
           "name its columns in the first line: forward, and backward or input_grad and weight_grad, and overlapped");
}

Columns columns_in(std::string_view header) {
    Columns columns;
    for (const std::string_view name : cells_of(header)) {
        std::size_t& column = column_named(columns, name);
        if (column != absent) {
            refuse("two columns " + std::string(name), "name each column once");
        }
        column = columns.count++;
    }
    const bool split = columns.input_grad != absent && columns.weight_grad != absent;
    const bool any_split = columns.input_grad != absent || columns.weight_grad != absent;
    const bool whole = columns.backward != absent;
    if (columns.forward == absent || whole == any_split || split != any_split) {
        refuse("the first line " + shown(header),
               "name the columns forward, and either backward or both input_grad "
               "and weight_grad");
    }
    return columns;
}

/// One row of numbers.
class Row {
public:
    Row(const std::vector<std::string_view>& cells, std::size_t line) : cells_(cells), line_(line) {}

    OperationTimes times(const Columns& columns) const {
        const double forward = number(columns.forward);
        OperationTimes times = columns.backward != absent ? whole_times(forward, whole_backward(columns.backward))
                                                          : gradients(forward, columns);
        if (columns.overlapped != absent) {
            times.overlapped = number(columns.overlapped);
        }
        return times;
    }

private:
    double number(std::size_t column) const {
        const double value = number_from_text(cells_[column]);
        if (!std::isfinite(value)) {
            refuse(with_place(column), "have a finite number in every cell");
        }
        if (value < shortest_time || value > longest_time) {
            refuse(with_place(column), "have a time from " + number_text(shortest_time) + " to " +
                                           number_text(longest_time) + " in every cell");
        }
        return value;
    }

    double whole_backward(std::size_t column) const {
        const double value = number(column);
        if (value / 2 < shortest_time) {
            refuse(with_place(column),
                   "have a backward of at least " + number_text(2 * shortest_time) + ", half of it for each gradient");
        }
        return value;
    }

    OperationTimes gradients(double forward, const Columns& columns) const {
        const OperationTimes times = split_times(forward, number(columns.input_grad), number(columns.weight_grad));
        if (times.backward > longest_time) {
            refuse(with_place(columns.input_grad) + " and " + with_place(columns.weight_grad),
                   "have two gradients of at most " + number_text(longest_time) + " together");
        }
        return times;
    }

    std::string with_place(std::size_t column) const {
        return shown(cells_[column]) + " in line " + std::to_string(line_) + ", column " + std::to_string(column + 1);
    }

    const std::vector<std::string_view>& cells_;
    std::size_t line_;
};

std::string_view content_of(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    text.remove_prefix(text.starts_with(mark) ? mark.size() : 0);
    return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

}  // namespace

std::vector<OperationTimes> stage_times(const Options& options) {
    constexpr std::size_t largest_file = std::size_t{1} << 24U;
    const std::string text = file_text(options, "stage_times", largest_file);
    std::string_view rest = content_of(text);
    const Columns columns = columns_in(trimmed(taken(rest, '\n')));
    std::vector<OperationTimes> rows;
    for (std::size_t line = 2; !rest.empty(); ++line) {
        const std::vector<std::string_view> cells = cells_of(taken(rest, '\n'));
        if (cells.size() != columns.count) {
            refuse(std::to_string(cells.size()) + " cells in line " + std::to_string(line),
                   "have a cell for each of the " + std::to_string(columns.count) + " columns");
        }
        rows.push_back(Row(cells, line).times(columns));
    }
    if (rows.empty()) {
        refuse("without rows", "have a row for each model part or each device below its first line");
    }
    return rows;
}

}  // namespace shardlab::cli
