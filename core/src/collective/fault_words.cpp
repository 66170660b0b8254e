#include "fault_words.hpp"

namespace shardlab::collective {

std::vector<std::string_view> fault_words(std::string_view text) {
    std::vector<std::string_view> words;
    while (true) {
        const std::size_t colon = text.find(':');
        words.push_back(text.substr(0, colon));
        if (colon == std::string_view::npos) {
            return words;
        }
        text.remove_prefix(colon + 1);
    }
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
