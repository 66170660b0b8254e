#include "activities.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "../../refuse.hpp"

namespace shardlab::measure {
namespace {

/// The unions of a device's time.
struct DeviceTime {
    Intervals compute;
    Intervals communication;
    Intervals all;

    void add(Interval interval, std::int32_t what) {
        all.add(interval);
        if (what == compute_activity) {
            compute.add(interval);
        } else if (what >= 0) {
            communication.add(interval);
        }
    }
};

void add_times(DeviceTime& device, TraceTimes& times) {
    const std::vector<Interval>& compute = device.compute.united();
    const std::vector<Interval>& communication = device.communication.united();
    const std::vector<Interval>& all = device.all.united();
    const std::optional<Interval> extent = device.all.extent();
    const Nanoseconds span = extent ? extent->end - extent->start : 0;
    const Nanoseconds computed = length_of(compute);
    const Nanoseconds communicated = length_of(communication);
    const Nanoseconds both = common_length(compute, communication);
    const Nanoseconds busy = length_of(all);
    times.span_seconds += seconds(span);
    times.compute_seconds += seconds(computed);
    times.communication_seconds += seconds(communicated);
    times.overlap_seconds += seconds(both);
    times.exposed_seconds += seconds(communicated - both);
    times.other_seconds += seconds(busy - (computed + communicated - both));
    times.idle_seconds += seconds(span - busy);
}

void note_overlap(DeviceTime& device, PendingCommunication& pending) {
    const Nanoseconds overlapped = length_within(device.compute.united(), {pending.start, pending.end});
    pending.communication.overlapped_seconds = seconds(overlapped);
}

}  // namespace

void Activities::add(const Event& event, std::int32_t what) {
    if (count_ == static_cast<std::size_t>(most_device_activities)) {
        refuse(parameter_, "over # activities of devices", "have at most # of them",
               {static_cast<double>(most_device_activities), static_cast<double>(most_device_activities)});
    }
    ++count_;
    const std::pair name(event.process, event.thread);
    if (latest_ == nullptr || name != latest_name_) {
        latest_ = &streams_[name];
        latest_name_ = name;
    }
    const Nanoseconds start = *event.start.time;
    latest_->push_back({.start = start, .end = start + *event.duration.time, .what = what});
}

Settled Activities::settle(std::vector<PendingCommunication>& communications) {
    Settled settled;
    settled.first = never;
    settled.refused.assign(communications.size(), false);
    for (auto& [name, stream] : streams_) {
        std::sort(stream.begin(), stream.end(), [](const Activity& a, const Activity& b) {
            return std::pair(a.start, a.end) < std::pair(b.start, b.end);
        });
    }
    if (zeros_are_no_starts()) {
        refuse_zero_starts(settled);
    }
    for (auto& [name, stream] : streams_) {
        settled.first = std::min(settled.first, stream.front().start);
        if (name.second != nameless) {
            cut_overlaps(stream, settled, communications);
        }
    }
    for (auto first = streams_.begin(); first != streams_.end();) {
        const auto last = std::find_if(first, streams_.end(), [&](const Streams::value_type& stream) {
            return stream.first.first != first->first.first;
        });
        add_up(first, last, settled.times, communications);
        ++settled.devices;
        first = last;
    }
    return settled;
}

/// Of streams in order: several activities cannot start at once on one, and no epoch began an hour before a run.
bool Activities::zeros_are_no_starts() const {
    bool some = false;
    Nanoseconds nearest = never;
    for (const auto& [name, stream] : streams_) {
        const auto zeros =
            std::count_if(stream.begin(), stream.end(), [](const Activity& activity) { return activity.start == 0; });
        if (zeros > 1 && name.second != nameless) {
            return true;
        }
        some = some || zeros == 1;
        for (const Activity& activity : stream) {
            if (activity.start != 0) {
                nearest = std::min(nearest, distance_from_zero(activity.start));
            }
        }
    }
    return some && is_far_from_zero(nearest);
}

void Activities::refuse_zero_starts(Settled& settled) {
    for (auto stream = streams_.begin(); stream != streams_.end();) {
        settled.zero_starts += static_cast<double>(std::erase_if(stream->second, [&](const Activity& activity) {
            if (activity.start == 0 && activity.what >= 0) {
                settled.refused[static_cast<std::size_t>(activity.what)] = true;
            }
            return activity.start == 0;
        }));
        stream = stream->second.empty() ? streams_.erase(stream) : std::next(stream);
    }
    latest_ = nullptr;
}

void Activities::cut_overlaps(Stream& stream, Settled& settled, std::vector<PendingCommunication>& communications) {
    for (auto activity = stream.begin(); activity != stream.end(); ++activity) {
        const auto next = std::next(activity);
        if (next != stream.end() && activity->end > next->start) {
            activity->end = next->start;
            ++settled.cut;
        }
        if (activity->what >= 0) {
            communications[static_cast<std::size_t>(activity->what)].end = activity->end;
        }
    }
}

void Activities::add_up(Streams::iterator first, Streams::iterator last, TraceTimes& times,
                        std::vector<PendingCommunication>& communications) {
    DeviceTime device;
    for (auto stream = first; stream != last; ++stream) {
        for (const Activity& activity : stream->second) {
            device.add({activity.start, activity.end}, activity.what);
        }
    }
    add_times(device, times);
    for (auto stream = first; stream != last; ++stream) {
        for (const Activity& activity : stream->second) {
            if (activity.what >= 0) {
                note_overlap(device, communications[static_cast<std::size_t>(activity.what)]);
            }
        }
    }
}

void HostActivities::add(Nanoseconds start, Nanoseconds end) {
    if (start == 0) {
        zeros_end_ = std::max(zeros_end_, end);
        ++zeros_;
    } else {
        compute_.add({start, end});
        nearest_ = std::min(nearest_, distance_from_zero(start));
    }
}

Settled HostActivities::settle(std::vector<PendingCommunication>& communications) {
    Settled settled;
    for (const PendingCommunication& pending : communications) {
        nearest_ = pending.start == 0 ? nearest_ : std::min(nearest_, distance_from_zero(pending.start));
    }
    const bool refuses_zeros = is_far_from_zero(nearest_);
    DeviceTime host;
    settled.first = never;
    if (const std::optional<Interval> extent = compute_.extent()) {
        settled.first = extent->start;
        host.all.add({extent->start, extent->start});
        host.all.add({extent->end, extent->end});
    }
    for (const Interval& interval : compute_.united()) {
        host.add(interval, compute_activity);
    }
    if (refuses_zeros) {
        settled.zero_starts = zeros_;
    } else if (zeros_ > 0) {
        settled.first = std::min<Nanoseconds>(settled.first, 0);
        host.add({0, zeros_end_}, compute_activity);
    }
    for (const PendingCommunication& pending : communications) {
        const bool refused = refuses_zeros && pending.start == 0;
        settled.refused.push_back(refused);
        settled.zero_starts += refused ? 1 : 0;
        if (!refused) {
            settled.first = std::min(settled.first, pending.start);
            host.add({pending.start, pending.end}, 0);
        }
    }
    add_times(host, settled.times);
    for (PendingCommunication& pending : communications) {
        note_overlap(host, pending);
    }
    return settled;
}

}  // namespace shardlab::measure
