#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "../../text.hpp"
#include "../check.hpp"
#include "action.hpp"

namespace shardlab::notation {
namespace {

struct Word {
    std::string_view word;
    Letters letters;
};

constexpr std::array<Word, 5> work{
    {{"F", Letters::f}, {"B", Letters::b}, {"I", Letters::i}, {"W", Letters::w}, {"BW", Letters::bw}}};
constexpr std::array<std::string_view, 4> communication{"SEND_F", "RECV_F", "SEND_B", "RECV_B"};
constexpr std::array<std::string_view, 3> sharding{"UNSHARD", "RESHARD", "REDUCE_GRAD"};
constexpr std::string_view overlap = "OVERLAP_F_B";

template <typename Words>
bool has(const Words& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

class Cell {
public:
    Cell(std::string_view text, int row, int cell) : whole_(text), rest_(text), row_(row), cell_(cell) {}

    void read(Actions& actions) {
        if (take('(')) {
            read_pair(actions);
        } else {
            read_single(actions);
        }
        skip_blanks();
        require(rest_.empty());
    }

private:
    void read_pair(Actions& actions) {
        Action first = read_work(number("a stage"));
        require(take(';'));
        Action second = read_work(number("a stage"));
        require(take(')') && word() == overlap);
        if (first.letters != Letters::f) {
            std::swap(first, second);
        }
        if (first.letters != Letters::f || !goes_back(second.letters)) {
            refuse("overlap one forward with one backward or input gradient, as in (0F1;1B0)OVERLAP_F_B");
        }
        first.overlaps_next = true;
        actions.work.push_back(first);
        actions.work.push_back(second);
    }

    static bool goes_back(Letters letters) { return letters != Letters::f && letters != Letters::w; }

    void read_single(Actions& actions) {
        const int stage = number("a stage");
        const std::string name = word();
        if (has(communication, name)) {
            number("a micro-batch");
            ++actions.communication;
        } else if (has(sharding, name)) {
            optional_number();
            ++actions.sharding;
        } else {
            actions.work.push_back(read_work(stage, name));
        }
    }

    Action read_work(int stage) { return read_work(stage, word()); }

    Action read_work(int stage, const std::string& name) {
        const auto known =
            std::find_if(work.begin(), work.end(), [&](const Word& candidate) { return candidate.word == name; });
        require(known != work.end());
        return {known->letters, false, stage, number("a micro-batch"), row_, cell_};
    }

    void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(reading::blanks), rest_.size())); }

    bool take(char character) {
        skip_blanks();
        const bool there = !rest_.empty() && rest_.front() == character;
        rest_.remove_prefix(there ? 1 : 0);
        return there;
    }

    /// In capitals, whatever it is written in.
    std::string word() {
        skip_blanks();
        std::string result;
        while (!rest_.empty() && result.size() <= overlap.size()) {
            const char character = rest_.front();
            const bool small = character >= 'a' && character <= 'z';
            if (!small && character != '_' && (character < 'A' || character > 'Z')) {
                break;
            }
            result += small ? static_cast<char>(character - 'a' + 'A') : character;
            rest_.remove_prefix(1);
        }
        return result;
    }

    int number(const std::string& what) {
        const std::optional<int> value = optional_number();
        if (!value) {
            refuse("have " + what + " where a number belongs, as in 0F0");
        }
        return *value;
    }

    std::optional<int> optional_number() {
        skip_blanks();
        if (rest_.empty() || !is_digit(rest_.front())) {
            return std::nullopt;
        }
        double value = 0;
        while (!rest_.empty() && is_digit(rest_.front())) {
            constexpr int ten = 10;
            value = std::min(ten * value + (rest_.front() - '0'), most_operations);
            rest_.remove_prefix(1);
        }
        if (value >= most_operations) {
            refuse("number stages and micro-batches below 16777216");
        }
        return static_cast<int>(value);
    }

    void require(bool holds) const {
        if (!holds) {
            refuse("have cells such as 0F0, 0B0, 0I0, 0W0, 0BW0, (0F1;1B0)OVERLAP_F_B, 0SEND_F0 or 0UNSHARD");
        }
    }

    [[noreturn]] void refuse(const std::string& rule) const {
        pipeline::refuse(reading::quoted(whole_) + place(row_, cell_), rule);
    }

    std::string_view whole_;
    std::string_view rest_;
    int row_;
    int cell_;
};

}  // namespace

std::string place(int row, int cell) {
    return " in row " + std::to_string(row + 1) + ", cell " + std::to_string(cell + 1);
}

void read_cell(std::string_view text, int row, int cell, Actions& actions) {
    const std::string_view trimmed = reading::trimmed(text);
    if (!trimmed.empty()) {
        Cell(trimmed, row, cell).read(actions);
    }
}

}  // namespace shardlab::notation
