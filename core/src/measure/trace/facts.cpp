#include "facts.hpp"

#include <algorithm>
#include <cmath>

#include <shardlab/collective_cost.hpp>
#include <shardlab/errors.hpp>

#include "words.hpp"

namespace shardlab::measure {
namespace {

/// Whether it is a number of ranks that a collective may have here.
std::optional<int> ranks_of(std::optional<double> group_size) {
    const bool is_rank_count =
        group_size && *group_size >= 1 && *group_size <= most_priced_ranks && *group_size == std::floor(*group_size);
    return is_rank_count ? std::optional(static_cast<int>(*group_size)) : std::nullopt;
}

/// The elements that nccl-tests would count.
std::optional<double> elements_of(const Facts& facts, CommunicationKind kind, std::optional<int> ranks) {
    if (kind != CommunicationKind::all_gather) {
        const bool only_out = !facts.in_elements || (*facts.in_elements == 0 && facts.out_elements);
        return only_out ? facts.out_elements : facts.in_elements;
    }
    if (facts.out_elements) {
        return facts.out_elements;
    }
    return facts.in_elements && ranks ? std::optional(*facts.in_elements * *ranks) : std::nullopt;
}

}  // namespace

Facts facts_of(const Event& event) {
    Facts facts;
    facts.kind = event.collective.empty() ? kind_in(event.name) : kind_in(event.collective);
    facts.in_elements = event.in_elements;
    facts.out_elements = event.out_elements;
    const bool by_shapes = !facts.has_size() && event.dimensions > 0 && event.dimensions <= largest_count;
    if (by_shapes) {
        facts.in_elements = event.dimensions;
    }
    facts.bytes_per_element = element_bytes(event.type.empty() ? event.input_type : event.type);
    facts.ranks = ranks_of(event.group_size);
    facts.group = event.group;
    return facts;
}

bool is_wait(const Event& event) {
    return event.collective == "wait";
}

void tell(const Facts& facts, Communication& communication) {
    if (communication.kind == CommunicationKind::other || communication.kind == CommunicationKind::send_receive) {
        // NCCL's kernel for an all-to-all is that of sends and receives.
        communication.kind = facts.kind == CommunicationKind::other ? communication.kind : facts.kind;
    }
    communication.ranks = communication.ranks ? communication.ranks : facts.ranks;
    if (communication.group.empty()) {
        communication.group = facts.group;
    }
    if (!communication.elements) {
        communication.elements = elements_of(facts, communication.kind, communication.ranks);
    }
    if (communication.elements && facts.bytes_per_element && !communication.bytes) {
        const double bytes = *communication.elements * *facts.bytes_per_element;
        communication.bytes = bytes <= largest_count ? std::optional(bytes) : std::nullopt;
    }
}

void FactFinder::add(const Event& event, Nanoseconds end) {
    const auto added = stretches_[event.thread].insert({*event.start.time, {.end = end, .facts = facts_of(event)}});
    if (event.external_id && added->second.facts.has_size()) {
        records_[*event.external_id] = &added->second.facts;
    }
}

void FactFinder::want(const PendingCommunication& pending) {
    if (pending.correlation) {
        launches_.try_emplace(*pending.correlation);
    }
}

bool FactFinder::add_launch(const Event& event) {
    if (!event.correlation) {
        return false;
    }
    const auto wanted = launches_.find(*event.correlation);
    const bool may_tell = wanted != launches_.end() || around(event.thread, *event.start.time) != nullptr;
    if (may_tell) {
        launches_[*event.correlation] = {.thread = event.thread, .start = *event.start.time, .known = true};
    }
    return may_tell;
}

const Facts* FactFinder::find(const PendingCommunication& pending) const {
    if (pending.correlation) {
        const auto launch = launches_.find(*pending.correlation);
        const bool known = launch != launches_.end() && launch->second.known;
        const Facts* const facts = known ? around(launch->second.thread, launch->second.start) : nullptr;
        if (facts != nullptr) {
            return facts;
        }
    }
    // Older kineto gives a kernel its correlation as External id: no record's, though one may have the same number.
    const bool may_be_joined = pending.external_id && pending.external_id != pending.correlation;
    const auto record = may_be_joined ? records_.find(*pending.external_id) : records_.end();
    return record == records_.end() ? around(pending.thread, pending.start) : record->second;
}

/// The innermost stretch around a time that tells a size, or else the innermost. A record has an annotation in it, and
/// that no more: those before cannot reach so far.
const Facts* FactFinder::around(Name thread, Nanoseconds time) const {
    constexpr int most_nested = 4;
    const auto of_thread = stretches_.find(thread);
    if (of_thread == stretches_.end()) {
        return nullptr;
    }
    const Facts* innermost = nullptr;
    auto before = of_thread->second.upper_bound(time);
    for (int nested = 0; nested < most_nested && before != of_thread->second.begin(); ++nested) {
        --before;
        const bool reaches = before->second.end >= time;
        if (reaches && before->second.facts.has_size()) {
            return &before->second.facts;
        }
        if (reaches && innermost == nullptr) {
            innermost = &before->second.facts;
        }
    }
    return innermost;
}

}  // namespace shardlab::measure
