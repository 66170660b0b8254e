#pragma once

/// @file
/// Traces of torch.profiler: what a rank's device did, and how much of its communication was hidden behind compute.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <shardlab/measure/communication.hpp>

namespace shardlab {

/// Events that one thing was said of.
struct CountedEvents {
    std::string reason;  ///< what was said
    double events = 0;   ///< how many
};

/// How a rank's time divides. All are device-seconds: a trace of several devices has the sums of theirs. Times of equal
/// kind on different streams of a device count once (a union of intervals).
///
/// span = compute + exposed + other + idle.
struct TraceTimes {
    double span_seconds = 0;           ///< from a device's first activity to its last
    double compute_seconds = 0;        ///< some kernel ran that is no communication
    double communication_seconds = 0;  ///< some communication ran
    double overlap_seconds = 0;        ///< both
    double exposed_seconds = 0;        ///< communication and no compute
    double other_seconds = 0;          ///< nothing but copies and fills of memory
    double idle_seconds = 0;           ///< nothing

    /// The part of the communication that compute hid; 0 where there is none.
    double overlap_fraction() const { return communication_seconds > 0 ? overlap_seconds / communication_seconds : 0; }
};

/// What a trace holds. Every event is used or ignored.
struct Trace {
    std::optional<int> rank;                    ///< of the process, where the trace tells it
    std::optional<int> world_size;              ///< likewise
    std::string backend;                        ///< likewise: `nccl`, `gloo`
    int devices = 0;                            ///< that did something; 0 where the host computed, as under Gloo
    double events = 0;                          ///< in the text, of any kind
    double events_used = 0;                     ///< that the rest is made of
    std::vector<Communication> communications;  ///< by start
    int nccl_kernels = 0;                       ///< on all devices
    double nccl_seconds = 0;                    ///< sum of their times
    TraceTimes times;                           ///< of the whole trace
    std::vector<CountedEvents> ignored;         ///< by reason, the most frequent first
    std::vector<CountedEvents> amended;  ///< used, but not just as they stand in the file: by what was done, likewise
    /// Where the text ends before its JSON does, or breaks its rules: what follows was not read.
    std::optional<double> broken_at_byte;
};

/// Most activities of devices that are read from one trace; each takes 24 bytes while the trace is read.
inline constexpr int most_device_activities = 1 << 23;

/// Reads a trace piece by piece, wherever it is cut, in memory that does not grow with the text but with the activities
/// of the devices in it: a trace of 300 MB has some 80 000 of them and takes 3 MB.
///
/// It reads what torch.profiler of PyTorch 1.8 to 2.x writes ("Chrome trace events"), an object with `traceEvents` or a
/// bare list. Of the events it uses complete ones (`ph` X): the kernels, copies and fills of devices; what joins a
/// communication's kernel to its size (`record_param_comms`, the annotations `nccl:...` and the launches inside them);
/// without a device, the operations of the host and the annotations `gloo:...`. Where a kernel does not carry its
/// own size, it is the one of the record with its External id, else of the annotation around its launch.
///
/// Times are decimal microseconds, as numbers or as text; they become whole nanoseconds before anything is subtracted,
/// so that epoch timestamps lose nothing. A stream does one thing after the other: an activity that reaches past the
/// start of the next is cut there. Starts at 0 are no starts where there are several on one stream, or where the next
/// is more than an hour away.
///
/// Control characters in text, a comma too many and an end that is missing do no harm; what breaks JSON's rules
/// otherwise ends the reading, and the result says where.
/// Source of the format: pytorch/kineto, libkineto/src/output_json.cpp.
class TraceReader {
public:
    /// @param parameter named in errors
    explicit TraceReader(std::string_view parameter = "trace");
    TraceReader(TraceReader&&) noexcept;             ///< goes on with what the other has read
    TraceReader& operator=(TraceReader&&) noexcept;  ///< likewise
    ~TraceReader();

    /// Reads the next piece of the text.
    /// @return false once the text has broken JSON's rules: nothing after that is read
    /// @throws invalid_argument if it shows that the text is no trace, or for more than most_device_activities
    bool feed(std::string_view piece);

    /// What was read. The reader is at its end and takes no more.
    /// @throws invalid_argument if the text was no trace: no JSON, or JSON without a list of events
    Trace finish();

private:
    class Reading;
    std::unique_ptr<Reading> reading_;
};

/// Several traces taken together: all sums are over the traces, the communications those of one after the other.
/// Without rank, world size or backend where they differ.
/// @param parameter named in errors
/// @throws invalid_argument if there is none, or if two tell the same rank
Trace sum_of_traces(const std::vector<Trace>& traces, std::string_view parameter = "traces");

/// The communications that ranks had with each other.
struct MatchedCommunications {
    /// Each with the shortest of its times on the ranks: the rank that came last waited for nobody, so that its time is
    /// that of the transfer. The clocks of ranks are not aligned, so no time of one is subtracted from another's;
    /// starts and overlaps are of the first trace.
    std::vector<Communication> communications;
    double waited_seconds = 0;  ///< by how much the times of the others were longer, in all
    int unmatched = 0;          ///< communications that have no counterpart
};

/// Matches the communications of different ranks: the first of its kind, group and size on one with the first on the
/// others, and so on. Where two ranks do not have as many of them, none of that sort are matched.
/// @param traces of the ranks of one job
/// @param parameter named in errors
/// @throws invalid_argument if two tell the same rank
MatchedCommunications matched_communications(const std::vector<Trace>& traces, std::string_view parameter = "traces");

}  // namespace shardlab
