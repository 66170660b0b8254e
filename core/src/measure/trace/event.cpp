#include "event.hpp"

#include <array>

#include <shardlab/errors.hpp>

#include "../../decimal.hpp"
#include "words.hpp"

namespace shardlab::measure {
namespace {

/// Every writer since 2020: kineto's own words, those that came before them, and AMD's.
Category category_of(std::string_view text) {
    struct Word {
        std::string_view text;
        Category category;
    };
    static constexpr std::array<Word, 14> words = {{
        {"cpu_op", Category::operation},
        {"kernel", Category::kernel},
        {"cuda_runtime", Category::launch},
        {"cuda_driver", Category::launch},
        {"user_annotation", Category::annotation},
        {"gpu_user_annotation", Category::device_annotation},
        {"gpu_memcpy", Category::copy},
        {"gpu_memset", Category::copy},
        {"Kernel", Category::kernel},
        {"Memcpy", Category::copy},
        {"Memset", Category::copy},
        {"Runtime", Category::launch},
        {"Operator", Category::operation},
        {"hip_runtime", Category::launch},
    }};
    for (const Word& word : words) {
        if (word.text == text) {
            return word.category;
        }
    }
    return Category::unknown;
}

std::optional<std::uint64_t> whole(std::string_view text) {
    constexpr std::size_t most_digits = 19;
    if (text.empty() || text.size() > most_digits) {
        return std::nullopt;
    }
    std::uint64_t number = 0;
    for (const char character : text) {
        if (character < '0' || character > '9') {
            return std::nullopt;
        }
        number = number * 10 + static_cast<std::uint64_t>(character - '0');
    }
    return number;
}

/// A count of elements or ranks; none for what is none.
std::optional<double> count(std::string_view text) {
    const std::optional<double> number = reading::decimal(text);
    const bool counts = number && *number >= 0 && *number <= largest_count;
    return counts ? number : std::nullopt;
}

EventTime time_of(std::string_view text, bool is_text) {
    return {.given = true, .as_text = is_text, .time = nanoseconds(text)};
}

bool starts_with(std::string_view text, std::string_view beginning) {
    return text.substr(0, beginning.size()) == beginning;
}

}  // namespace

void Event::clear() {
    phase = 0;
    category = Category::unknown;
    name.clear();
    process = nameless;
    thread = nameless;
    start = {};
    duration = {};
    external_id.reset();
    correlation.reset();
    collective.clear();
    type.clear();
    in_elements.reset();
    out_elements.reset();
    group_size.reset();
    group.clear();
    dimensions = 0;
    input_type.clear();
}

void Event::read_old_form() {
    constexpr Name of_host = name_of("CPU functions");
    constexpr Name of_devices = name_of("CUDA functions");
    if (category != Category::unknown) {
        return;
    }
    if (process == of_host) {
        category = Category::operation;
    } else if (process == of_devices) {
        // Its thread is the device; all streams stand on it.
        category = starts_with(name, "Memcpy") || starts_with(name, "Memset") ? Category::copy : Category::kernel;
        process = thread;
        thread = nameless;
    }
}

bool Event::wants_arguments() const {
    const bool is_marked = phase != 0 && phase != 'X';
    if (is_marked || category == Category::copy || category == Category::device_annotation) {
        return false;
    }
    if (name.empty() || category == Category::unknown || category == Category::launch) {
        return true;
    }
    if (category == Category::kernel) {
        return is_communication_kernel(name);
    }
    return name == "record_param_comms" || starts_with(name, "nccl:") || starts_with(name, "gloo:");
}

void EventFields::begin() {
    event_.clear();
    field_ = Field::none;
    argument_ = Argument::none;
}

void EventFields::key(std::string_view name) {
    struct Word {
        std::string_view text;
        Field field;
    };
    static constexpr std::array<Word, 8> words = {{
        {"ph", Field::phase},
        {"cat", Field::category},
        {"name", Field::name},
        {"pid", Field::process},
        {"tid", Field::thread},
        {"ts", Field::start},
        {"dur", Field::duration},
        {"args", Field::arguments},
    }};
    field_ = Field::none;
    for (const Word& word : words) {
        if (word.text == name) {
            field_ = word.field;
        }
    }
}

void EventFields::value(std::string_view value, bool is_text) {
    switch (field_) {
        case Field::phase:
            event_.phase = value.size() == 1 ? value.front() : '?';
            break;
        case Field::category:
            event_.category = category_of(value);
            break;
        case Field::name:
            event_.name.assign(value);
            break;
        case Field::process:
            event_.process = name_of(value);
            break;
        case Field::thread:
            event_.thread = name_of(value);
            break;
        case Field::start:
            event_.start = time_of(value, is_text);
            break;
        case Field::duration:
            event_.duration = time_of(value, is_text);
            break;
        case Field::arguments:
        case Field::none:
            break;
    }
    field_ = Field::none;
}

void EventFields::argument_key(std::string_view name) {
    struct Word {
        std::string_view text;
        Argument argument;
    };
    static constexpr std::array<Word, 11> words = {{
        {"External id", Argument::external_id},
        {"external id", Argument::external_id},
        {"correlation", Argument::correlation},
        {"Collective name", Argument::collective},
        {"dtype", Argument::type},
        {"In msg nelems", Argument::in_elements},
        {"Out msg nelems", Argument::out_elements},
        {"Group size", Argument::group_size},
        {"Process Group Ranks", Argument::group},
        {"Input Dims", Argument::dimensions},
        {"Input type", Argument::input_type},
    }};
    argument_ = Argument::none;
    for (const Word& word : words) {
        if (word.text == name) {
            argument_ = word.argument;
        }
    }
}

void EventFields::argument(std::string_view value, bool /*is_text*/) {
    constexpr std::size_t longest_group = 1024;
    switch (argument_) {
        case Argument::external_id:
            event_.external_id = whole(value);
            break;
        case Argument::correlation:
            event_.correlation = whole(value);
            break;
        case Argument::collective:
            event_.collective.assign(value);
            break;
        case Argument::type:
            event_.type.assign(value);
            break;
        case Argument::in_elements:
            event_.in_elements = count(value);
            break;
        case Argument::out_elements:
            event_.out_elements = count(value);
            break;
        case Argument::group_size:
            event_.group_size = count(value);
            break;
        case Argument::group:
            event_.group.assign(value.substr(0, longest_group));
            break;
        case Argument::dimensions:
        case Argument::input_type:
        case Argument::none:
            break;
    }
    argument_ = Argument::none;
}

void EventFields::begin_list() {
    in_tensor_ = false;
}

void EventFields::list_item(std::string_view value, bool is_text) {
    if (argument_ == Argument::input_type) {
        const bool names_a_type = is_text && !value.empty() && value != "Scalar" && value != "TensorList";
        if (names_a_type && event_.input_type.empty()) {
            event_.input_type.assign(value);
        }
        return;
    }
    const double extent = count(value).value_or(0);
    tensor_ = in_tensor_ ? tensor_ * extent : extent;
    in_tensor_ = true;
}

void EventFields::end_list() {
    if (in_tensor_) {
        event_.dimensions += tensor_;
    }
    in_tensor_ = false;
}

}  // namespace shardlab::measure
