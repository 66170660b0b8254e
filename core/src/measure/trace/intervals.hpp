#pragma once

#include <cstddef>
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

    /// The union, by time; no two of them touch.
    const std::vector<Interval>& united();

private:
    void unite();

    std::vector<Interval> intervals_;
    std::size_t united_ = 0;  // so many at the front are the union of what came before
};

/// How long they are together.
Nanoseconds length_of(const std::vector<Interval>& united);

/// For how long both are.
Nanoseconds common_length(const std::vector<Interval>& a, const std::vector<Interval>& b);

/// For how much of a stretch they are.
Nanoseconds length_within(const std::vector<Interval>& united, Interval stretch);

}  // namespace shardlab::measure
