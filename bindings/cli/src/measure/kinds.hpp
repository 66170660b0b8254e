#pragma once

/// @file
/// What `shardlab measure` reads.

#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace shardlab::cli {

/// Answers with the runs in what nccl-tests or shardlab-mpi wrote.
/// @param ranks where the file does not tell them
void measure_runs(const std::string& path, std::optional<int> ranks, std::optional<int> regimes, std::ostream& out);

/// Answers with what the traces of torch.profiler hold.
/// @param paths one for each rank
void measure_traces(const std::vector<std::string>& paths, std::optional<int> regimes, std::ostream& out);

}  // namespace shardlab::cli
