#include "tally.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace shardlab::measure {
namespace {

constexpr std::array ignored_words = {
    "arrows, marks and names, which take no time",
    "operations of the host",
    "annotations of the host",
    "annotations of a device, which repeat those of the host",
    "calls that launch work on a device",
    "categories that say nothing of a device's time",
    "communications of the host, in a trace of devices",
    "waits for a communication, which transfer nothing",
    "entries that are no events",
    "no start",
    "a start that is no time, or one too far away",
    "a start of 0, which cannot be",
    "no duration",
    "a negative duration",
    "a duration that is no time, or one over 1e9 seconds",
};

constexpr std::array amended_words = {
    "reached past the next on its stream, and was cut there",
    "had its time as text, which was read as a number",
    "is taken to be of all ranks, since the trace names no group",
};

void sort_by_events(std::vector<CountedEvents>& counts) {
    std::stable_sort(counts.begin(), counts.end(),
                     [](const CountedEvents& a, const CountedEvents& b) { return a.events > b.events; });
}

std::vector<CountedEvents> counted(std::span<const double> events, std::span<const char* const> words) {
    std::vector<CountedEvents> counts;
    for (std::size_t index = 0; index < events.size(); ++index) {
        if (events[index] > 0) {
            counts.push_back({.reason = words[index], .events = events[index]});
        }
    }
    sort_by_events(counts);
    return counts;
}

}  // namespace

void Tally::ignore_at_zero(Ignored reason) {
    ignore(reason);
    ++at_zero_[static_cast<std::size_t>(reason)];
}

void Tally::refuse_zeros() {
    for (std::size_t reason = 0; reason < ignored_reasons; ++reason) {
        ignored_[reason] -= at_zero_[reason];
        ignore(Ignored::zero_start, at_zero_[reason]);
        at_zero_[reason] = 0;
    }
}

std::vector<CountedEvents> Tally::ignored() const {
    static_assert(ignored_words.size() == ignored_reasons);
    return counted(ignored_, ignored_words);
}

std::vector<CountedEvents> Tally::amended() const {
    static_assert(amended_words.size() == amended_reasons);
    return counted(amended_, amended_words);
}

double Tally::ignored_events() const {
    return std::accumulate(ignored_.begin(), ignored_.end(), 0.0);
}

void add_counts(std::vector<CountedEvents>& sum, const std::vector<CountedEvents>& more) {
    for (const CountedEvents& counted : more) {
        const auto known = std::find_if(sum.begin(), sum.end(),
                                        [&](const CountedEvents& one) { return one.reason == counted.reason; });
        if (known == sum.end()) {
            sum.push_back(counted);
        } else {
            known->events += counted.events;
        }
    }
    sort_by_events(sum);
}

}  // namespace shardlab::measure
