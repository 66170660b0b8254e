// Any text as a measured run: every line is used or ignored with a reason, and what is used can be fitted, or it is
// refused and the error says why.

#include <algorithm>
#include <string>

#include <shardlab/measure.hpp>

#include "fuzz.hpp"

namespace {

using shardlab::AllReduceRun;
using shardlab::AllReduceRuns;
using shardlab::Fit;

int lines_in(std::string_view text) {
    const auto breaks = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    return text.empty() || text.back() == '\n' ? breaks : breaks + 1;
}

void require_counted(const AllReduceRuns& read, std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    const bool marked = text.substr(0, byte_order_mark.size()) == byte_order_mark;
    const std::string_view content = marked ? text.substr(3) : text;
    const std::size_t first = content.find_first_not_of(" \t\r\n");
    const bool is_json = first != std::string_view::npos && content[first] == '{';
    fuzz::require(is_json || read.lines_used + read.lines_ignored == lines_in(content),
                  "every line is used or ignored");
    int ignored = 0;
    for (const shardlab::IgnoredLines& lines : read.ignored) {
        fuzz::require(lines.lines > 0 && lines.first_line > 0 && !lines.reason.empty(), "what is ignored has a reason");
        ignored += lines.lines;
    }
    fuzz::require(ignored == read.lines_ignored, "reasons add up");
    std::size_t measurements = 0;
    for (const AllReduceRun& run : read.runs) {
        fuzz::require(!run.measurements.empty(), "a run has measurements");
        measurements += run.measurements.size();
    }
    fuzz::require(measurements == static_cast<std::size_t>(read.lines_used), "a used line is a measurement");
}

void require_errors(const shardlab::FitError& error) {
    fuzz::require_finite({error.mean, error.median, error.p90});
    fuzz::require(error.mean >= 0 && error.median >= 0 && error.p90 >= error.median, "errors are no less than none");
}

void require_fitted(const Fit& fit) {
    require_errors(fit.error);
    if (fit.left_out) {
        require_errors(*fit.left_out);
    }
    int points = 0;
    for (const shardlab::Regime& regime : fit.regimes) {
        const double bandwidth = regime.bytes_per_second.value_or(1);
        fuzz::require_finite({regime.latency_seconds, bandwidth});
        const bool is_possible = bandwidth > 0 && bandwidth <= shardlab::fastest_fitted_bytes_per_second;
        fuzz::require(regime.latency_seconds >= 0 && is_possible, "a regime is a possible link");
        fuzz::require(regime.points >= shardlab::fewest_points_of_regime, "a regime has points enough");
        points += regime.points;
    }
    fuzz::require(static_cast<std::size_t>(points) == fit.points.size(), "every size is in one regime");
}

void fit_run(const AllReduceRun& run) {
    for (int regimes = 1; regimes <= shardlab::most_regimes; ++regimes) {
        const auto fit = fuzz::attempt({"measurements", "regimes"},
                                       [&] { return shardlab::fit_regimes(run.measurements, regimes); });
        if (fit) {
            require_fitted(*fit);
            fuzz::require(fit->regimes.size() == static_cast<std::size_t>(regimes), "as many regimes as asked for");
        }
    }
    const auto chosen = fuzz::attempt({"measurements"}, [&] { return shardlab::fit_regimes(run.measurements); });
    if (chosen) {
        require_fitted(*chosen);
        const auto regimes = static_cast<int>(chosen->regimes.size());
        fuzz::require(chosen->error.mean == shardlab::fit_regimes(run.measurements, regimes).error.mean,
                      "what is chosen is what would be asked for");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const AllReduceRuns read = shardlab::read_all_reduce_runs(text, "input");
        require_counted(read, text);
        std::for_each(read.runs.begin(), read.runs.end(), fit_run);
    } catch (const shardlab::invalid_argument& error) {
        fuzz::require_explained(error, {"input"});
        fuzz::require_printable_line(error.what());
    }
    return 0;
}
