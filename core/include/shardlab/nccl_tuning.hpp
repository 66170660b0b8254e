#pragma once

/// @file
/// NCCL's tuning model of the all-reduce: how long each algorithm and protocol takes at a size, by the constants that
/// NCCL itself chooses with.
///
/// The model is a latency and a bandwidth for each pair of algorithm and protocol, from tables by version,
/// architecture and link, with two corrections by size. Source: NVIDIA/nccl, src/graph/tuning.cc, ncclTopoTuneModel()
/// and ncclTopoGetAlgoTime(), tags v2.18.3-1 to v2.27.7-1 and master of version 2.30. What it leaves out:
/// - NVLS, NVLSTree, CollNetDirect and CollNetChain, which a group may have and NCCL may choose;
/// - the latency that a network card reports of itself, taken as 0 here;
/// - what a search for rings and trees finds: both have the same number of channels of the same rate here;
/// - one rule of steps for all versions, that of 2.27: a ring crosses the network 2(nodes - 1) times. Versions 2.12 to
///   2.21 count 2·nodes crossings. With one rank a node, versions since 2.26 take the tree's network latency for the
///   ring too, which is not modelled either.

#include <string>
#include <string_view>
#include <vector>

namespace shardlab {

/// NCCL's two algorithms that are modelled.
enum class NcclAlgorithm { tree, ring };

/// NCCL's protocols: flags in every 8 bytes (LL), in every 128 bytes (LL128), or none (Simple).
enum class NcclProtocol { ll, ll128, simple };

/// Generation of the accelerator.
enum class NcclArchitecture { volta, ampere, hopper, blackwell };

/// What joins the ranks of one node. With `net`, they too reach each other through the network.
enum class NcclLink { nvlink, pci, net };

/// Maker of the processor, which sets what a message to another node costs and how fast LL is between nodes.
enum class NcclCpu { intel, amd };

const char* name(NcclAlgorithm algorithm);        ///< `Tree`, `Ring`
const char* name(NcclProtocol protocol);          ///< `LL`, `LL128`, `Simple`
const char* name(NcclArchitecture architecture);  ///< `volta`, `ampere`, `hopper`, `blackwell`

/// The architecture of that name, in capitals or not.
/// @throws invalid_argument naming arch
NcclArchitecture nccl_architecture_from_name(std::string_view name);

/// The link of that name: `nvlink`, `pci`, `net`.
/// @throws invalid_argument naming link
NcclLink nccl_link_from_name(std::string_view name);

/// The processor's maker of that name: `intel`, `amd`.
/// @throws invalid_argument naming cpu
NcclCpu nccl_cpu_from_name(std::string_view name);

/// The versions whose constants are complete, by their tags: `v2.18.3-1`, ..., `master@5067397c`.
std::vector<std::string> nccl_tuning_versions();

/// A group of ranks as NCCL's model sees it.
struct NcclGroup {
    /// Tag of NCCL (`v2.18.3-1`), or its short forms `2.18.3` and `2.18`.
    std::string version = "v2.27.7-1";
    NcclArchitecture architecture = NcclArchitecture::ampere;  ///< one that the version knows
    int ranks = 2;                                             ///< world size, 2 to most_priced_ranks
    int nodes = 1;                                             ///< a divisor of ranks
    NcclLink link = NcclLink::nvlink;                          ///< inside a node
    int channels = 1;                                          ///< rings, or trees, that run side by side: 1 to 64
    double channel_bytes_per_second = 1;                       ///< bus bandwidth of one channel: 1 to 1e18
    NcclCpu cpu = NcclCpu::intel;                              ///< counts between nodes only
    bool tree_pattern = false;  ///< true if the trees pass through one GPU a node, which costs 15 percent
};

/// What one algorithm takes by one protocol:
/// seconds = latency_seconds · latency_factor + bytes / (bytes_per_second · bandwidth_factor).
struct NcclTime {
    NcclAlgorithm algorithm = NcclAlgorithm::tree;  ///< of the pair
    NcclProtocol protocol = NcclProtocol::ll;       ///< of the pair
    double seconds = 0;                             ///< at the size asked for
    double latency_seconds = 0;                     ///< as NCCL prints it with NCCL_DEBUG=INFO
    double bytes_per_second = 0;                    ///< algorithm bandwidth, as NCCL prints it
    double latency_factor = 1;                      ///< over 1 where a ring between nodes has reached its plateau
    double bandwidth_factor = 1;                    ///< under 1 where trees of that size fall behind the model
    bool enabled = true;  ///< false for LL128 where NCCL does not use it by itself: not over PCI
};

/// The times of all pairs, and the one that NCCL chooses.
struct NcclTuning {
    std::vector<NcclTime> times;  ///< Tree before Ring; LL, LL128, Simple
    NcclTime choice;              ///< the shortest of those that are enabled; the first of equal ones
};

/// The times of an all-reduce of `bytes` bytes on each rank.
/// @throws invalid_argument naming version (unknown, or with tables that are incomplete), arch (unknown to that
///         version), ranks, nodes, channels, channel_bytes_per_second or bytes
NcclTuning nccl_tuning(const NcclGroup& group, double bytes);

}  // namespace shardlab
