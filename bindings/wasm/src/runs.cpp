#include <algorithm>
#include <optional>
#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/measure.hpp>

#include "convert.hpp"
#include "fits.hpp"
#include "routines.hpp"

namespace shardlab::wasm {
namespace {

const AllReduceRun& run_of(const AllReduceRuns& read, const std::optional<std::string>& id) {
    if (!id) {
        return read.runs.front();
    }
    const auto found =
        std::find_if(read.runs.begin(), read.runs.end(), [&](const AllReduceRun& run) { return run.id == *id; });
    if (found == read.runs.end()) {
        throw invalid_argument("run", *id, "be one of the runs of the text");
    }
    return *found;
}

Fit fit_of(const AllReduceRun& run, std::optional<int> regimes) {
    try {
        return fit_regimes(run.measurements, regimes);
    } catch (const invalid_argument& error) {
        throw invalid_argument(error.parameter() == "measurements" ? "text" : error.parameter(), error.value(),
                               error.rule());
    }
}

val plain_ids(const AllReduceRuns& read) {
    val list = val::array();
    for (const AllReduceRun& run : read.runs) {
        list.call<void>("push", val(run.id));
    }
    return list;
}

val plain_ignored(const AllReduceRuns& read) {
    val list = val::array();
    for (const IgnoredLines& ignored : read.ignored) {
        val object = val::object();
        object.set("reason", ignored.reason);
        object.set("lines", ignored.lines);
        object.set("firstLine", ignored.first_line);
        list.call<void>("push", object);
    }
    return list;
}

}  // namespace

val fit_all_reduce(const val& options) {
    const AllReduceRuns read = read_all_reduce_runs(text(options, "text"), "text");
    const AllReduceRun& run = run_of(read, optional_text(options, "run"));
    const std::optional<int> regimes = optional_number(options, "regimes")
                                           ? std::optional(integer(options, "regimes", 1, most_regimes))
                                           : std::nullopt;
    const Fit fit = fit_of(run, regimes);

    val result = val::object();
    result.set("runs", plain_ids(read));
    result.set("run", run.id);
    result.set("ranks", or_null(run.ranks));
    set_fit(result, fit);
    result.set("heldOut", plain_held_out(run.measurements, fit.points.size()));
    result.set("linesUsed", read.lines_used);
    result.set("linesIgnored", read.lines_ignored);
    result.set("ignored", plain_ignored(read));
    return result;
}

}  // namespace shardlab::wasm
