#include <string>
#include <vector>

#include <shardlab/array.hpp>
#include <shardlab/measure.hpp>

#include "catch.hpp"
#include "refusal.hpp"
#include "trace_text.hpp"

using namespace shardlab;

namespace {

constexpr double us = 1e-6;

const std::vector<std::string> three = {kernel("7", "1000", "100"), nccl("1100", "50"), kernel("7", "1120", "10")};

/// The three events and one more that is ignored, for that reason alone.
void require_ignored(const std::string& one, const std::string& reason) {
    std::vector<std::string> events = three;
    events.insert(events.begin() + 1, one);
    const Trace trace = read_trace(trace_of(events));
    CAPTURE(one);
    CHECK(trace.events == 4);
    CHECK(trace.events_used == 3);
    CHECK(events_with(trace.ignored, reason) == 1);
    CHECK(trace.times.compute_seconds == Approx(110 * us));
    require_whole(trace);
}

void require_no_trace(const std::string& text, const std::string& value) {
    const Refusal refusal = refusal_of([&] { read_trace(text); });
    CAPTURE(text);
    CHECK(refusal.parameter == "trace");
    CHECK(refusal.value == value);
    CHECK(refusal.rule.find("traceEvents") != std::string::npos);
}

}  // namespace

TEST_CASE("A malformed trace: a file that was cut off counts what came before", "[measure]") {
    const std::string text = trace_of(three);
    for (std::size_t length = text.find("[") + 1; length + 2 < text.size(); ++length) {
        const Trace trace = read_trace(text.substr(0, length));
        CAPTURE(length);
        CHECK(trace.broken_at_byte == static_cast<double>(length));
        require_whole(trace);
    }
    CHECK(read_trace(text.substr(0, text.rfind("{\"ph\""))).events_used == 2);
    CHECK(read_trace(text.substr(0, text.rfind(']'))).events_used == 3);
}

TEST_CASE("A malformed trace: a comma before the end of the list", "[measure]") {
    std::string text = trace_of(three);
    text.insert(text.rfind("\n]"), ",");
    const Trace trace = read_trace(text);
    CHECK(trace.events_used == 3);
    CHECK_FALSE(trace.broken_at_byte);
}

TEST_CASE("A malformed trace: control characters in text", "[measure]") {
    std::vector<std::string> events = three;
    events.push_back(event("cpu_op", std::string("a\n\tb\x01\0c", 7), "7", "7", "1", "1"));
    events.push_back(kernel("7", "1200", "5"));
    const Trace trace = read_trace(trace_of(events));
    CHECK(trace.events_used == 4);
    CHECK_FALSE(trace.broken_at_byte);
}

TEST_CASE("A malformed trace: times as text are read as numbers, and it is said", "[measure]") {
    const Trace trace = read_trace(
        trace_of({kernel("7", "\"1669783687929439.125\"", "\"2.5\""), kernel("7", "\"1669783687929445.125\"", "1")}));
    CHECK(trace.times.span_seconds == Approx(7 * us).epsilon(1e-12));
    CHECK(trace.times.compute_seconds == Approx(3.5 * us).epsilon(1e-12));
    CHECK(events_with(trace.amended, "had its time as text") == 2);
}

TEST_CASE("A malformed trace: starts of 0 for many events are refused", "[measure]") {
    const Trace trace = read_trace(trace_of({kernel("7", "1669783687929439", "10"), kernel("7", "0", "10"),
                                             nccl("0", "30"), nccl("1669783687929442", "30"), kernel("9", "0.0", "5"),
                                             event("cpu_op", "aten::mm", "1", "1", "0", "3"),
                                             event("cpu_op", "aten::mm", "1", "1", "1669783687929400", "3")}));
    CHECK(events_with(trace.ignored, "a start of 0") == 4);
    CHECK(events_with(trace.ignored, "operations of the host") == 1);
    CHECK(trace.nccl_kernels == 1);
    CHECK(trace.nccl_seconds == Approx(30 * us));
    CHECK(trace.times.span_seconds == Approx(33 * us));
    require_whole(trace);

    const Trace relative =
        read_trace(trace_of({kernel("7", "0", "10"), kernel("7", "0", "10"), kernel("7", "50", "10")}));
    CHECK(events_with(relative.ignored, "a start of 0") == 2);
    CHECK(relative.times.span_seconds == Approx(10 * us));
    // One that begins a trace is a start like any other.
    const Trace first = read_trace(trace_of({kernel("7", "0", "10"), nccl("5", "10")}));
    CHECK(first.times.overlap_seconds == Approx(5 * us));
    CHECK(first.ignored.empty());
}

TEST_CASE("A malformed trace: starts of 0 on a host without devices", "[measure]") {
    const auto computes = [](const std::string& start) { return event("cpu_op", "aten::mm", "1", "1", start, "10"); };
    const Trace far = read_trace(trace_of({computes("0"), computes("1669783687929439"), computes("0"),
                                           event("user_annotation", "gloo:all_reduce", "1", "2", "0", "5")}));
    CHECK(far.times.span_seconds == Approx(10 * us));
    CHECK(far.communications.empty());
    CHECK(events_with(far.ignored, "a start of 0") == 3);
    require_whole(far);
    const Trace near = read_trace(trace_of({computes("0"), computes("20")}));
    CHECK(near.times.span_seconds == Approx(30 * us));
    CHECK(near.events_used == 2);
}

TEST_CASE("A malformed trace: a duration past the next on its stream is cut there, and it is said", "[measure]") {
    const Trace trace = read_trace(
        trace_of({nccl("100", "1000000"), nccl("150", "20"), kernel("7", "120", "10"), kernel("7", "160", "1e3")}));
    CHECK(events_with(trace.amended, "reached past the next on its stream") == 1);
    CHECK(trace.communications[0].seconds == Approx(50 * us));
    CHECK(trace.nccl_seconds == Approx(70 * us));
    CHECK(trace.times.overlap_seconds == Approx(20 * us));
    CHECK(trace.times.span_seconds == Approx(1060 * us));
    require_whole(trace);
}

TEST_CASE("A malformed trace: a collective without its size is counted, without bytes", "[measure]") {
    const Trace trace =
        read_trace(trace_of({nccl("100", "10"), nccl("200", "30", collective("allreduce", "5", "5", "Int", "2"))}));
    const std::vector<CommunicationSum> sums = sums_by_kind(trace.communications);
    REQUIRE(sums.size() == 1);
    CHECK(sums[0].count == 2);
    CHECK(sums[0].without_bytes == 1);
    CHECK(sums[0].bytes == 20);
    CHECK(sums[0].seconds == Approx(40 * us));
    CHECK(sums[0].bus_bytes_per_second.value() == Approx(20 / (30 * us)));
}

TEST_CASE("A malformed trace: an event that can not be is ignored with its reason", "[measure]") {
    require_ignored(R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "dur": 3})", "no start");
    require_ignored(R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 3})", "no duration");
    require_ignored(kernel("7", "NaN", "1"), "a start that is no time");
    require_ignored(kernel("7", "\"soon\"", "1"), "a start that is no time");
    require_ignored(kernel("7", "null", "1"), "a start that is no time");
    require_ignored(kernel("7", "1e300", "1"), "a start that is no time");
    require_ignored(kernel("7", "99999999999999999999999999999999", "1"), "a start that is no time");
    require_ignored(kernel("7", "4000000000000001", "1"), "a start that is no time");
    require_ignored(kernel("7", "1500", "-5"), "a negative duration");
    require_ignored(kernel("7", "1500", "NaN"), "a duration that is no time");
    require_ignored(kernel("7", "1500", "Infinity"), "a duration that is no time");
    require_ignored(kernel("7", "1500", "1e16"), "a duration that is no time");
    require_ignored(kernel("7", "1500", "1000000000000001"), "a duration that is no time");
    require_ignored("{}", "entries that are no events");
    require_ignored("17", "entries that are no events");
    require_ignored("\"text\"", "entries that are no events");
    require_ignored("[[{\"ph\": \"X\"}]]", "entries that are no events");
    require_ignored(R"({"ph": "i", "name": "mark", "ts": 3})", "arrows, marks and names");
    require_ignored(R"({"ph": "B", "cat": "kernel", "name": "k", "ts": 3})", "categories that say nothing");
    require_ignored(event("python_function", "f", "1", "1", "3", "3"), "categories that say nothing");
    require_ignored(
        event("cpu_op", "record_param_comms", "1", "1", "3", "3", collective("wait", "0", "0", "Byte", "1")),
        "waits for a communication");
}

TEST_CASE("A malformed trace: numbers that are absurd stay out of the result", "[measure]") {
    const Trace trace =
        read_trace(trace_of({nccl("100", "10", collective("allreduce", "1e300", "-5", "Float", "2.5")),
                             nccl("200", "10", collective("allreduce", "9007199254740992", "1", "Double", "9e15"))}));
    REQUIRE(trace.communications.size() == 2);
    CHECK_FALSE(trace.communications[0].elements);
    CHECK_FALSE(trace.communications[0].ranks);
    CHECK_FALSE(trace.communications[1].bytes);
    CHECK_FALSE(trace.communications[1].ranks);
    CHECK_FALSE(bus_bytes_per_second(trace.communications[1]));
}

TEST_CASE("A malformed trace: nesting as deep as it likes takes no memory and no stack", "[measure]") {
    const std::string deep(1000000, '[');
    const std::string end(1000000, ']');
    std::vector<std::string> events = three;
    events.push_back(event("kernel", "k", "0", "7", "1500", "1", "\"grid\": " + deep + end));
    events.push_back(nccl("1600", "1", "\"Input Dims\": " + deep + "3" + end));
    const Trace trace = read_trace(trace_of(events, "\"other\": " + deep + end + ","));
    CHECK(trace.events_used == 5);
    CHECK_FALSE(trace.broken_at_byte);
    CHECK(read_trace("{\"traceEvents\": " + deep).events == 1);
}

TEST_CASE("A malformed trace: text that never ends is not kept", "[measure]") {
    const std::string name(10000, 'n');
    const Trace trace = read_trace(trace_of({event("kernel", name, "0", "7", "10", "5"), kernel("7", "20", "5")}), 100);
    CHECK(trace.events_used == 2);
}

TEST_CASE("A malformed trace: what breaks JSON's rules ends the reading, and the result says where", "[measure]") {
    const std::string good = trace_of(three);
    const std::size_t at = good.find(",\n{");
    for (const char* const wrong : {":", "}", ",,", "{\"ph\" \"X\"}", "{\"ph\": : 1}", "{\"ph\", 1}", "1 2"}) {
        std::string text = good;
        text.insert(at, wrong);
        const Trace trace = read_trace(text);
        CAPTURE(wrong);
        REQUIRE(trace.broken_at_byte);
        CHECK(*trace.broken_at_byte >= static_cast<double>(at));
        CHECK(*trace.broken_at_byte <= static_cast<double>(at) + 12);
        CHECK(trace.times.compute_seconds == Approx(100 * us));
        require_whole(trace);
    }
    CHECK(read_trace(good + "}").broken_at_byte == static_cast<double>(good.size()));
}

TEST_CASE("A malformed trace: what is no trace is refused by what it is", "[measure]") {
    const std::string nothing = "a text that begins no JSON";
    require_no_trace("", "an empty text");
    require_no_trace("#  nccl-tests", nothing);
    require_no_trace("<html></html>", nothing);
    require_no_trace("{", "a text that is no JSON, or ends, after 1 bytes");
    require_no_trace("{\"a\" 1}", "a text that is no JSON, or ends, after 5 bytes");
    require_no_trace("{\"results\": [1, {}]}", "JSON of 20 bytes without an event");
    require_no_trace("{\"traceEvents\": 5}", "JSON of 18 bytes without an event");
    require_no_trace("[1, 2, [3], {\"a\": 1}]", "JSON of 21 bytes without an event");
    require_no_trace("[]", "JSON of 2 bytes without an event");
    require_no_trace("12", nothing);
    require_no_trace("\"traceEvents\"", nothing);
}
