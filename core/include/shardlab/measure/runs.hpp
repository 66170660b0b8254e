#pragma once

/// @file
/// Runs of nccl-tests' all_reduce_perf and of shardlab-mpi, read from text.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlab {

/// How long one size took.
struct Measurement {
    double bytes = 0;    ///< size of each rank's tensor, a count of at least 1
    double seconds = 0;  ///< out of place, 1e-9 to 1e9

    bool operator==(const Measurement&) const = default;
};

/// The rows of one run, in the order of the text.
struct AllReduceRun {
    /// The CSV's run_id; of shardlab-mpi the algorithm, `mpi` for MPI_Allreduce; else the number of the table, from 1.
    std::string id;
    std::optional<int> ranks;               ///< where the text tells them, and tells one number
    std::vector<Measurement> measurements;  ///< one for each line used
};

/// Lines that were passed over for one reason.
struct IgnoredLines {
    std::string reason;  ///< reads on from "ignored:"
    int lines = 0;       ///< how many
    int first_line = 0;  ///< the first of them, from 1
};

/// What a text holds. Every line is used or ignored: lines_used + lines_ignored is the number of lines. Of JSON the
/// lines are the rows in it, and one for an end that is missing.
struct AllReduceRuns {
    std::vector<AllReduceRun> runs;     ///< at least one, each with at least one measurement
    int lines_used = 0;                 ///< rows that became measurements
    int lines_ignored = 0;              ///< all others, the header of a CSV among them
    std::vector<IgnoredLines> ignored;  ///< by reason, in the order in which the reasons came up
};

/// Most rows that are read.
inline constexpr int most_measured_rows = 100000;

/// Reads runs of all_reduce_perf, or of shardlab-mpi, in one of three forms.
///
/// A CSV has a header with the columns `size_B` and `oop_time_us`, and where it likes `run_id`, which cuts the rows
/// into runs, and `nranks`; other columns are passed over. Cells may stand in quotes.
///
/// JSON (what begins with a brace) is what nccl-tests writes with -J, in its versions 1 to 3, or what shardlab-mpi
/// does. Of a file that broke off, the rows before count.
///
/// Anything else is read as what nccl-tests prints, from its oldest tables (without `redop` and `root`) to its newest,
/// with other lines between them and with whatever a launcher puts before each line (`[1,0]<stdout>:`). A header line
/// starts a run and tells the column of the out-of-place time; without one, the number of columns does. A row must
/// agree with itself: its time and its algorithm bandwidth give its size, or it is ignored, as are rows of size 0,
/// of no reduction, with wrong results or cut short.
/// Source of the forms: NVIDIA/nccl-tests, src/common.cu, src/util.cu and doc/PERFORMANCE.md.
/// @param parameter named in errors
/// @throws invalid_argument if no line can be used, saying why the first table row could not; or if there are more than
///         most_measured_rows of them
AllReduceRuns read_all_reduce_runs(std::string_view text, std::string_view parameter = "input");

}  // namespace shardlab
