#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <shardlab/errors.hpp>
#include <shardlab/pipeline/notation.hpp>

#include "../../text.hpp"
#include "../check.hpp"
#include "action.hpp"

namespace shardlab {
namespace {

using notation::Action;
using notation::Actions;
using notation::Letters;
using pipeline::refuse;

OperationKind newer_kind(Letters letters) {
    switch (letters) {
        case Letters::f:
            return OperationKind::forward;
        case Letters::i:
            return OperationKind::input_gradient;
        case Letters::w:
            return OperationKind::weight_gradient;
        default:
            return OperationKind::backward;
    }
}

OperationKind older_kind(Letters letters) {
    return letters == Letters::b ? OperationKind::input_gradient : newer_kind(letters);
}

/// The first cell that holds these letters, or nothing.
const Action* first_with(const std::vector<Action>& actions, Letters letters) {
    const auto found =
        std::find_if(actions.begin(), actions.end(), [&](const Action& action) { return action.letters == letters; });
    return found == actions.end() ? nullptr : &*found;
}

std::string with_place(const Action& action, const char* letters) {
    return std::to_string(action.stage) + letters + std::to_string(action.micro_batch) +
           notation::place(action.row, action.cell);
}

/// What the cells say by themselves. A W is of a backward in two, whose other half, where there is no I, can only be
/// the B of the older letters; a B without any W can only be whole.
BackwardLetters found_letters(const std::vector<Action>& actions) {
    const Action* const i = first_with(actions, Letters::i);
    const Action* const bw = first_with(actions, Letters::bw);
    if (i != nullptr && bw != nullptr) {
        refuse(with_place(*i, "I") + " and " + with_place(*bw, "BW"),
               "keep to one notation: I and B, or B and BW, for an input gradient and a whole backward");
    }
    const bool newer = i != nullptr || (bw == nullptr && first_with(actions, Letters::w) == nullptr);
    return newer ? BackwardLetters::pytorch : BackwardLetters::zero_bubble;
}

/// Refuses letters that the notation does not have.
void require_letters(const std::vector<Action>& actions, BackwardLetters letters) {
    const bool newer = letters == BackwardLetters::pytorch;
    const Action* const foreign = first_with(actions, newer ? Letters::bw : Letters::i);
    if (foreign != nullptr) {
        refuse(with_place(*foreign, newer ? "BW" : "I"),
               newer ? "have no BW in the notation pytorch, where B is the whole backward"
                     : "have no I in the notation zero-bubble, where B is the input gradient");
    }
}

void require_number_of_rows(std::size_t rows) {
    if (rows > static_cast<std::size_t>(most_stages)) {
        refuse(std::to_string(rows) + " rows", "have at most " + std::to_string(most_stages) + ", one a device");
    }
}

void read_cell(std::string_view text, std::size_t row, std::size_t index, Actions& actions) {
    notation::read_cell(text, static_cast<int>(row), static_cast<int>(index), actions);
    if (static_cast<double>(actions.work.size()) > most_operations) {
        refuse("over " + number_text(most_operations) + " operations", "have at most " + number_text(most_operations));
    }
}

/// Rows up to the last that has a cell which is not empty.
std::size_t rows_in_use(const std::vector<std::vector<std::string_view>>& rows) {
    const auto is_used = [](const std::vector<std::string_view>& row) {
        return std::any_of(row.begin(), row.end(),
                           [](std::string_view cell) { return !reading::trimmed(cell).empty(); });
    };
    return static_cast<std::size_t>(std::find_if(rows.rbegin(), rows.rend(), is_used).base() - rows.begin());
}

void require_rows(const std::vector<std::vector<Operation>>& lists) {
    for (std::size_t row = 0; row < lists.size(); ++row) {
        if (lists[row].empty()) {
            refuse("nothing to compute in row " + std::to_string(row + 1), "have a stage for each device");
        }
    }
}

PipelineSchedule schedule_of(std::vector<Action> actions, std::size_t rows, OperationKind (*kind)(Letters)) {
    PipelineSchedule schedule;
    schedule.stages = static_cast<int>(rows);
    schedule.operations.resize(rows);
    for (const Action& action : actions) {
        schedule.operations[static_cast<std::size_t>(action.row)].emplace_back(
            kind(action.letters), action.stage, action.micro_batch, action.overlaps_next);
    }
    notation::require_all(actions, kind);
    require_rows(schedule.operations);
    schedule.micro_batches = actions.back().micro_batch + 1;
    schedule.placement.resize(static_cast<std::size_t>(actions.back().stage) + 1);
    for (const Action& action : actions) {
        schedule.placement[static_cast<std::size_t>(action.stage)] = action.row;
    }
    return schedule;
}

ReadSchedule read(Actions actions, std::size_t rows, std::optional<BackwardLetters> letters) {
    ReadSchedule result;
    result.letters_found = !letters.has_value();
    result.letters = letters ? *letters : found_letters(actions.work);
    require_letters(actions.work, result.letters);
    result.communication_actions = actions.communication;
    result.sharding_actions = actions.sharding;
    result.schedule = schedule_of(std::move(actions.work), rows,
                                  result.letters == BackwardLetters::pytorch ? newer_kind : older_kind);
    return result;
}

std::string cells(const std::vector<Operation>& operations) {
    std::string line;
    for (std::size_t index = 0; index < operations.size(); ++index) {
        line += index == 0 ? "" : ",";
        if (operations[index].overlaps_next) {
            line += '(' + cell(operations[index]) + ';' + cell(operations[index + 1]) + ")OVERLAP_F_B";
            ++index;
        } else {
            line += cell(operations[index]);
        }
    }
    return line + '\n';
}

}  // namespace

BackwardLetters backward_letters_from_name(std::string_view name) {
    if (name == "zero-bubble" || name == "b-w") {
        return BackwardLetters::zero_bubble;
    }
    if (name == "pytorch" || name == "i-w") {
        return BackwardLetters::pytorch;
    }
    throw invalid_argument("notation", std::string(name), "be zero-bubble (or b-w) or pytorch (or i-w)");
}

ReadSchedule read_schedule(const std::vector<std::vector<std::string_view>>& rows,
                           std::optional<BackwardLetters> letters) {
    const std::size_t used = rows_in_use(rows);
    require_number_of_rows(used);
    Actions actions;
    for (std::size_t row = 0; row < used; ++row) {
        for (std::size_t index = 0; index < rows[row].size(); ++index) {
            read_cell(rows[row][index], row, index, actions);
        }
    }
    return read(std::move(actions), used, letters);
}

ReadSchedule read_schedule_csv(std::string_view csv, std::optional<BackwardLetters> letters) {
    constexpr std::string_view nothing = ", \t\r\n";
    std::string_view rest = reading::without_byte_order_mark(csv);
    rest = rest.substr(0, rest.find_last_not_of(nothing) + 1);
    Actions actions;
    std::size_t rows = 0;
    for (; !rest.empty(); ++rows) {
        std::string_view line = reading::taken(rest, '\n');
        for (std::size_t index = 0; !line.empty(); ++index) {
            read_cell(reading::taken(line, ','), rows, index, actions);
        }
        require_number_of_rows(rows + 1);
    }
    return read(std::move(actions), rows, letters);
}

std::string schedule_csv(const PipelineSchedule& schedule) {
    require_complete(schedule);
    if (schedule.replicas != 1) {
        refuse(std::to_string(schedule.replicas) + " replicas of the model",
               "have one: comma-separated text does not tell replicas apart");
    }
    require_rows(schedule.operations);
    std::string text;
    for (const std::vector<Operation>& operations : schedule.operations) {
        text += cells(operations);
    }
    return text;
}

std::string cell(const Operation& operation) {
    constexpr std::array<char, 4> letters{'F', 'B', 'I', 'W'};
    return std::to_string(operation.model_part) + letters.at(static_cast<std::size_t>(operation.kind)) +
           std::to_string(operation.micro_batch);
}

}  // namespace shardlab
