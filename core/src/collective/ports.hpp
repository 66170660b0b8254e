#pragma once

/// @file
/// What passes the ports of all ranks in a step.

#include <array>
#include <optional>
#include <vector>

#include <shardlab/collective/schedule.hpp>

namespace shardlab::collective {

/// Elements through the busiest of some ports, by the kind of link; none where no message passes.
struct PortLoad {
    std::optional<double> intra;
    std::optional<double> inter;
};

/// The load of one step.
struct StepLoad {
    PortLoad busiest;  ///< of all ranks
    PortLoad watched;  ///< of the rank that is looked at
};

/// The ports of some ranks: for each a way in and a way out on either kind of link.
class Ports {
public:
    Ports(int ranks, int per_node);

    /// The load of a step whose ranks have been checked.
    /// @param watched a rank whose own load is wanted
    StepLoad load(const Step& step, int watched);

private:
    enum Direction : std::size_t { out, in };

    double& elements(int rank, bool crosses, Direction direction) {
        return elements_[4 * static_cast<std::size_t>(rank) + (crosses ? 2 : 0) + direction];
    }

    std::vector<int> node_;         // (ranks)
    std::vector<double> elements_;  // (ranks, kinds of link, directions), all 0 between two steps
};

}  // namespace shardlab::collective
