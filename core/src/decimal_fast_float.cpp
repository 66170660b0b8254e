#include <cmath>

#include <fast_float/fast_float.h>

#include "decimal.hpp"

namespace shardlab::reading {

std::optional<double> decimal(std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = fast_float::from_chars(text.data(), end, value);
    // Some versions report a number that is too small for a double as out of range; it is 0.
    const bool is_number = error == std::errc() || (error == std::errc::result_out_of_range && value == 0);
    if (!is_number || rest != end || !std::isfinite(value)) {
        return std::nullopt;
    }
    return value;
}

}  // namespace shardlab::reading
