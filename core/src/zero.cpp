#include <algorithm>
#include <cstdint>

#include <shardlab/errors.hpp>
#include <shardlab/zero.hpp>

#include "refuse.hpp"

namespace shardlab {

ZeroMemory zero_memory_per_gpu(double params, int ranks, int zero_stage) {
    require_count("params", params, 1);
    require_int("ranks", ranks, 1);
    require_int("zero_stage", zero_stage, 0, 3);

    constexpr double half_precision = 2;
    constexpr double adam_states = 12;  // fp32 weights, momentum and variance: 4 bytes each
    const auto bytes = [&](double bytes_per_parameter, int sharded_from_stage) {
        const double whole = bytes_per_parameter * params;
        return zero_stage >= sharded_from_stage ? whole / ranks : whole;
    };

    ZeroMemory memory{.parameter_bytes = bytes(half_precision, 3),
                      .gradient_bytes = bytes(half_precision, 2),
                      .optimizer_bytes = bytes(adam_states, 1),
                      .total_bytes = 0};
    memory.total_bytes = memory.parameter_bytes + memory.gradient_bytes + memory.optimizer_bytes;
    return memory;
}

ZeroPartition zero_partition(double elements, int ranks, double alignment) {
    require_count("elements", elements, 1);
    require_int("ranks", ranks, 1, most_partition_ranks);
    require_count("alignment", alignment, 1);
    const auto unit = static_cast<std::uint64_t>(alignment);
    if (unit % static_cast<std::uint64_t>(ranks) != 0) {
        refuse("alignment", "#", "be a multiple of the ranks, which are #", {alignment, 1.0 * ranks});
    }
    const auto rest = static_cast<double>(static_cast<std::uint64_t>(elements) % unit);
    const double missing = rest == 0 ? 0 : alignment - rest;
    if (missing > largest_count - elements) {
        refuse("elements", "#", "be at most # when padded", {elements, largest_count});
    }

    const double share = (elements + missing) / ranks;
    ZeroPartition partition{.padded_elements = elements + missing,
                            .elements_per_rank = share,
                            .padding = std::vector<double>(static_cast<std::size_t>(ranks))};
    double end = 0;
    for (double& padding : partition.padding) {
        end += share;
        padding = std::clamp(end - elements, 0.0, share);
    }
    return partition;
}

}  // namespace shardlab
