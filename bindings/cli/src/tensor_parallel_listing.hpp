#pragma once

/// @file
/// What the commands of tensor parallelism have in common in their answers.

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <shardlab/tensor_parallel/block.hpp>

#include "answer.hpp"

namespace shardlab::cli {

/// Adds `gradients`: the relative error of each by its name.
void add_gradient_errors(Answer& answer, const std::vector<ArrayError>& errors);

/// A collective as a record.
nlohmann::ordered_json record_of(const CollectiveCall& call);

/// Adds `collectives`, in the order of the calls, and what a rank sends in those of each pass.
void add_collectives(Answer& answer, const std::vector<CollectiveCall>& calls);

}  // namespace shardlab::cli
