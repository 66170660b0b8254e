#include "answer.hpp"

#include <cstdint>
#include <span>

#include <nlohmann/json.hpp>

#include <shardlab/errors.hpp>

#include "numbers.hpp"

namespace shardlab::cli {
namespace {

void write_number(std::ostream& out, double value) {
    const nlohmann::ordered_json number = json_number(value);
    // Most numbers of long lists are whole, and a dump() sets up far more than they need.
    if (number.is_number_integer()) {
        out << number.get<std::int64_t>();
    } else {
        out << number.dump();
    }
}

}  // namespace

void require_listable(const std::string& parameter, double records) {
    constexpr double most_records = 1000000;
    if (records > most_records) {
        throw invalid_argument(parameter, "a list of " + number_text(records),
                               "have at most " + number_text(most_records) + " entries to be listed");
    }
}

Answer::Answer(std::ostream& out) : out_(out) {
    out_ << '{';
}

void Answer::add(std::string_view key, double value) {
    add_key(key);
    write_number(out_, value);
}

void Answer::add_text(std::string_view key, std::string_view value) {
    add_key(key);
    out_ << nlohmann::ordered_json(value).dump();
}

void Answer::add_rows(std::string_view key, const Matrix& rows) {
    add_key(key);
    out_ << '[';
    for (std::size_t index = 0; index < rows.shape(0); ++index) {
        out_ << (index == 0 ? "\n    [" : ",\n    [");
        has_items_ = false;
        for (const double number : row(rows, index)) {
            add_item(number);
        }
        out_ << ']';
    }
    out_ << (rows.shape(0) == 0 ? "]" : "\n  ]");
}

void Answer::add_records(std::string_view key, std::size_t count,
                         const std::function<nlohmann::ordered_json(std::size_t index)>& record) {
    add_key(key);
    out_ << '[';
    for (std::size_t index = 0; index < count; ++index) {
        out_ << (index == 0 ? "\n    " : ",\n    ") << record(index).dump();
    }
    out_ << (count == 0 ? "]" : "\n  ]");
}

void Answer::add_json(std::string_view key, const nlohmann::ordered_json& value) {
    add_key(key);
    out_ << value.dump();
}

void Answer::close() {
    out_ << "\n}\n";
}

void Answer::add_key(std::string_view key) {
    out_ << (has_keys_ ? ",\n  " : "\n  ") << nlohmann::ordered_json(key).dump() << ": ";
    has_keys_ = true;
}

void Answer::begin_list(std::string_view key) {
    add_key(key);
    out_ << '[';
    has_items_ = false;
}

void Answer::add_item(double number) {
    out_ << (has_items_ ? ", " : "");
    write_number(out_, number);
    has_items_ = true;
}

void Answer::end_list() {
    out_ << ']';
}

}  // namespace shardlab::cli
