#include <nlohmann/json.hpp>

#include <shardlab/measure.hpp>

#include "../answer.hpp"
#include "../files.hpp"
#include "../numbers.hpp"
#include "kinds.hpp"
#include "records.hpp"

namespace shardlab::cli {
namespace {

using Json = nlohmann::ordered_json;

Json measurement_records(const AllReduceRun& run, std::optional<int> ranks) {
    Json records = Json::array();
    for (const Measurement& measurement : run.measurements) {
        Json record{{"bytes", json_number(measurement.bytes)}, {"seconds", json_number(measurement.seconds)}};
        if (ranks) {
            const double factor = bus_factor(CommunicationKind::all_reduce, *ranks);
            record["bus_bandwidth"] = json_number(measurement.bytes / measurement.seconds * factor);
        }
        records.push_back(std::move(record));
    }
    return records;
}

}  // namespace

void measure_runs(const std::string& path, std::optional<int> ranks, std::optional<int> regimes, std::ostream& out) {
    const AllReduceRuns read = read_all_reduce_runs(file_text("nccl-tests", path, largest_log), path);
    Answer answer(out);
    answer.add_records("runs", read.runs.size(), [&](std::size_t index) {
        const AllReduceRun& run = read.runs[index];
        const std::optional<int> known = run.ranks ? run.ranks : ranks;
        Json record{{"id", run.id}};
        if (known) {
            record["ranks"] = *known;
        }
        record["measurements"] = measurement_records(run, known);
        record["fit"] = fit_record(run.measurements, known, regimes);
        return record;
    });
    add_lines(answer, read);
    answer.close();
}

}  // namespace shardlab::cli
