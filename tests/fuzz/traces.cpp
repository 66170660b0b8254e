// Any text as a trace: the same wherever it is cut, every event used or ignored with a reason, every time a part of the
// span, or refused with what it is.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <shardlab/measure.hpp>

#include "fuzz.hpp"

namespace {

using fuzz::require;
using shardlab::Communication;
using shardlab::CountedEvents;
using shardlab::Trace;
using shardlab::TraceTimes;

std::optional<Trace> read(std::string_view text, std::size_t piece) {
    try {
        shardlab::TraceReader reader;
        while (!text.empty()) {
            reader.feed(text.substr(0, piece));
            text.remove_prefix(std::min(piece, text.size()));
        }
        return reader.finish();
    } catch (const shardlab::invalid_argument& error) {
        fuzz::require_explained(error, {"trace"});
        fuzz::require_printable_line(error.what());
        return std::nullopt;
    }
}

void require_counted(const Trace& trace) {
    double ignored = 0;
    for (const CountedEvents& counted : trace.ignored) {
        require(counted.events > 0 && !counted.reason.empty(), "what is ignored has a reason");
        ignored += counted.events;
    }
    require(trace.events_used >= 0 && trace.events_used + ignored == trace.events, "every event is used or ignored");
}

void require_times(const TraceTimes& times) {
    fuzz::require_finite({times.span_seconds, times.compute_seconds, times.communication_seconds, times.overlap_seconds,
                          times.exposed_seconds, times.other_seconds, times.idle_seconds, times.overlap_fraction()});
    const double least = std::min({times.compute_seconds, times.communication_seconds, times.overlap_seconds,
                                   times.exposed_seconds, times.other_seconds, times.idle_seconds, times.span_seconds});
    require(least >= 0, "no time is less than none");
    const double parts = times.compute_seconds + times.exposed_seconds + times.other_seconds + times.idle_seconds;
    constexpr double rounding = 1e-12;
    require(std::abs(parts - times.span_seconds) <= rounding * times.span_seconds, "the parts make up the span");
    require(times.overlap_fraction() <= 1 + rounding, "no more than all is hidden");
}

void require_communications(const std::vector<Communication>& communications) {
    for (const Communication& communication : communications) {
        const double bytes = communication.bytes.value_or(0);
        const double bandwidth = shardlab::bus_bytes_per_second(communication).value_or(0);
        fuzz::require_finite({communication.start_seconds, communication.seconds, communication.elements.value_or(0),
                              bytes, bandwidth, communication.overlapped_seconds});
        require(communication.seconds >= 0 && communication.start_seconds >= 0 && bytes >= 0, "nothing is negative");
        require(communication.overlapped_seconds <= communication.seconds, "no more than all is overlapped");
    }
    shardlab::sums_by_kind(communications);
    if (const std::optional<int> ranks = shardlab::usual_all_reduce_ranks(communications)) {
        fuzz::attempt({"measurements"},
                      [&] { return shardlab::fit_regimes(shardlab::all_reduce_measurements(communications, *ranks)); });
    }
}

void require_same(const Trace& a, const Trace& b) {
    require(a.events == b.events && a.events_used == b.events_used && a.broken_at_byte == b.broken_at_byte &&
                a.times.span_seconds == b.times.span_seconds && a.times.overlap_seconds == b.times.overlap_seconds &&
                a.communications.size() == b.communications.size(),
            "a trace is the same wherever it is cut");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::optional<Trace> whole = read(text, std::string_view::npos);
    for (const std::size_t piece : {1U, 7U}) {
        const std::optional<Trace> cut = read(text, piece);
        require(whole.has_value() == cut.has_value(), "a trace is one wherever it is cut");
        if (whole) {
            require_same(*whole, *cut);
        }
    }
    if (whole) {
        require_counted(*whole);
        require_times(whole->times);
        require_communications(whole->communications);
        shardlab::Trace nameless = *whole;
        nameless.rank.reset();
        const shardlab::MatchedCommunications matched = shardlab::matched_communications({*whole, nameless});
        require(matched.communications.size() == whole->communications.size() && matched.waited_seconds == 0,
                "a rank matches itself");
        require(shardlab::sum_of_traces({*whole, nameless}).events == 2 * whole->events, "sums are of all traces");
    }
    return 0;
}
