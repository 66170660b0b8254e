#pragma once

/// @file
/// The sections of the worked example, in their order. Each takes its inputs from itself and every other number from
/// the core.

#include <ostream>

namespace shardlab::cli {

void demonstrate_all_reduce(std::ostream& out);
void demonstrate_data_parallel(std::ostream& out);
void demonstrate_tensor_parallel(std::ostream& out);
void demonstrate_pipeline(std::ostream& out);
void demonstrate_zero(std::ostream& out);

}  // namespace shardlab::cli
