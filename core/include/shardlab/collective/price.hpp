#pragma once

/// @file
/// What a collective's schedule takes in time, over links of latency and bandwidth.
///
/// Each rank has a port for sending and a port for receiving on each kind of link. A step lasts as long as its busiest
/// port: one latency, and the bytes that pass the port in this step at the link's rate. Steps come one after the other.

#include <optional>
#include <vector>

#include <shardlab/collective/builders.hpp>
#include <shardlab/collective/schedule.hpp>
#include <shardlab/hardware.hpp>

namespace shardlab {

/// A rank whose ports are slow.
struct SlowRank {
    int rank = 0;       ///< which
    double factor = 1;  ///< how many times as long its messages take, 1 to 1e6
};

/// Seconds that each step of a schedule takes over links of which those between nodes differ from those inside.
/// @param element_bytes bytes of one element; a fraction where an element stands for a part of a larger tensor
/// @throws invalid_argument naming a field of the links, element_bytes, rank or factor, or schedule if a transfer
///         leaves the buffers
std::vector<double> seconds_per_step(const CollectiveSchedule& schedule, const Links& links, double element_bytes,
                                     std::optional<SlowRank> slow = std::nullopt);

/// Seconds that a whole schedule takes: the sum of its seconds_per_step(), whose arguments and errors it has.
double price_seconds(const CollectiveSchedule& schedule, const Links& links, double element_bytes,
                     std::optional<SlowRank> slow = std::nullopt);

/// The same over one kind of link.
double price_seconds(const CollectiveSchedule& schedule, const Link& link, double element_bytes);

/// What a port takes as a function of the tensor's size S: latency_seconds + seconds_per_byte · S.
struct PriceLine {
    double latency_seconds = 0;   ///< at size 0
    double seconds_per_byte = 0;  ///< per byte of the whole tensor, not of the message

    bool operator==(const PriceLine&) const = default;
};

/// Steps that take the same time at every size: the largest of their lines.
struct PricedSteps {
    std::vector<PriceLine> lines;  ///< at least one; rising in seconds_per_byte and falling in latency_seconds
    double count = 0;              ///< how many steps
};

/// The time of a collective as a function of the tensor's size: a sum of maxima of lines, so continuous, never falling,
/// and convex.
struct PriceCurve {
    std::vector<PricedSteps> steps;  ///< no two with the same lines; none where there is nothing to do

    /// Seconds for a tensor of `bytes` on each rank.
    /// @param bytes 0 to 1e290, a fraction too
    /// @throws invalid_argument naming bytes
    double seconds(double bytes) const;
};

/// The curve of a schedule, whose chunks grow in proportion with its tensor.
/// @throws invalid_argument naming a field of the links, elements if the schedule has none, or schedule if a transfer
///         leaves the buffers
PriceCurve price_curve(const CollectiveSchedule& schedule, const Links& links);

/// The curve of an all-reduce at sizes that divide evenly into all chunks and slices.
/// @throws invalid_argument naming algorithm, ranks, slices, per_node or a field of the links
PriceCurve price_curve(Algorithm algorithm, int ranks, const ScheduleOptions& options, const Links& links);

}  // namespace shardlab
