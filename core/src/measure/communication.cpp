#include <algorithm>
#include <array>
#include <map>

#include <shardlab/errors.hpp>
#include <shardlab/measure/communication.hpp>

namespace shardlab {
namespace {

constexpr std::array kind_names = {"all_reduce", "reduce_scatter", "all_gather", "all_to_all", "broadcast",
                                   "reduce",     "send_receive",   "barrier",    "other"};

/// A sum, and what the bus bandwidth of the kind is made of.
struct Adding {
    CommunicationSum sum;
    double bus_bytes = 0;
    double bus_seconds = 0;

    void add(const Communication& communication) {
        ++sum.count;
        sum.seconds += communication.seconds;
        sum.bytes += communication.bytes.value_or(0);
        sum.without_bytes += communication.bytes ? 0 : 1;
        sum.overlapped_seconds += communication.overlapped_seconds;
        if (const std::optional<double> bandwidth = bus_bytes_per_second(communication)) {
            bus_bytes += *bandwidth * communication.seconds;
            bus_seconds += communication.seconds;
        }
    }
};

bool is_measurable(const Communication& communication) {
    constexpr double shortest_seconds = 1e-9;
    return communication.kind == CommunicationKind::all_reduce && communication.ranks && *communication.ranks > 1 &&
           communication.bytes.value_or(0) >= 1 && communication.seconds >= shortest_seconds;
}

}  // namespace

const char* name_of(CommunicationKind kind) {
    return kind_names[static_cast<std::size_t>(kind)];
}

double bus_factor(CommunicationKind kind, int ranks) {
    require_int("ranks", ranks, 1);
    const double others = ranks - 1;
    switch (kind) {
        case CommunicationKind::all_reduce:
            return 2 * others / ranks;
        case CommunicationKind::reduce_scatter:
        case CommunicationKind::all_gather:
        case CommunicationKind::all_to_all:
            return others / ranks;
        default:
            return 1;
    }
}

std::optional<double> bus_bytes_per_second(const Communication& communication) {
    if (!communication.bytes || !communication.ranks || communication.seconds <= 0) {
        return std::nullopt;
    }
    return *communication.bytes / communication.seconds * bus_factor(communication.kind, *communication.ranks);
}

std::vector<CommunicationSum> sums_by_kind(const std::vector<Communication>& communications) {
    std::map<CommunicationKind, Adding> kinds;
    for (const Communication& communication : communications) {
        kinds[communication.kind].add(communication);
    }
    std::vector<CommunicationSum> sums;
    for (auto& [kind, adding] : kinds) {
        adding.sum.kind = kind;
        if (adding.bus_seconds > 0) {
            adding.sum.bus_bytes_per_second = adding.bus_bytes / adding.bus_seconds;
        }
        sums.push_back(adding.sum);
    }
    return sums;
}

std::vector<Measurement> all_reduce_measurements(const std::vector<Communication>& communications, int ranks) {
    std::map<double, double> shortest;
    for (const Communication& communication : communications) {
        if (is_measurable(communication) && *communication.ranks == ranks) {
            const auto [known, is_new] = shortest.try_emplace(*communication.bytes, communication.seconds);
            known->second = std::min(known->second, communication.seconds);
        }
    }
    std::vector<Measurement> measurements;
    measurements.reserve(shortest.size());
    for (const auto& [bytes, seconds] : shortest) {
        measurements.push_back({.bytes = bytes, .seconds = seconds});
    }
    return measurements;
}

std::optional<int> usual_all_reduce_ranks(const std::vector<Communication>& communications) {
    std::map<int, int> counts;
    for (const Communication& communication : communications) {
        if (is_measurable(communication)) {
            ++counts[*communication.ranks];
        }
    }
    const auto usual = std::max_element(counts.begin(), counts.end(),
                                        [](const auto& a, const auto& b) { return a.second <= b.second; });
    return usual == counts.end() ? std::nullopt : std::optional(usual->first);
}

}  // namespace shardlab
