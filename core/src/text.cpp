#include "text.hpp"

#include "decimal.hpp"

namespace shardlab::reading {

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

std::string quoted(std::string_view cell) {
    constexpr std::size_t longest = 40;
    std::string shown = "\"";
    for (const char character : cell.substr(0, longest)) {
        const bool printable = character >= ' ' && character <= '~';
        shown += printable ? character : '?';
    }
    return shown + (cell.size() > longest ? "...\"" : "\"");
}

std::string_view taken(std::string_view& text, char separator) {
    const std::size_t end = text.find(separator);
    const std::string_view head = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    return head;
}

std::vector<std::string> csv_cells(std::string_view line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t index = 0; index < line.size(); ++index) {
        const char character = line[index];
        if (character == '"' && quoted && line.substr(index + 1, 1) == "\"") {
            cells.back() += '"';
            ++index;
        } else if (character == '"') {
            quoted = !quoted;
        } else if (character == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += character;
        }
    }
    for (std::string& cell : cells) {
        cell = std::string(trimmed(cell));
    }
    return cells;
}

std::optional<double> number(std::string_view text) {
    // Spreadsheets write a plus sign.
    const bool plus = text.substr(0, 1) == "+" && text.substr(1, 1) != "-";
    return decimal(text.substr(plus ? 1 : 0));
}

}  // namespace shardlab::reading
