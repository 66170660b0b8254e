#include <nlohmann/json.hpp>

#include <shardlab/version.hpp>

#include "answer.hpp"
#include "measure/records.hpp"
#include "numbers.hpp"
#include "report.hpp"

namespace shardlab::mpi {
namespace {

using cli::json_number;

/// The version of the shape, which its readers look at.
constexpr int shape_version = 1;

constexpr const char* mpi_name = "mpi";

nlohmann::ordered_json record(const char* algorithm, const Row& row, const Measured& measured, double bus_factor) {
    const double bandwidth = algorithm_bandwidth(row, measured);
    return {{"algorithm", algorithm},
            {"bytes", json_number(row.bytes)},
            {"elements", json_number(static_cast<double>(row.elements))},
            {"seconds", json_number(measured.seconds)},
            {"algorithm_bytes_per_second", json_number(bandwidth)},
            {"bus_bytes_per_second", json_number(bandwidth * bus_factor)},
            {"wrong", measured.wrong}};
}

/// Each size twice: ours, then MPI's in the same run.
nlohmann::ordered_json record(std::size_t index, const std::vector<Row>& rows, double bus_factor) {
    const Row& row = rows[index / 2];
    if (index % 2 == 0) {
        nlohmann::ordered_json ours = record(name(row.algorithm), row, row.ours, bus_factor);
        if (const std::optional<double> ratio = time_ratio(row)) {
            ours["seconds_over_mpi"] = json_number(*ratio);
        }
        return ours;
    }
    nlohmann::ordered_json mpi = record(mpi_name, row, row.mpi, bus_factor);
    mpi["beside"] = name(row.algorithm);
    mpi["other_bits"] = row.other_bits;
    return mpi;
}

nlohmann::ordered_json fit_record(const char* algorithm, const std::vector<Row>& rows, Measured Row::*side, int ranks) {
    nlohmann::ordered_json record{{"algorithm", algorithm}};
    record.update(cli::fit_record(measurements_of(rows, side), ranks, std::nullopt));
    return record;
}

/// Of each algorithm, then of MPI's over all rows.
std::vector<nlohmann::ordered_json> fit_records(const Setting& setting, const std::vector<Row>& rows) {
    std::vector<nlohmann::ordered_json> records;
    for (const Algorithm algorithm : setting.request.algorithms) {
        records.push_back(fit_record(name(algorithm), rows_of(rows, algorithm), &Row::ours, setting.ranks()));
    }
    records.push_back(fit_record(mpi_name, rows, &Row::mpi, setting.ranks()));
    return records;
}

}  // namespace

void write_json(const Setting& setting, const std::vector<Row>& rows, std::ostream& out) {
    cli::Answer answer(out);
    answer.add_text("format", "shardlab-mpi");
    answer.add("version", shape_version);
    answer.add_text("shardlab", SHARDLAB_VERSION);
    answer.add_text("mpi", setting.library);
    answer.add_json("hosts", setting.hosts);
    answer.add("ranks", setting.ranks());
    answer.add_text("collective", "all_reduce");
    answer.add_text("type", nccl_name(setting.request.dtype));
    answer.add_text("redop", "sum");
    answer.add("iterations", setting.request.iterations);
    answer.add("warmup", setting.request.warmup);
    answer.add_records("rows", 2 * rows.size(),
                       [&](std::size_t index) { return record(index, rows, setting.bus_factor); });
    const std::vector<nlohmann::ordered_json> fits = fit_records(setting, rows);
    answer.add_records("fits", fits.size(), [&](std::size_t index) { return fits[index]; });
    answer.close();
}

}  // namespace shardlab::mpi
