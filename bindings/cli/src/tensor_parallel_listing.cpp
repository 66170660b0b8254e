#include "tensor_parallel_listing.hpp"

#include <nlohmann/json.hpp>

#include "numbers.hpp"

namespace shardlab::cli {

void add_gradient_errors(Answer& answer, const std::vector<ArrayError>& errors) {
    nlohmann::ordered_json gradients = nlohmann::ordered_json::object();
    for (const ArrayError& error : errors) {
        gradients[error.name] = error.max_rel;
    }
    answer.add_json("gradients", gradients);
}

nlohmann::ordered_json record_of(const CollectiveCall& call) {
    return {{"kind", name(call.kind)},
            {"phase", name(call.pass)},
            {"tensor", call.tensor},
            {"ranks", call.ranks},
            {"bytes", json_number(call.bytes)},
            {"bytes_sent_per_rank", json_number(call.bytes_sent_per_rank)}};
}

void add_collectives(Answer& answer, const std::vector<CollectiveCall>& calls) {
    answer.add_records("collectives", calls.size(), [&](std::size_t index) { return record_of(calls[index]); });
    answer.add("forward_bytes_per_rank", bytes_sent_per_rank(calls, Pass::forward));
    answer.add("backward_bytes_per_rank", bytes_sent_per_rank(calls, Pass::backward));
}

}  // namespace shardlab::cli
