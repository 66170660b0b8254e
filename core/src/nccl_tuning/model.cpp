#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include <shardlab/collective_cost.hpp>
#include <shardlab/errors.hpp>
#include <shardlab/nccl_tuning.hpp>

#include "constants.hpp"

namespace shardlab {
namespace {

constexpr double microsecond = 1e-6;
constexpr double gigabyte = 1e9;

/// A group with its constants at hand; all its methods are the model's terms.
class Model {
public:
    Model(const NcclGroup& group, const nccl::Constants& constants)
        : group_(group), constants_(constants), scale_(static_cast<std::size_t>(std::min(group.nodes, 3) - 1)) {}

    NcclTime time(NcclAlgorithm algorithm, NcclProtocol protocol, double bytes) const {
        const bool ring = algorithm == NcclAlgorithm::ring;
        const auto column = static_cast<std::size_t>(protocol);
        NcclTime time = {.algorithm = algorithm, .protocol = protocol};
        time.latency_seconds = microsecond * (ring ? ring_latency(column) : tree_latency(column));
        time.bytes_per_second = gigabyte * (ring ? ring_bandwidth(protocol) : tree_bandwidth(protocol));
        time.latency_factor = ring && protocol == NcclProtocol::simple ? plateau(bytes) : 1;
        time.bandwidth_factor = ring ? 1 : nccl::tree_correction(column, bytes);
        time.enabled = protocol != NcclProtocol::ll128 || has_ll128();
        time.seconds =
            time.latency_seconds * time.latency_factor + bytes / (time.bytes_per_second * time.bandwidth_factor);
        return time;
    }

private:
    double ranks_per_node() const { return static_cast<double>(group_.ranks) / group_.nodes; }
    double bus_bandwidth() const { return group_.channels * (group_.channel_bytes_per_second / gigabyte); }
    const nccl::Latencies& inside() const { return constants_.links[static_cast<std::size_t>(group_.link)]; }
    const nccl::Latencies& between() const { return constants_.links.back(); }
    const nccl::Limits& limits() const { return constants_.limits[static_cast<std::size_t>(group_.architecture)]; }

    /// Inside a node LL is as fast as the GPU; between nodes the first two rows stand for the processor.
    double ll_limit() const {
        const nccl::Limits& row = group_.nodes == 1 ? limits() : constants_.limits[group_.cpu == NcclCpu::amd ? 1 : 0];
        return row.ll[scale_];
    }

    /// Every step of a ring between nodes waits for the one that posts to the network.
    double network_overhead(std::size_t protocol) const {
        const double posting = group_.cpu == NcclCpu::amd ? 2.0 : 1.0;
        const bool simple = protocol == static_cast<std::size_t>(NcclProtocol::simple);
        return group_.nodes == 1 ? 0 : posting * (simple ? 3 : 1);
    }

    double ring_latency(std::size_t protocol) const {
        const double steps = 2.0 * (group_.ranks - 1);
        const double steps_between = 2.0 * (group_.nodes - 1);
        const double step_inside = std::max(inside().ring[protocol], network_overhead(protocol));
        return constants_.base.ring[protocol] + (steps - steps_between) * step_inside +
               steps_between * between().ring[protocol];
    }

    double tree_latency(std::size_t protocol) const {
        const auto levels_between = static_cast<double>(std::bit_width(static_cast<unsigned>(group_.nodes)) - 1);
        return constants_.base.tree[protocol] +
               2 * ((ranks_per_node() - 1) * inside().tree[protocol] + levels_between * between().tree[protocol]);
    }

    double ring_bandwidth(NcclProtocol protocol) const {
        double bus = bus_bandwidth();
        if (protocol == NcclProtocol::ll) {
            bus = std::min(ll_limit(), bus * constants_.ring_ll_factor);
        } else if (protocol == NcclProtocol::ll128) {
            bus = std::min(bus * 0.92, group_.channels * limits().ring_ll128[scale_]);
        }
        return bus * group_.ranks / (2.0 * (group_.ranks - 1));
    }

    double tree_bandwidth(NcclProtocol protocol) const {
        double bus = std::min(bus_bandwidth() * 0.92, group_.channels * limits().tree[scale_]);
        if (protocol == NcclProtocol::ll) {
            bus = std::min(bus / 3.8, ll_limit());
        } else if (protocol == NcclProtocol::ll128) {
            const double payload = group_.nodes == 1 ? 7.0 / 9.0 : 120.0 / 128.0;
            bus = std::min(bus * payload, group_.channels * limits().tree_ll128[scale_]);
        }
        return bus * (group_.tree_pattern ? 0.85 : 1) * 0.5;
    }

    /// The ring's latency once messages fill the pipeline between nodes.
    double plateau(double bytes) const {
        constexpr double bytes_of_full_pipeline = 64;
        const double share = std::floor(bytes / (static_cast<double>(group_.channels) * group_.ranks));
        if (group_.nodes == 1 || share < bytes_of_full_pipeline) {
            return 1;
        }
        return group_.architecture == NcclArchitecture::volta ? 1.9 : 1.4;
    }

    /// LL128 needs stores of 128 bytes that arrive whole, which NVLink keeps; a rank that is alone on its node has only
    /// the network.
    bool has_ll128() const { return group_.link == NcclLink::nvlink || group_.ranks == group_.nodes; }

    const NcclGroup& group_;
    const nccl::Constants& constants_;
    std::size_t scale_;
};

void require_group(const NcclGroup& group, const nccl::Constants& constants) {
    constexpr int most_channels = 64;
    constexpr double highest_rate = 1e18;
    if (static_cast<std::size_t>(group.architecture) >= constants.limits.size()) {
        throw invalid_argument("arch", name(group.architecture),
                               "be known to NCCL " + std::string(constants.names.front()) + ": volta to " +
                                   name(static_cast<NcclArchitecture>(constants.limits.size() - 1)));
    }
    require_int("ranks", group.ranks, 2, most_priced_ranks);
    require_int("nodes", group.nodes, 1, group.ranks);
    if (group.ranks % group.nodes != 0) {
        throw invalid_argument("nodes", std::to_string(group.nodes),
                               "divide the ranks, " + std::to_string(group.ranks) + ", into nodes of one size");
    }
    require_int("channels", group.channels, 1, most_channels);
    require_between("channel_bytes_per_second", group.channel_bytes_per_second, 1, highest_rate);
}

}  // namespace

NcclTuning nccl_tuning(const NcclGroup& group, double bytes) {
    const nccl::Constants& constants = nccl::constants_of(group.version);
    require_group(group, constants);
    require_count("bytes", bytes);

    const Model model(group, constants);
    NcclTuning tuning;
    for (const NcclAlgorithm algorithm : {NcclAlgorithm::tree, NcclAlgorithm::ring}) {
        for (const NcclProtocol protocol : {NcclProtocol::ll, NcclProtocol::ll128, NcclProtocol::simple}) {
            tuning.times.push_back(model.time(algorithm, protocol, bytes));
        }
    }
    tuning.choice =
        *std::min_element(tuning.times.begin(), tuning.times.end(), [](const NcclTime& a, const NcclTime& b) {
            return a.enabled != b.enabled ? a.enabled : a.seconds < b.seconds;
        });
    return tuning;
}

}  // namespace shardlab
