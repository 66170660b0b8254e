#include "collector.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <shardlab/errors.hpp>

#include "../text.hpp"

namespace shardlab::measure {
namespace {

constexpr double microsecond = 1e-6;
constexpr double shortest_seconds = 1e-9;
constexpr double longest_seconds = 1e9;

/// Why these are no measurement, or nothing.
const char* reason_against(double bytes, double seconds) {
    if (!(bytes >= 0 && bytes <= largest_count && bytes == std::floor(bytes))) {
        return "a size that is no whole number of bytes";
    }
    if (bytes == 0) {
        return "a size of 0, which moves nothing";
    }
    if (!(seconds >= shortest_seconds && seconds <= longest_seconds)) {
        return "a time that is not from 1 ns to 1e9 s";
    }
    return nullptr;
}

/// Whether a reason speaks of a row, so that it tells the user more than that there are comments.
bool is_about_a_row(const IgnoredLines& lines) {
    return lines.reason.substr(0, 2) == "a ";
}

}  // namespace

bool agrees(double bytes, double microseconds, double bandwidth) {
    constexpr double bytes_per_microsecond_of_gigabyte = 1000;
    constexpr double half_of_last_decimal = 0.0051;
    constexpr double of_printed_time = 0.01;
    const double computed = bytes / (bytes_per_microsecond_of_gigabyte * microseconds);
    return std::abs(bandwidth - computed) <= half_of_last_decimal + of_printed_time * computed;
}

void Collector::ignore(const char* reason) {
    ++runs_.lines_ignored;
    const auto known = std::find_if(runs_.ignored.begin(), runs_.ignored.end(),
                                    [&](const IgnoredLines& lines) { return lines.reason == reason; });
    if (known != runs_.ignored.end()) {
        ++known->lines;
    } else {
        runs_.ignored.push_back({.reason = reason, .lines = 1, .first_line = line_});
    }
}

void Collector::use(std::size_t run, double bytes, double microseconds) {
    const double seconds = microseconds * microsecond;
    if (const char* const reason = reason_against(bytes, seconds)) {
        ignore(reason);
        return;
    }
    if (++runs_.lines_used > most_measured_rows) {
        throw invalid_argument(parameter_, "over " + std::to_string(most_measured_rows) + " rows",
                               "have at most " + std::to_string(most_measured_rows) + " rows");
    }
    runs_.runs[run].measurements.push_back({.bytes = bytes, .seconds = seconds});
}

std::size_t Collector::add_run(std::string id) {
    runs_.runs.push_back({.id = std::move(id), .ranks = {}, .measurements = {}});
    return runs_.runs.size() - 1;
}

AllReduceRuns Collector::finish() {
    if (runs_.lines_used == 0) {
        const auto row = std::find_if(runs_.ignored.begin(), runs_.ignored.end(), is_about_a_row);
        refuse(row == runs_.ignored.end()
                   ? "a text of " + std::to_string(line_) + (line_ == 1 ? " line" : " lines") + " without a row"
                   : "a text whose line " + std::to_string(row->first_line) + " has " + row->reason);
    }
    std::erase_if(runs_.runs, [](const AllReduceRun& run) { return run.measurements.empty(); });
    return std::move(runs_);
}

void Collector::refuse(const std::string& value) const {
    throw invalid_argument(parameter_, value,
                           "have a CSV's columns size_B and oop_time_us, a table that nccl-tests printed, or the JSON "
                           "of nccl-tests or shardlab-mpi, with at least one row that can be used");
}

}  // namespace shardlab::measure

namespace shardlab {

AllReduceRuns read_all_reduce_runs(std::string_view text, std::string_view parameter) {
    constexpr std::size_t longest_text = std::size_t{1} << 28U;
    if (text.size() > longest_text) {
        throw invalid_argument(std::string(parameter), std::to_string(text.size()) + " bytes",
                               "have at most " + std::to_string(longest_text) + " bytes");
    }
    const std::string_view content = reading::without_byte_order_mark(text);
    measure::Collector collector(parameter);
    const std::size_t start = content.find_first_not_of(reading::blanks);
    std::string_view rest = start == std::string_view::npos ? std::string_view{} : content.substr(start);
    if (rest.empty()) {
        collector.refuse("an empty text");
    }
    if (rest.starts_with('{')) {
        measure::read_json(content, parameter, collector);
    } else if (measure::is_csv_header(reading::taken(rest, '\n'))) {
        measure::read_csv(content, collector);
    } else {
        measure::read_printed_tables(content, collector);
    }
    return collector.finish();
}

}  // namespace shardlab
