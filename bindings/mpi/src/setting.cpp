#include "setting.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <shardlab/collective_cost.hpp>

#include "median.hpp"

namespace shardlab::mpi {

Setting setting_of(const Request& request, const Group& group) {
    return {.request = request,
            .hosts = group.hosts(),
            .library = library_version(),
            .bus_factor = all_reduce_cost(group.ranks(), 0).bus_factor};
}

double algorithm_bandwidth(const Row& row, const Measured& measured) {
    return measured.seconds > 0 ? row.bytes / measured.seconds : 0;
}

std::optional<double> time_ratio(const Row& row) {
    return row.mpi.seconds > 0 ? std::optional(row.ours.seconds / row.mpi.seconds) : std::nullopt;
}

std::optional<double> median_time_ratio(const std::vector<Row>& rows) {
    std::vector<double> ratios;
    for (const Row& row : rows) {
        if (const std::optional<double> ratio = time_ratio(row)) {
            ratios.push_back(*ratio);
        }
    }
    return ratios.empty() ? std::nullopt : std::optional(median(std::move(ratios)));
}

std::vector<Measurement> measurements_of(const std::vector<Row>& rows, Measured Row::*side) {
    constexpr double least_seconds = 1e-9;
    std::vector<Measurement> measurements;
    for (const Row& row : rows) {
        const double seconds = (row.*side).seconds;
        if (row.bytes > 0 && seconds >= least_seconds) {
            measurements.push_back({.bytes = row.bytes, .seconds = seconds});
        }
    }
    return measurements;
}

std::vector<Row> rows_of(const std::vector<Row>& rows, Algorithm algorithm) {
    std::vector<Row> selected;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(selected),
                 [algorithm](const Row& row) { return row.algorithm == algorithm; });
    return selected;
}

std::uint64_t wrong_elements(const std::vector<Row>& rows) {
    std::uint64_t wrong = 0;
    for (const Row& row : rows) {
        wrong += row.ours.wrong + row.mpi.wrong;
    }
    return wrong;
}

}  // namespace shardlab::mpi
