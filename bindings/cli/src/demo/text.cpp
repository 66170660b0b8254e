#include "text.hpp"

#include <cstdio>
#include <sstream>

#include <shardlab/errors.hpp>

namespace shardlab::cli {

void write_heading(std::ostream& out, const std::string& text) {
    out << '\n' << text << '\n' << std::string(text.size(), '=') << "\n\n";
}

void write_paragraph(std::ostream& out, const std::string& text) {
    constexpr std::size_t width = 96;
    std::istringstream words(text);
    std::string word;
    std::string line;
    while (words >> word) {
        if (!line.empty() && line.size() + 1 + word.size() > width) {
            out << line << '\n';
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    out << line << "\n\n";
}

std::string left(const std::string& text, std::size_t width) {
    return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

std::string right(const std::string& text, std::size_t width) {
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string right(double number, std::size_t width) {
    return right(number_text(number), width);
}

std::string spaced(std::span<const double> numbers) {
    std::string text;
    for (const double number : numbers) {
        text += (text.empty() ? "" : " ") + number_text(number);
    }
    return text;
}

std::string listed(std::span<const double> numbers) {
    std::string text;
    for (std::size_t index = 0; index < numbers.size(); ++index) {
        const char* const separator = index == 0 ? "" : index + 1 == numbers.size() ? " and " : ", ";
        text += separator + number_text(numbers[index]);
    }
    return text;
}

std::string fixed(double number, int decimals) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, number);
    return text;
}

}  // namespace shardlab::cli
