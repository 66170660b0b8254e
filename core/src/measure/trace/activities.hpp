#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <shardlab/measure/trace.hpp>

#include "facts.hpp"
#include "intervals.hpp"

namespace shardlab::measure {

/// What an activity of a device is: one of these, or the index of a communication.
enum : std::int32_t { compute_activity = -1, copy_activity = -2 };

/// What became of the activities.
struct Settled {
    TraceTimes times;
    int devices = 0;
    Nanoseconds first = 0;      ///< start
    double cut = 0;             ///< activities that reached past the next on their stream
    double zero_starts = 0;     ///< refused
    std::vector<bool> refused;  ///< of the communications, those that started at such a 0
};

/// The activities of all devices of a trace, by device and stream. Those of a nameless stream may overlap.
class Activities {
public:
    explicit Activities(std::string_view parameter) : parameter_(parameter) {}

    /// @param what compute_activity, copy_activity or the index of a communication
    void add(const Event& event, std::int32_t what);

    bool empty() const { return streams_.empty(); }

    /// Cuts what overlaps on a stream and adds up the times. Writes ends and overlaps into the communications.
    Settled settle(std::vector<PendingCommunication>& communications);

private:
    struct Activity {
        Nanoseconds start = 0;
        Nanoseconds end = 0;
        std::int32_t what = compute_activity;
    };
    using Stream = std::vector<Activity>;
    /// By device and stream.
    using Streams = std::map<std::pair<Name, Name>, Stream>;

    bool zeros_are_no_starts() const;
    void refuse_zero_starts(Settled& settled);
    static void cut_overlaps(Stream& stream, Settled& settled, std::vector<PendingCommunication>& communications);
    static void add_up(Streams::iterator first, Streams::iterator last, TraceTimes& times,
                       std::vector<PendingCommunication>& communications);

    std::string parameter_;
    Streams streams_;
    Stream* latest_ = nullptr;  // where the one before went, which is where most go
    std::pair<Name, Name> latest_name_;
    std::size_t count_ = 0;
};

/// The operations of a host and the communications it waited for, where no device did anything.
class HostActivities {
public:
    /// An operation that computes.
    void add(Nanoseconds start, Nanoseconds end);

    /// As Activities::settle().
    Settled settle(std::vector<PendingCommunication>& communications);

private:
    Intervals compute_;
    double zeros_ = 0;  // operations with a start of 0, which may be none
    Nanoseconds zeros_end_ = 0;
    Nanoseconds nearest_ = never;  // start to 0, of the others
};

}  // namespace shardlab::measure
