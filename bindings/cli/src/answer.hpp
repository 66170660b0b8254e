#pragma once

/// @file
/// The answer of a command: one JSON object.

#include <cstddef>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include <shardlab/array.hpp>

namespace shardlab::cli {

/// Refuses a list of more records than anyone reads, before it is made.
/// @param parameter the option that asks for the list
void require_listable(const std::string& parameter, double records);

/// Writes one JSON object, a key a line, in the order of the calls. Long lists go straight to the stream: a schedule of
/// a million transfers never stands in memory as JSON.
class Answer {
public:
    /// Opens the object. `out` must outlive the answer.
    explicit Answer(std::ostream& out);

    /// A number.
    void add(std::string_view key, double value);

    /// A text.
    void add_text(std::string_view key, std::string_view value);

    /// A list of numbers, on one line.
    template <typename Numbers>
    void add_list(std::string_view key, const Numbers& numbers) {
        begin_list(key);
        for (const auto& number : numbers) {
            add_item(static_cast<double>(number));
        }
        end_list();
    }

    /// A list of rows, each on a line of its own.
    void add_rows(std::string_view key, const Matrix& rows);

    /// A list of `count` objects, each on a line of its own and made when its turn comes.
    void add_records(std::string_view key, std::size_t count,
                     const std::function<nlohmann::ordered_json(std::size_t index)>& record);

    /// Anything else, on one line.
    void add_json(std::string_view key, const nlohmann::ordered_json& value);

    /// Closes the object.
    void close();

private:
    void add_key(std::string_view key);
    void begin_list(std::string_view key);
    void add_item(double number);
    void end_list();

    std::ostream& out_;
    bool has_keys_ = false;
    bool has_items_ = false;
};

}  // namespace shardlab::cli
