#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <shardlab/errors.hpp>
#include <shardlab/measure.hpp>

#include "convert.hpp"
#include "fits.hpp"
#include "routines.hpp"

namespace shardlab::wasm {
namespace {

/// Traces that are measured together: the file that is being read, and those before it.
struct Job {
    TraceReader reader = TraceReader("files");
    std::vector<Trace> traces;
};

std::map<int, Job>& jobs() {
    static std::map<int, Job> open;
    return open;
}

Job& job_of(const val& options) {
    return jobs().at(integer(options, "job", 0));
}

val plain_count(const CountedEvents& counted) {
    val object = val::object();
    object.set("reason", counted.reason);
    object.set("events", counted.events);
    return object;
}

val plain_communication(const Communication& communication) {
    val object = val::object();
    object.set("kind", val(name_of(communication.kind)));
    object.set("startSeconds", communication.start_seconds);
    object.set("seconds", communication.seconds);
    object.set("elements", or_null(communication.elements));
    object.set("bytes", or_null(communication.bytes));
    object.set("ranks", or_null(communication.ranks));
    object.set("busBandwidth", or_null(bus_bytes_per_second(communication)));
    object.set("overlappedSeconds", communication.overlapped_seconds);
    return object;
}

val plain_sum(const CommunicationSum& sum) {
    val object = val::object();
    object.set("kind", val(name_of(sum.kind)));
    object.set("count", sum.count);
    object.set("seconds", sum.seconds);
    object.set("bytes", sum.bytes);
    object.set("withoutBytes", sum.without_bytes);
    object.set("overlappedSeconds", sum.overlapped_seconds);
    object.set("busBandwidth", or_null(sum.bus_bytes_per_second));
    return object;
}

void set_times(val& object, const TraceTimes& times) {
    object.set("spanSeconds", times.span_seconds);
    object.set("computeSeconds", times.compute_seconds);
    object.set("communicationSeconds", times.communication_seconds);
    object.set("overlapSeconds", times.overlap_seconds);
    object.set("overlapFraction", times.overlap_fraction());
    object.set("exposedSeconds", times.exposed_seconds);
    object.set("otherSeconds", times.other_seconds);
    object.set("idleSeconds", times.idle_seconds);
}

val plain_trace(const Trace& trace) {
    val object = val::object();
    object.set("rank", or_null(trace.rank));
    object.set("worldSize", or_null(trace.world_size));
    object.set("backend", trace.backend.empty() ? val::null() : val(trace.backend));
    object.set("devices", trace.devices);
    object.set("events", trace.events);
    object.set("eventsUsed", trace.events_used);
    object.set("ncclKernels", trace.nccl_kernels);
    object.set("ncclSeconds", trace.nccl_seconds);
    set_times(object, trace.times);
    object.set("collectives", listed(trace.communications, plain_communication));
    object.set("kinds", listed(sums_by_kind(trace.communications), plain_sum));
    object.set("ignored", listed(trace.ignored, plain_count));
    object.set("amended", listed(trace.amended, plain_count));
    object.set("brokenAtByte", or_null(trace.broken_at_byte));
    return object;
}

/// The fit of the all-reduces over most usual ranks; null with too few sizes.
val plain_fit(const std::vector<Communication>& communications) {
    const std::optional<int> ranks = usual_all_reduce_ranks(communications);
    if (!ranks) {
        return val::null();
    }
    const std::vector<Measurement> measurements = all_reduce_measurements(communications, *ranks);
    if (measurements.size() < fewest_points_of_regime || measurements.size() > most_fitted_sizes) {
        return val::null();
    }
    val object = val::object();
    object.set("ranks", *ranks);
    set_fit(object, fit_regimes(measurements));
    object.set("heldOut", plain_held_out(measurements, measurements.size()));
    return object;
}

}  // namespace

/// Opens a job; gives its number.
val trace_open(const val&) {
    static int opened = 0;
    jobs().try_emplace(opened);
    return val(opened++);
}

/// Reads a piece of a job's file, `bytes`; gives whether it goes on to read.
val trace_feed(const val& options) {
    const val bytes = options["bytes"];
    static std::string piece;
    piece.resize(bytes["length"].as<std::size_t>());
    val(emscripten::typed_memory_view(piece.size(), reinterpret_cast<std::uint8_t*>(piece.data())))
        .call<void>("set", bytes);
    return val(job_of(options).reader.feed(piece));
}

/// The file is at its end; the next one is another trace.
val trace_finish(const val& options) {
    Job& job = job_of(options);
    job.traces.push_back(job.reader.finish());
    job.reader = TraceReader("files");
    return val::null();
}

/// Forgets a job.
val trace_close(const val& options) {
    jobs().erase(integer(options, "job", 0));
    return val::null();
}

/// What the files of a job hold.
val traces_measured(const val& options) {
    const std::vector<Trace>& traces = job_of(options).traces;
    const bool several = traces.size() > 1;
    const Trace together = sum_of_traces(traces, "files");
    const MatchedCommunications matched = matched_communications(traces, "files");
    val result = val::object();
    result.set("traces", listed(traces, plain_trace));
    result.set("together", plain_trace(together));
    val pairs = val::null();
    if (several) {
        pairs = val::object();
        pairs.set("collectives", listed(matched.communications, plain_communication));
        pairs.set("waitedSeconds", matched.waited_seconds);
        pairs.set("unmatched", matched.unmatched);
    }
    result.set("matched", pairs);
    result.set("fit", plain_fit(several ? matched.communications : together.communications));
    return result;
}

}  // namespace shardlab::wasm
