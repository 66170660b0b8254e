#include <cmath>
#include <string>
#include <utility>

#include <shardlab/collective_cost.hpp>
#include <shardlab/errors.hpp>
#include <shardlab/measure/trace.hpp>

#include "../../decimal.hpp"
#include "../json_scanner.hpp"
#include "event.hpp"
#include "events.hpp"

namespace shardlab {
namespace {

constexpr const char* rule = "be a trace of torch.profiler: JSON with a list of events, traceEvents";

}  // namespace

/// Listens to the scanner: where in the trace it is, and what it does with what it hears there.
class TraceReader::Reading {
public:
    explicit Reading(std::string_view parameter)
        : parameter_(parameter), events_(parameter), fields_(event_), scanner_(*this) {}

    bool feed(std::string_view piece) {
        is_empty_ = is_empty_ && piece.empty();
        return scanner_.feed(piece);
    }

    Trace finish() {
        scanner_.finish();
        if (!has_events_ || (!in_object_ && events_of_phase_ == 0)) {
            refuse();
        }
        Trace trace = events_.settle(world_size_);
        trace.rank = rank_;
        trace.world_size = world_size_;
        trace.backend = std::move(backend_);
        if (!scanner_.complete()) {
            trace.broken_at_byte = static_cast<double>(scanner_.consumed());
        }
        return trace;
    }

    bool begin_object() {
        switch (place_) {
            case Place::outside:
                in_object_ = true;
                return enter(Place::container);
            case Place::container:
                return key_ == "distributedInfo" && enter(Place::distribution);
            case Place::events:
                fields_.begin();
                return enter(Place::event);
            case Place::event:
                return fields_.at_arguments() && event_.wants_arguments() && enter_arguments();
            case Place::distribution:
            case Place::arguments:
            case Place::list:
                break;
        }
        return false;
    }

    void end_object() {
        switch (place_) {
            case Place::event:
                end_event();
                break;
            case Place::arguments:
                place_ = Place::event;
                break;
            case Place::distribution:
                place_ = Place::container;
                break;
            default:
                place_ = Place::outside;
                break;
        }
    }

    bool begin_array() {
        switch (place_) {
            case Place::outside:
                has_events_ = true;
                return enter(Place::events);
            case Place::container:
                return key_ == "traceEvents" && enter_events();
            case Place::events:
                events_.take_other();
                return false;
            case Place::arguments:
                return fields_.at_list() && enter_list();
            case Place::list:
                return enter_list();
            case Place::distribution:
            case Place::event:
                break;
        }
        return false;
    }

    void end_array() {
        if (place_ == Place::list) {
            fields_.end_list();
            place_ = --list_depth_ == 0 ? Place::arguments : Place::list;
        } else {
            place_ = in_object_ ? Place::container : Place::outside;
        }
    }

    void key(std::string_view name) {
        switch (place_) {
            case Place::event:
                fields_.key(name);
                break;
            case Place::arguments:
                fields_.argument_key(name);
                break;
            case Place::container:
            case Place::distribution:
                key_.assign(name);
                break;
            default:
                break;
        }
    }

    void text(std::string_view value) { hear(value, true); }
    void scalar(std::string_view value) { hear(value, false); }

private:
    enum class Place : std::uint8_t { outside, container, distribution, events, event, arguments, list };

    bool enter(Place place) {
        place_ = place;
        return true;
    }

    bool enter_events() {
        has_events_ = true;
        return enter(Place::events);
    }

    bool enter_arguments() {
        fields_.begin_arguments();
        return enter(Place::arguments);
    }

    bool enter_list() {
        ++list_depth_;
        fields_.begin_list();
        return enter(Place::list);
    }

    void end_event() {
        place_ = Place::events;
        events_of_phase_ += event_.phase == 0 ? 0 : 1;
        events_.take(event_);
    }

    void hear(std::string_view value, bool is_text) {
        switch (place_) {
            case Place::outside:
                refuse();
            case Place::events:
                events_.take_other();
                break;
            case Place::event:
                fields_.value(value, is_text);
                break;
            case Place::arguments:
                fields_.argument(value, is_text);
                break;
            case Place::list:
                fields_.list_item(value, is_text);
                break;
            case Place::distribution:
                distribute(value);
                break;
            case Place::container:
                break;
        }
    }

    void distribute(std::string_view value) {
        if (key_ == "backend") {
            constexpr std::size_t longest_backend = 64;
            backend_.assign(value.substr(0, longest_backend));
        } else if (key_ == "rank") {
            rank_ = whole(value);
        } else if (key_ == "world_size") {
            world_size_ = whole(value);
        }
    }

    static std::optional<int> whole(std::string_view value) {
        const double number = reading::decimal(value).value_or(-1);
        const bool counts = number >= 0 && number <= most_priced_ranks && number == std::floor(number);
        return counts ? std::optional(static_cast<int>(number)) : std::nullopt;
    }

    /// Says what the text is instead of a trace.
    [[noreturn]] void refuse() const {
        if (!in_object_ && !has_events_) {
            throw invalid_argument(parameter_, is_empty_ ? "an empty text" : "a text that begins no JSON", rule);
        }
        const std::string read = std::to_string(scanner_.consumed()) + " bytes";
        if (!scanner_.complete()) {
            throw invalid_argument(parameter_, "a text that is no JSON, or ends, after " + read, rule);
        }
        throw invalid_argument(parameter_, "JSON of " + read + " without an event", rule);
    }

    std::string parameter_;
    measure::Events events_;
    measure::Event event_;
    measure::EventFields fields_;
    measure::JsonScanner<Reading> scanner_;
    std::string key_;  // of the container or the distribution
    std::string backend_;
    std::optional<int> rank_;
    std::optional<int> world_size_;
    double events_of_phase_ = 0;
    int list_depth_ = 0;
    Place place_ = Place::outside;
    bool in_object_ = false;
    bool has_events_ = false;
    bool is_empty_ = true;
};

TraceReader::TraceReader(std::string_view parameter) : reading_(std::make_unique<Reading>(parameter)) {}
TraceReader::TraceReader(TraceReader&&) noexcept = default;
TraceReader& TraceReader::operator=(TraceReader&&) noexcept = default;
TraceReader::~TraceReader() = default;

bool TraceReader::feed(std::string_view piece) {
    return reading_->feed(piece);
}

Trace TraceReader::finish() {
    return reading_->finish();
}

}  // namespace shardlab
