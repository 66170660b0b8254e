#include "fault_words.hpp"

#include <algorithm>

#include "../text.hpp"

namespace shardlab::collective {

FaultWords fault_words(std::string_view text, std::span<const char* const> names) {
    FaultWords words;
    words.count = 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), ':'));
    const std::string_view first = reading::taken(text, ':');
    words.kind = static_cast<std::size_t>(std::find(names.begin(), names.end(), first) - names.begin());
    words.second = reading::taken(text, ':');
    words.third = reading::taken(text, ':');
    return words;
}

int whole_from(std::string_view digits) {
    constexpr std::size_t most_digits = 9;
    if (digits.empty() || digits.size() > most_digits) {
        return -1;
    }
    int number = 0;
    for (const char digit : digits) {
        if (digit < '0' || digit > '9') {
            return -1;
        }
        number = 10 * number + (digit - '0');
    }
    return number;
}

}  // namespace shardlab::collective
