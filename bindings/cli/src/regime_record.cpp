#include "regime_record.hpp"

#include <nlohmann/json.hpp>

#include <shardlab/collective_cost.hpp>

#include "numbers.hpp"

namespace shardlab::cli {

nlohmann::ordered_json regime_record(const Regime& regime, std::optional<int> ranks) {
    nlohmann::ordered_json record{{"from_bytes", json_number(regime.from_bytes)},
                                  {"to_bytes", json_number(regime.to_bytes)},
                                  {"latency_seconds", json_number(regime.latency_seconds)},
                                  {"bytes_per_second", json_number(regime.bytes_per_second)}};
    if (ranks) {
        record["bus_bytes_per_second"] = json_number(regime.bytes_per_second * all_reduce_cost(*ranks, 0).bus_factor);
    }
    record["points"] = regime.points;
    return record;
}

}  // namespace shardlab::cli
