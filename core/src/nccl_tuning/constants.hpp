#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace shardlab::nccl {

/// By protocol (LL, LL128, Simple), or by number of nodes (1, 2, more).
using Triple = std::array<double, 3>;

/// Microseconds by protocol.
struct Latencies {
    Triple tree;
    Triple ring;
};

/// Bandwidths in GB/s, by number of nodes.
struct Limits {
    Triple ll;          ///< of all channels together
    Triple ring_ll128;  ///< of a channel
    Triple tree_ll128;  ///< of a channel
    Triple tree;        ///< of a channel
};

/// What one version of NCCL knows.
struct Constants {
    std::array<std::string_view, 3> names;  ///< its tag, and shorter ones
    Latencies base;
    std::array<Latencies, 3> links;  ///< NVLink, PCI, network
    double ring_ll_factor;           ///< bus bandwidth of LL over that of Simple, in a ring
    std::vector<Limits> limits;      ///< by architecture, from Volta on: as many as the version knows
};

/// The versions whose tables are complete.
const std::vector<Constants>& versions();

/// The constants of a version.
/// @throws invalid_argument naming version
const Constants& constants_of(std::string_view version);

/// What is left of a tree's bandwidth at a size.
/// @param protocol 0 to 2: LL, LL128, Simple
double tree_correction(std::size_t protocol, double bytes);

}  // namespace shardlab::nccl
