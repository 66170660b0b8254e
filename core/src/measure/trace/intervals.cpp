#include "intervals.hpp"

#include <algorithm>

namespace shardlab::measure {

void Intervals::add(Interval interval) {
    constexpr std::size_t worth_uniting = 4096;
    extent_ = {.start = std::min(extent_.start, interval.start), .end = std::max(extent_.end, interval.end)};
    if (interval.end <= interval.start) {
        return;
    }
    // Most follow the one before, and many touch it.
    if (!intervals_.empty() && interval.start >= intervals_.back().start && interval.start <= intervals_.back().end) {
        intervals_.back().end = std::max(intervals_.back().end, interval.end);
        return;
    }
    if (intervals_.size() >= worth_uniting && intervals_.size() >= 2 * united_) {
        unite();
    }
    intervals_.push_back(interval);
}

const std::vector<Interval>& Intervals::united() {
    unite();
    return intervals_;
}

std::optional<Interval> Intervals::extent() const {
    return extent_.start == never ? std::nullopt : std::optional(extent_);
}

void Intervals::unite() {
    std::sort(intervals_.begin(), intervals_.end(),
              [](const Interval& a, const Interval& b) { return a.start < b.start; });
    std::size_t kept = 0;
    for (const Interval& interval : intervals_) {
        if (kept > 0 && interval.start <= intervals_[kept - 1].end) {
            intervals_[kept - 1].end = std::max(intervals_[kept - 1].end, interval.end);
        } else {
            intervals_[kept++] = interval;
        }
    }
    intervals_.resize(kept);
    united_ = kept;
}

Nanoseconds length_of(const std::vector<Interval>& united) {
    Nanoseconds length = 0;
    for (const Interval& interval : united) {
        length += interval.end - interval.start;
    }
    return length;
}

Nanoseconds common_length(const std::vector<Interval>& a, const std::vector<Interval>& b) {
    Nanoseconds length = 0;
    auto in_a = a.begin();
    auto in_b = b.begin();
    while (in_a != a.end() && in_b != b.end()) {
        length += std::max<Nanoseconds>(0, std::min(in_a->end, in_b->end) - std::max(in_a->start, in_b->start));
        if (in_a->end < in_b->end) {
            ++in_a;
        } else {
            ++in_b;
        }
    }
    return length;
}

Nanoseconds length_within(const std::vector<Interval>& united, Interval stretch) {
    auto inside = std::upper_bound(united.begin(), united.end(), stretch.start,
                                   [](Nanoseconds time, const Interval& interval) { return time < interval.end; });
    Nanoseconds length = 0;
    for (; inside != united.end() && inside->start < stretch.end; ++inside) {
        length += std::min(inside->end, stretch.end) - std::max(inside->start, stretch.start);
    }
    return length;
}

}  // namespace shardlab::measure
