#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "clock.hpp"

namespace shardlab::measure {

/// What a category says of an event.
enum class Category : std::uint8_t {
    unknown,            ///< it has none, or one that says nothing here
    kernel,             ///< on a device
    copy,               ///< on a device: of memory, or a fill of it
    launch,             ///< a call of the host that starts work on a device
    operation,          ///< of the host
    annotation,         ///< of a stretch of the host's time
    device_annotation,  ///< of a stretch of the device's, which is one of the host's once more
};

/// A time as an event gives it.
struct EventTime {
    bool given = false;
    bool as_text = false;
    std::optional<Nanoseconds> time;  ///< none where it spells no time
};

/// The names of a process, a thread, a device or a stream: equal where they are written the same.
using Name = std::uint64_t;

/// What was never named.
inline constexpr Name nameless = 0;

/// FNV-1a: names are told apart without being kept.
constexpr Name name_of(std::string_view text) {
    Name name = 14695981039346656037U;
    for (const char character : text) {
        name = (name ^ static_cast<unsigned char>(character)) * 1099511628211U;
    }
    return name;
}

/// One event, as far as it is of use.
struct Event {
    char phase = 0;  ///< X for a complete one; 0 where it has none
    Category category = Category::unknown;
    std::string name;
    Name process = nameless;  ///< of a device's activity: the device
    Name thread = nameless;   ///< of a device's activity: the stream
    EventTime start;
    EventTime duration;

    // From its arguments, where it has them.
    std::optional<std::uint64_t> external_id;
    std::optional<std::uint64_t> correlation;
    std::string collective;
    std::string type;
    std::optional<double> in_elements;
    std::optional<double> out_elements;
    std::optional<double> group_size;
    std::string group;
    double dimensions = 0;   ///< elements in `Input Dims`, over all tensors
    std::string input_type;  ///< the first that is named in `Input type`

    /// The fields as if new; what text has allocated stays.
    void clear();

    /// Reads what the profiler before kineto wrote (a bare list without categories) as what it is.
    void read_old_form();

    /// Whether the arguments can tell something, by what stands before them.
    bool wants_arguments() const;
};

/// Takes the fields of an event as the text has them.
class EventFields {
public:
    explicit EventFields(Event& event) : event_(event) {}

    void begin();
    void key(std::string_view name);
    void value(std::string_view value, bool is_text);

    bool at_arguments() const { return field_ == Field::arguments; }
    void begin_arguments() { field_ = Field::none; }
    void argument_key(std::string_view name);
    void argument(std::string_view value, bool is_text);

    /// Whether the argument at hand is a list to look into.
    bool at_list() const { return argument_ == Argument::dimensions || argument_ == Argument::input_type; }
    void begin_list();
    void list_item(std::string_view value, bool is_text);
    void end_list();

private:
    enum class Field : std::uint8_t { none, phase, category, name, process, thread, start, duration, arguments };
    enum class Argument : std::uint8_t {
        none,
        external_id,
        correlation,
        collective,
        type,
        in_elements,
        out_elements,
        group_size,
        group,
        dimensions,
        input_type,
    };

    Event& event_;
    Field field_ = Field::none;
    Argument argument_ = Argument::none;
    double tensor_ = 0;  // elements of the list of dimensions at hand
    bool in_tensor_ = false;
};

}  // namespace shardlab::measure
