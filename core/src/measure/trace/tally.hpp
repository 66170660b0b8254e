#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <shardlab/measure/trace.hpp>

namespace shardlab::measure {

/// Why an event was passed over.
enum class Ignored : std::uint8_t {
    takes_no_time,
    host_operation,
    annotation,
    device_annotation,
    launch,
    unknown_category,
    host_communication,
    no_transfer,
    no_event,
    no_start,
    bad_start,
    zero_start,
    no_duration,
    negative_duration,
    bad_duration,
};

/// What was done to one that was used.
enum class Amended : std::uint8_t { cut, time_as_text, of_all_ranks };

/// Counts by reason.
class Tally {
public:
    void ignore(Ignored reason, double events = 1) { ignored_[static_cast<std::size_t>(reason)] += events; }
    /// The same of an event with a start of 0, which may turn out to be the reason.
    void ignore_at_zero(Ignored reason);
    /// It has turned out so.
    void refuse_zeros();

    void amend(Amended reason, double events = 1) { amended_[static_cast<std::size_t>(reason)] += events; }

    /// Those that there are, the most frequent first.
    std::vector<CountedEvents> ignored() const;
    std::vector<CountedEvents> amended() const;
    double ignored_events() const;

private:
    static constexpr std::size_t ignored_reasons = 15;
    static constexpr std::size_t amended_reasons = 3;

    std::array<double, ignored_reasons> ignored_{};
    std::array<double, ignored_reasons> at_zero_{};
    std::array<double, amended_reasons> amended_{};
};

/// Adds counts to counts by reason, the most frequent first.
void add_counts(std::vector<CountedEvents>& sum, const std::vector<CountedEvents>& more);

}  // namespace shardlab::measure
