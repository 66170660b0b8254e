#include <algorithm>
#include <cmath>

#include <shardlab/errors.hpp>
#include <shardlab/zero.hpp>

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
    if (std::fmod(alignment, ranks) != 0) {
        throw invalid_argument("alignment", number_text(alignment),
                               "be a multiple of the ranks, which are " + number_text(ranks));
    }
    const double rest = std::fmod(elements, alignment);
    const double missing = rest == 0 ? 0 : alignment - rest;
    if (missing > largest_count - elements) {
        throw invalid_argument("elements", number_text(elements),
                               "be at most " + number_text(largest_count) + " when padded");
    }

    ZeroPartition partition{.padded_elements = elements + missing, .elements_per_rank = 0, .padding = {}};
    partition.elements_per_rank = partition.padded_elements / ranks;
    for (int rank = 0; rank < ranks; ++rank) {
        const double end = (rank + 1.0) * partition.elements_per_rank;
        partition.padding.push_back(std::clamp(end - elements, 0.0, partition.elements_per_rank));
    }
    return partition;
}

}  // namespace shardlab
