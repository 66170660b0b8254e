#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "clock.hpp"

namespace shardlab::measure {

/// A stretch of time.
struct Interval {
    Nanoseconds start = 0;
    Nanoseconds end = 0;
};

/// A union of stretches, in memory for as many as are apart.
class Intervals {
public:
    /// In any order.
    void add(Interval interval);

    /// The union, by time; no two of them touch, and none is empty.
    const std::vector<Interval>& united();

    /// From the first start to the last end of all that were added, empty ones among them; none of none.
    std::optional<Interval> extent() const;

private:
    void unite();

    std::vector<Interval> intervals_;
    Interval extent_{.start = never, .end = -never};
    std::size_t united_ = 0;  // so many at the front are the union of what came before
};

/// How long they are together.
Nanoseconds length_of(const std::vector<Interval>& united);

/// For how long both are.
Nanoseconds common_length(const std::vector<Interval>& a, const std::vector<Interval>& b);

/// For how much of a stretch they are.
Nanoseconds length_within(const std::vector<Interval>& united, Interval stretch);

}  // namespace shardlab::measure
