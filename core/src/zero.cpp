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

}  // namespace shardlab
