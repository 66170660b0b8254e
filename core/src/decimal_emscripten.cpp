#include <cmath>
#include <cstdlib>
#include <string>

#include "decimal.hpp"

namespace shardlab::reading {

// fast_float would be an eighth of what a browser fetches. Emscripten's own strtod rounds correctly too and knows one
// locale; but it also takes blanks, plus signs, hexadecimal digits and words.
std::optional<double> decimal(std::string_view text) {
    const bool is_decimal =
        !text.empty() && text.front() != '+' && text.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
    if (!is_decimal) {
        return std::nullopt;
    }
    const std::string terminated(text);
    char* rest = nullptr;
    const double value = std::strtod(terminated.c_str(), &rest);
    if (rest != terminated.c_str() + terminated.size() || !std::isfinite(value)) {
        return std::nullopt;
    }
    return value;
}

}  // namespace shardlab::reading
