#pragma once

/// @file
/// What passes the ports of all ranks in a step.

#include <array>
#include <cstddef>
#include <vector>

#include <shardlab/collective/schedule.hpp>

namespace shardlab::collective {

/// Elements through the busiest of some ports, by the kind of link; less than 0 where no message passes, since one of
/// no elements still takes its latency.
struct PortLoad {
    double intra = -1;
    double inter = -1;
};

/// The ports of some ranks: for each a way out and a way in on either kind of link.
class Ports {
public:
    Ports(int ranks, int per_node);

    /// The load of the busiest ports in a step whose ranks have been checked.
    PortLoad busiest(const Step& step);

    /// The load of one rank's ports.
    PortLoad of_rank(const Step& step, int rank) const;

private:
    bool crosses(const Transfer& transfer) const {
        return node_[static_cast<std::size_t>(transfer.source)] !=
               node_[static_cast<std::size_t>(transfer.destination)];
    }
    void clear(const Step& step);

    /// Elements through the ports of one rank, by kind of link and direction.
    struct Elements {
        std::array<double, 2> out{};
        std::array<double, 2> in{};
    };

    std::vector<int> node_;           // (ranks)
    std::vector<Elements> elements_;  // (ranks), all 0 between two steps
};

}  // namespace shardlab::collective
