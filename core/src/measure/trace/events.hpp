#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <shardlab/measure/trace.hpp>

#include "activities.hpp"
#include "event.hpp"
#include "facts.hpp"
#include "tally.hpp"

namespace shardlab::measure {

/// Takes the events of a trace one after the other and keeps of each what the result needs.
class Events {
public:
    explicit Events(std::string_view parameter) : devices_(parameter) {}

    /// The next event.
    void take(Event& event);

    /// Something in the list of events that is none.
    void take_other();

    /// How many have come.
    double count() const { return count_; }

    /// What they came to, without what the trace says of itself.
    /// @param world_size of which every communication is taken to be where none names a group
    Trace settle(std::optional<int> world_size);

private:
    void take_timed(const Event& event);
    void take_kernel(const Event& event);
    void take_on_host(const Event& event);
    void take_operation(const Event& event);
    void add_activity(const Event& event, std::int32_t what);
    void add_communication_of_host(const Event& event);
    void use(const Event& event);
    void ignore_on_host(const Event& event, Ignored reason);

    Settled settle_times();
    std::vector<PendingCommunication>& communications() { return devices_.empty() ? of_host_ : of_devices_; }
    void tell_facts(std::optional<int> world_size);
    Trace counted(const Settled& settled);
    void move_communications(const Settled& settled, Trace& trace);

    Activities devices_;
    HostActivities host_;
    FactFinder facts_;
    Tally tally_;
    std::vector<PendingCommunication> of_devices_;
    std::vector<PendingCommunication> of_host_;
    double count_ = 0;
    double computing_ = 0;                 // operations of the host that compute
    Nanoseconds nearest_on_host_ = never;  // start to 0, but for 0 itself
};

}  // namespace shardlab::measure
