#include "refuse.hpp"

#include <string>

#include <shardlab/errors.hpp>

namespace shardlab {
namespace {

/// The text with its marks replaced; goes on to the numbers after those that it took.
std::string filled(std::string_view text, const double*& number) {
    std::string result;
    for (const char character : text) {
        if (character == '#') {
            result += number_text(*number++);
        } else {
            result += character;
        }
    }
    return result;
}

}  // namespace

void refuse(std::string_view parameter, std::string_view value, std::string_view rule,
            std::initializer_list<double> numbers) {
    const double* number = numbers.begin();
    const std::string filled_value = filled(value, number);
    throw invalid_argument(std::string(parameter), filled_value, filled(rule, number));
}

}  // namespace shardlab
