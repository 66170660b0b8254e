#include "events.hpp"

#include <algorithm>
#include <optional>

#include "words.hpp"

namespace shardlab::measure {
namespace {

constexpr std::string_view of_gloo = "gloo:";
constexpr std::string_view of_nccl = "nccl:";
constexpr std::string_view record_name = "record_param_comms";

std::optional<Ignored> against_times(const Event& event) {
    if (!event.start.given) {
        return Ignored::no_start;
    }
    if (!event.start.time) {
        return Ignored::bad_start;
    }
    if (!event.duration.given) {
        return Ignored::no_duration;
    }
    if (!event.duration.time) {
        return Ignored::bad_duration;
    }
    if (*event.duration.time < 0) {
        return Ignored::negative_duration;
    }
    return *event.duration.time > longest_duration ? std::optional(Ignored::bad_duration) : std::nullopt;
}

/// Whether an operation of the host works on numbers: `aten::mm`, not `c10d::allreduce_`, nor the engine that calls it.
bool computes(std::string_view name) {
    return name.find("::") != std::string_view::npos && !name.starts_with("c10d::") && !name.starts_with("autograd::");
}

Nanoseconds end_of(const Event& event) {
    return *event.start.time + *event.duration.time;
}

PendingCommunication pending_of(const Event& event) {
    PendingCommunication pending;
    pending.external_id = event.external_id;
    pending.correlation = event.correlation;
    pending.thread = event.thread;
    pending.start = *event.start.time;
    pending.end = end_of(event);
    pending.communication.kind = kind_in(event.name);
    const Facts facts = facts_of(event);
    pending.has_facts = facts.has_size();
    tell(facts, pending.communication);
    return pending;
}

}  // namespace

void Events::take(Event& event) {
    event.read_old_form();
    if (event.phase != 'X') {
        ++count_;
        const bool marks = std::string_view("sftiIMCPRNOD").find(event.phase) != std::string_view::npos;
        tally_.ignore(event.phase == 0 ? Ignored::no_event
                      : marks          ? Ignored::takes_no_time
                                       : Ignored::unknown_category);
    } else if (const std::optional<Ignored> reason = against_times(event)) {
        ++count_;
        tally_.ignore(*reason);
    } else {
        ++count_;
        take_timed(event);
    }
}

void Events::take_other() {
    ++count_;
    tally_.ignore(Ignored::no_event);
}

void Events::take_timed(const Event& event) {
    switch (event.category) {
        case Category::kernel:
            take_kernel(event);
            break;
        case Category::copy:
            add_activity(event, copy_activity);
            break;
        case Category::launch:
            if (facts_.add_launch(event)) {
                use(event);
            } else {
                ignore_on_host(event, Ignored::launch);
            }
            break;
        case Category::operation:
        case Category::annotation:
            take_on_host(event);
            break;
        case Category::device_annotation:
            ignore_on_host(event, Ignored::device_annotation);
            break;
        case Category::unknown:
            ignore_on_host(event, Ignored::unknown_category);
            break;
    }
}

void Events::take_kernel(const Event& event) {
    if (!is_communication_kernel(event.name)) {
        add_activity(event, compute_activity);
        return;
    }
    add_activity(event, static_cast<std::int32_t>(of_devices_.size()));
    of_devices_.push_back(pending_of(event));
    if (!of_devices_.back().has_facts) {
        facts_.want(of_devices_.back());
    }
}

void Events::take_on_host(const Event& event) {
    const std::string_view name = event.name;
    if (name.starts_with(of_gloo)) {
        add_communication_of_host(event);
    } else if (name == record_name && is_wait(event)) {
        ignore_on_host(event, Ignored::no_transfer);
    } else if (name == record_name || name.starts_with(of_nccl)) {
        facts_.add(event, end_of(event));
        use(event);
    } else if (event.category == Category::operation) {
        take_operation(event);
    } else {
        ignore_on_host(event, Ignored::annotation);
    }
}

void Events::take_operation(const Event& event) {
    if (!devices_.empty() || !computes(event.name)) {
        ignore_on_host(event, Ignored::host_operation);
        return;
    }
    host_.add(*event.start.time, end_of(event));
    ++computing_;
    use(event);
}

void Events::add_activity(const Event& event, std::int32_t what) {
    if (devices_.empty()) {
        // The time is the devices': what the host did is no longer needed.
        host_ = {};
        tally_.ignore(Ignored::host_operation, computing_);
        computing_ = 0;
    }
    devices_.add(event, what);
    use(event);
}

void Events::add_communication_of_host(const Event& event) {
    of_host_.push_back(pending_of(event));
    use(event);
}

void Events::use(const Event& event) {
    if (event.start.as_text || event.duration.as_text) {
        tally_.amend(Amended::time_as_text);
    }
}

void Events::ignore_on_host(const Event& event, Ignored reason) {
    const Nanoseconds start = *event.start.time;
    if (start == 0) {
        tally_.ignore_at_zero(reason);
    } else {
        nearest_on_host_ = std::min(nearest_on_host_, distance_from_zero(start));
        tally_.ignore(reason);
    }
}

Settled Events::settle_times() {
    if (devices_.empty()) {
        return host_.settle(of_host_);
    }
    tally_.ignore(Ignored::host_communication, static_cast<double>(of_host_.size()));
    return devices_.settle(of_devices_);
}

void Events::tell_facts(std::optional<int> world_size) {
    std::vector<const Facts*> found;
    bool names_groups = false;
    for (const PendingCommunication& pending : communications()) {
        found.push_back(pending.has_facts ? nullptr : facts_.find(pending));
        const bool names_group = pending.communication.ranks || (found.back() != nullptr && found.back()->ranks);
        names_groups = names_groups || names_group;
    }
    for (std::size_t index = 0; index < found.size(); ++index) {
        Communication& communication = communications()[index].communication;
        if (!names_groups && world_size.value_or(0) > 1) {
            communication.ranks = world_size;
            tally_.amend(Amended::of_all_ranks);
        }
        if (found[index] != nullptr) {
            tell(*found[index], communication);
        }
    }
}

Trace Events::settle(std::optional<int> world_size) {
    const Settled settled = settle_times();
    tell_facts(world_size);
    Trace trace = counted(settled);
    trace.times = settled.times;
    trace.devices = settled.devices;
    move_communications(settled, trace);
    return trace;
}

Trace Events::counted(const Settled& settled) {
    tally_.amend(Amended::cut, settled.cut);
    tally_.ignore(Ignored::zero_start, settled.zero_starts);
    if (settled.zero_starts > 0 || is_far_from_zero(nearest_on_host_)) {
        tally_.refuse_zeros();
    }
    Trace trace;
    trace.events = count_;
    trace.events_used = count_ - tally_.ignored_events();
    trace.ignored = tally_.ignored();
    trace.amended = tally_.amended();
    return trace;
}

void Events::move_communications(const Settled& settled, Trace& trace) {
    std::vector<PendingCommunication>& all = communications();
    Nanoseconds sum = 0;
    for (std::size_t index = 0; index < all.size(); ++index) {
        if (!settled.refused[index]) {
            all[index].communication.start_seconds = seconds(all[index].start - settled.first);
            all[index].communication.seconds = seconds(all[index].end - all[index].start);
            sum += all[index].end - all[index].start;
            trace.communications.push_back(std::move(all[index].communication));
        }
    }
    std::stable_sort(trace.communications.begin(), trace.communications.end(),
                     [](const Communication& a, const Communication& b) { return a.start_seconds < b.start_seconds; });
    if (!devices_.empty()) {
        trace.nccl_kernels = static_cast<int>(trace.communications.size());
        trace.nccl_seconds = seconds(sum);
    }
}

}  // namespace shardlab::measure
