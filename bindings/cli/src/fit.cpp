#include <algorithm>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <shardlab/collective_cost.hpp>
#include <shardlab/measure.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "files.hpp"
#include "measure/records.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add("input", "FILE", "a CSV with the columns size_B and oop_time_us, or what all_reduce_perf printed");
    options.add("regimes", "1..3", "ranges of size with a latency and a bandwidth each; as few as serve by default");
    options.add("run", "ID", "which run of a file that holds several: its run_id, or the number of its table");
    options.add("ranks", "N", "world size, where the file does not tell it: adds the bus bandwidth");
}

std::string ids_of(const std::vector<AllReduceRun>& runs) {
    constexpr std::size_t most_shown = 20;
    std::string list;
    for (std::size_t index = 0; index < std::min(runs.size(), most_shown); ++index) {
        list += (index == 0 ? "" : ", ") + runs[index].id;
    }
    return runs.size() > most_shown ? list + ", ..." : list;
}

const AllReduceRun& run_asked_for(const Options& options, const std::vector<AllReduceRun>& runs) {
    if (!options.given("run")) {
        if (runs.size() > 1) {
            throw invalid_argument("run", "missing", "be one of the runs that the file holds: " + ids_of(runs));
        }
        return runs.front();
    }
    const std::string id = options.text("run");
    const auto found = std::find_if(runs.begin(), runs.end(), [&](const AllReduceRun& run) { return run.id == id; });
    if (found == runs.end()) {
        throw invalid_argument("run", id, "be one of the runs that the file holds: " + ids_of(runs));
    }
    return *found;
}

std::optional<int> ranks_known(const Options& options, const AllReduceRun& run) {
    return options.given("ranks") ? options.whole("ranks", 1, most_priced_ranks) : run.ranks;
}

Fit fit_asked_for(const Options& options, const AllReduceRun& run) {
    const std::optional<int> regimes =
        options.given("regimes") ? std::optional(options.whole("regimes", 1, most_regimes)) : std::nullopt;
    try {
        return fit_regimes(run.measurements, regimes);
    } catch (const invalid_argument& error) {
        const bool of_the_file = error.parameter() == "measurements";
        throw invalid_argument(of_the_file ? "input" : error.parameter(), error.value(), error.rule());
    }
}

void add_errors(Answer& answer, const Fit& fit) {
    answer.add("mean_relative_error", fit.error.mean);
    answer.add("median_relative_error", fit.error.median);
    answer.add("p90_relative_error", fit.error.p90);
    if (fit.left_out) {
        answer.add("median_left_out_relative_error", fit.left_out->median);
        answer.add("p90_left_out_relative_error", fit.left_out->p90);
    }
}

void run(const Options& options, std::ostream& out) {
    const AllReduceRuns read = read_all_reduce_runs(file_text(options, "input", largest_log), "input");
    const AllReduceRun& chosen = run_asked_for(options, read.runs);
    const std::optional<int> ranks = ranks_known(options, chosen);
    const Fit fit = fit_asked_for(options, chosen);

    Answer answer(out);
    answer.add_records("regimes", fit.regimes.size(),
                       [&](std::size_t index) { return regime_record(fit.regimes[index], ranks); });
    add_errors(answer, fit);
    answer.add_records("points", fit.points.size(), [&](std::size_t index) { return point_record(fit.points[index]); });
    add_lines(answer, read);
    answer.close();
}

}  // namespace

const Command fit_command = {
    .name = "fit",
    .summary = "Fit latency and bandwidth to a measured all-reduce, by range of size",
    .example = "shardlab fit --input run.csv --regimes 2",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
