#pragma once

/// @file
/// Where a run was measured, and what its times say.

#include <optional>
#include <string>
#include <vector>

#include <shardlab/measure/runs.hpp>

#include "benchmark.hpp"
#include "group.hpp"
#include "request.hpp"

namespace shardlab::mpi {

/// What every row of a run shares.
struct Setting {
    Request request;
    std::vector<std::string> hosts;  ///< by rank
    std::string library;             ///< MPI's, as it names itself
    double bus_factor = 0;           ///< bus bandwidth over algorithm bandwidth

    int ranks() const { return static_cast<int>(hosts.size()); }
};

/// The setting of a request; all ranks call it together.
Setting setting_of(const Request& request, const Group& group);

/// Bytes per second; 0 where the clock saw no time pass.
double algorithm_bandwidth(const Row& row, const Measured& measured);

/// Our time over MPI's; nothing where the clock saw none pass.
std::optional<double> time_ratio(const Row& row);

/// The median of these ratios over rows; nothing where none has one.
std::optional<double> median_time_ratio(const std::vector<Row>& rows);

/// What the core fits latency and bandwidth to, of one of the two: rows with bytes and a time.
std::vector<Measurement> measurements_of(const std::vector<Row>& rows, Measured Row::*side);

/// The rows of one algorithm, in their order.
std::vector<Row> rows_of(const std::vector<Row>& rows, Algorithm algorithm);

/// Elements of all rows that are not what they must be.
std::uint64_t wrong_elements(const std::vector<Row>& rows);

}  // namespace shardlab::mpi
