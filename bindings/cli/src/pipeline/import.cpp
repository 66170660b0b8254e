#include "import.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "../files.hpp"
#include "../numbers.hpp"

namespace shardlab::cli {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& value, const std::string& rule) {
    throw invalid_argument("schedule", value, rule);
}

json parsed(const std::string& text) {
    try {
        return json::parse(text);
    } catch (const json::exception& error) {
        // The library's messages begin with a tag in brackets.
        const std::string message = error.what();
        refuse("no JSON", "hold a JSON object or comma-separated cells: " + message.substr(message.find("] ") + 2));
    }
}

void require_known_keys(const json& object) {
    constexpr std::array<std::string_view, 6> known{"stages",   "micro_batches", "placement",
                                                    "replicas", "operations",    "notation"};
    for (const auto& item : object.items()) {
        if (std::find(known.begin(), known.end(), item.key()) == known.end()) {
            refuse(
                "with the key " + shown(item.key()),
                "have the keys stages and operations, and micro_batches, placement, replicas and notation if wanted");
        }
    }
}

/// The value of a key, which must be there.
const json& value_of(const json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) {
        refuse(std::string("without the key ") + key, "have the keys stages and operations");
    }
    return *found;
}

std::vector<std::string_view> row_of(const json& list) {
    if (!list.is_array()) {
        refuse(std::string("a row that is a JSON ") + list.type_name(), "have a list of cells for each device");
    }
    std::vector<std::string_view> row;
    row.reserve(list.size());
    for (const json& cell : list) {
        if (!cell.is_string()) {
            refuse(std::string("a cell that is a JSON ") + cell.type_name(),
                   "have cells that are texts, such as \"0F0\"");
        }
        row.push_back(cell.get_ref<const std::string&>());
    }
    return row;
}

std::vector<std::vector<std::string_view>> rows_of(const json& object) {
    const json& lists = value_of(object, "operations");
    if (!lists.is_array()) {
        refuse(std::string("operations that are a JSON ") + lists.type_name(), "have a list of cells for each device");
    }
    std::vector<std::vector<std::string_view>> rows;
    rows.reserve(lists.size());
    for (const json& list : lists) {
        rows.push_back(row_of(list));
    }
    return rows;
}

std::optional<BackwardLetters> letters_in(const json& object, std::optional<BackwardLetters> told) {
    const auto found = object.find("notation");
    if (found == object.end()) {
        return told;
    }
    if (!found->is_string()) {
        refuse(std::string("a notation that is a JSON ") + found->type_name(), "name its notation by a text");
    }
    const BackwardLetters letters = backward_letters_from_name(found->get_ref<const std::string&>());
    if (told && *told != letters) {
        refuse("in the notation " + found->get<std::string>(), "be in the notation that --notation names");
    }
    return letters;
}

/// Holds what the file says of itself against its cells.
void require_same(const json& object, const char* key, const json& found) {
    const auto said = object.find(key);
    if (said != object.end() && *said != found) {
        refuse(std::string("with ") + key + " " + shown(said->dump(-1, ' ', true, json::error_handler_t::replace)),
               std::string("have the ") + key + " that its cells have: " + shown(found.dump()));
    }
}

ReadSchedule schedule_in_json(const std::string& text, std::optional<BackwardLetters> told) {
    const json object = parsed(text);
    require_known_keys(object);
    value_of(object, "stages");
    ReadSchedule read = read_schedule(rows_of(object), letters_in(object, told));
    require_same(object, "stages", read.schedule.stages);
    require_same(object, "micro_batches", read.schedule.micro_batches);
    require_same(object, "placement", read.schedule.placement);
    require_same(object, "replicas", read.schedule.replicas);
    return read;
}

}  // namespace

ReadSchedule schedule_in_text(const std::string& text, std::optional<BackwardLetters> letters) {
    const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    const bool is_json = first != std::string::npos && text[first] == '{';
    return is_json ? schedule_in_json(text, letters) : read_schedule_csv(text, letters);
}

ReadSchedule imported_schedule(const Options& options) {
    constexpr std::size_t largest_file = std::size_t{1} << 27U;
    const std::optional<BackwardLetters> letters =
        options.given("notation") ? std::optional(backward_letters_from_name(options.text("notation"))) : std::nullopt;
    const std::string text = file_text(options, "import", largest_file);
    try {
        return schedule_in_text(text, letters);
    } catch (const invalid_argument& error) {
        throw invalid_argument(error.parameter() == "schedule" ? "import" : error.parameter(), error.value(),
                               error.rule());
    }
}

}  // namespace shardlab::cli
