#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <shardlab/measure/communication.hpp>

#include "event.hpp"

namespace shardlab::measure {

/// What an event tells of a communication.
struct Facts {
    CommunicationKind kind = CommunicationKind::other;
    std::optional<double> in_elements;
    std::optional<double> out_elements;
    std::optional<double> bytes_per_element;
    std::optional<int> ranks;
    std::string group;

    bool has_size() const { return in_elements.has_value() || out_elements.has_value(); }
};

/// The facts in an event: those of its arguments, and the kind of its name where these tell none.
Facts facts_of(const Event& event);

/// Whether the event is a record of no transfer: of waiting for one.
bool is_wait(const Event& event);

/// A communication, until everything that may tell of it has been read.
struct PendingCommunication {
    Communication communication;
    std::optional<std::uint64_t> external_id;
    std::optional<std::uint64_t> correlation;
    bool has_facts = false;  ///< it carries its size itself
    Nanoseconds start = 0;
    Nanoseconds end = 0;     ///< where the next activity of its stream has cut it, there
    Name thread = nameless;  ///< of one of the host
};

/// Fills in a communication from facts: what it has already stays.
void tell(const Facts& facts, Communication& communication);

/// Finds the facts of kernels that do not carry them.
class FactFinder {
public:
    /// A record of a communication on the host, or an annotation around one.
    void add(const Event& event, Nanoseconds end);

    /// A kernel without facts: its launch is wanted.
    void want(const PendingCommunication& pending);

    /// A launch.
    /// @return whether it may tell something
    bool add_launch(const Event& event);

    /// What else tells of a communication: what is around its launch, has its External id or, on the host, is around
    /// its start.
    const Facts* find(const PendingCommunication& pending) const;

private:
    struct Stretch {
        Nanoseconds end = 0;
        Facts facts;
    };
    using Stretches = std::multimap<Nanoseconds, Stretch>;
    struct Launch {
        Name thread = 0;
        Nanoseconds start = 0;
        bool known = false;
    };

    const Facts* around(Name thread, Nanoseconds time) const;

    std::unordered_map<Name, Stretches> stretches_;            // by thread, then by start
    std::unordered_map<std::uint64_t, const Facts*> records_;  // by External id
    std::unordered_map<std::uint64_t, Launch> launches_;       // by correlation
};

}  // namespace shardlab::measure
