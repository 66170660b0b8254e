#pragma once

#include <string>
#include <string_view>

#include <shardlab/measure/runs.hpp>

namespace shardlab::measure {

/// The lines of a text one after the other, and what has become of them.
class Collector {
public:
    explicit Collector(std::string_view parameter) : parameter_(parameter) {}

    /// A line is at hand: it must be ignored or used next.
    void begin_line() { ++line_; }

    /// Passes over the line.
    void ignore(const char* reason);

    /// The line becomes a measurement of a run, or is ignored if its numbers are none that can be.
    /// @param microseconds as both forms give the time
    void use(std::size_t run, double bytes, double microseconds);

    /// A new run.
    /// @return its index, for use()
    std::size_t add_run(std::string id);

    AllReduceRun& run(std::size_t index) { return runs_.runs[index]; }

    /// What has been read, without runs that have no measurement.
    /// @throws invalid_argument if nothing is left
    AllReduceRuns finish();

    /// Says what the text is instead of measured runs.
    /// @throws invalid_argument
    [[noreturn]] void refuse(const std::string& value) const;

private:
    std::string parameter_;
    int line_ = 0;
    AllReduceRuns runs_;
};

inline constexpr const char* blank_line = "blank";
inline constexpr const char* cut_short = "a row that is cut short";
inline constexpr const char* without_time = "a row without a time";
inline constexpr const char* of_processor_time = "a row with the processor's time alone";
inline constexpr const char* disagreeing = "a row whose time and algorithm bandwidth do not give its size";
inline constexpr const char* with_wrong_results = "a row with wrong results";

/// Whether size over time is the bandwidth that is written beside it, to its two decimals and the time's digits.
/// @param bandwidth in 1e9 bytes per second
bool agrees(double bytes, double microseconds, double bandwidth);

/// Reads a text whose header has the columns of a CSV.
void read_csv(std::string_view text, Collector& collector);

/// Whether a line is such a header.
bool is_csv_header(std::string_view line);

/// Reads the JSON that nccl-tests writes, or shardlab-mpi. A row counts as a line.
void read_json(std::string_view text, std::string_view parameter, Collector& collector);

/// Reads what nccl-tests prints.
void read_printed_tables(std::string_view text, Collector& collector);

}  // namespace shardlab::measure
