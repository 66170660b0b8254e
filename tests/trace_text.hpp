#pragma once

// Traces as torch.profiler writes them, of the events that a test wants.

#include <string>
#include <vector>

#include <shardlab/measure.hpp>

#include "catch.hpp"

/// A complete event. Times are microseconds as they stand in the file.
inline std::string event(const std::string& category, const std::string& name, const std::string& process,
                         const std::string& thread, const std::string& start, const std::string& duration,
                         const std::string& arguments = "") {
    return R"({"ph": "X", "cat": ")" + category + R"(", "name": ")" + name + R"(", "pid": )" + process +
           R"(, "tid": )" + thread + R"(, "ts": )" + start + R"(, "dur": )" + duration + R"(, "args": {)" + arguments +
           "}}";
}

/// A kernel that computes, on device 0.
inline std::string kernel(const std::string& stream, const std::string& start, const std::string& duration) {
    return event("kernel", "void gemm<float>(int)", "0", stream, start, duration, R"("stream": )" + stream);
}

/// A kernel of NCCL, on stream 20 of device 0.
inline std::string nccl(const std::string& start, const std::string& duration, const std::string& arguments = "",
                        const std::string& name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)") {
    return event("kernel", name, "0", "20", start, duration, arguments);
}

/// The arguments of a collective's kernel since PyTorch 2.4.
inline std::string collective(const std::string& name, const std::string& in, const std::string& out,
                              const std::string& type, const std::string& ranks) {
    return R"("Collective name": ")" + name + R"(", "In msg nelems": )" + in + R"(, "Out msg nelems": )" + out +
           R"(, "dtype": ")" + type + R"(", "Group size": )" + ranks + R"(, "Process Group Ranks": "[0, 1]")";
}

/// A trace as an object.
inline std::string trace_of(const std::vector<std::string>& events, const std::string& before = "",
                            const std::string& after = "") {
    std::string list;
    for (const std::string& one : events) {
        list += (list.empty() ? "\n" : ",\n") + one;
    }
    return "{\n\"schemaVersion\": 1, " + before + "\"traceEvents\": [" + list + "\n]" + after + "}\n";
}

/// Reads a text in pieces of that many bytes.
inline shardlab::Trace read_trace(const std::string& text, std::size_t piece = std::string::npos) {
    shardlab::TraceReader reader;
    for (std::size_t at = 0; at < text.size(); at += std::min(piece, text.size())) {
        reader.feed(std::string_view(text).substr(at, piece));
    }
    return reader.finish();
}

/// Events that were counted with words that begin so.
inline double events_with(const std::vector<shardlab::CountedEvents>& counts, const std::string& beginning) {
    double events = 0;
    for (const shardlab::CountedEvents& counted : counts) {
        events += counted.reason.substr(0, beginning.size()) == beginning ? counted.events : 0;
    }
    return events;
}

/// Every event is used or ignored with a reason, and the times make up the span.
inline void require_whole(const shardlab::Trace& trace) {
    CHECK(events_with(trace.ignored, "") + trace.events_used == trace.events);
    const shardlab::TraceTimes& times = trace.times;
    const double parts = times.compute_seconds + times.exposed_seconds + times.other_seconds + times.idle_seconds;
    CHECK(parts == Approx(times.span_seconds).epsilon(1e-12).margin(1e-15));
    CHECK(times.exposed_seconds + times.overlap_seconds == Approx(times.communication_seconds).epsilon(1e-12));
}
