#include <cstddef>
#include <limits>
#include <string>

#include <shardlab/pipeline.hpp>

#include "catch.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

std::string trace_of(const PipelineSchedule& schedule, const PipelineCosts& costs, double factor = 1) {
    return chrome_trace(schedule, simulate(schedule, costs), costs, factor);
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

}  // namespace

TEST_CASE("a trace has a track a device, a slice an operation and a flow a message", "[pipeline][trace]") {
    CHECK(trace_of(pipeline_schedule_1f1b(2, 1), uniform_costs(1, 2)) ==
          R"({"displayTimeUnit": "ns", "traceEvents": [
{"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "args": {"name": "pipeline"}},
{"ph": "M", "name": "thread_name", "pid": 0, "tid": 0, "args": {"name": "device 0"}},
{"ph": "M", "name": "thread_sort_index", "pid": 0, "tid": 0, "args": {"sort_index": 0}},
{"ph": "X", "name": "F0", "cat": "forward", "pid": 0, "tid": 0, "ts": 0, "dur": 1, "args": {"kind": "forward", "model_part": 0, "micro_batch": 0}},
{"ph": "s", "name": "activation", "cat": "message", "id": 0, "pid": 0, "tid": 0, "ts": 0.999},
{"ph": "X", "name": "B0", "cat": "backward", "pid": 0, "tid": 0, "ts": 4, "dur": 2, "args": {"kind": "backward", "model_part": 0, "micro_batch": 0}},
{"ph": "f", "name": "gradient", "cat": "message", "id": 3, "pid": 0, "tid": 0, "ts": 4, "bp": "e"},
{"ph": "M", "name": "thread_name", "pid": 0, "tid": 2, "args": {"name": "device 1"}},
{"ph": "M", "name": "thread_sort_index", "pid": 0, "tid": 2, "args": {"sort_index": 2}},
{"ph": "X", "name": "F0", "cat": "forward", "pid": 0, "tid": 2, "ts": 1, "dur": 1, "args": {"kind": "forward", "model_part": 1, "micro_batch": 0}},
{"ph": "f", "name": "activation", "cat": "message", "id": 0, "pid": 0, "tid": 2, "ts": 1, "bp": "e"},
{"ph": "X", "name": "B0", "cat": "backward", "pid": 0, "tid": 2, "ts": 2, "dur": 2, "args": {"kind": "backward", "model_part": 1, "micro_batch": 0}},
{"ph": "s", "name": "gradient", "cat": "message", "id": 3, "pid": 0, "tid": 2, "ts": 3.999}
]}
)");
}

TEST_CASE("the factor of a trace stretches its times, and synchronisation is a slice", "[pipeline][trace]") {
    PipelineCosts costs = uniform_costs(1, 2);
    costs.gradient_sync = 0.5;
    const std::string trace = trace_of(pipeline_schedule_1f1b(1, 1), costs, 1000);
    CHECK(count(trace, R"("ts": 1000, "dur": 2000)") == 1);
    CHECK(count(trace, R"("name": "sync", "cat": "gradient_sync", "pid": 0, "tid": 0, "ts": 3000, "dur": 500)") == 1);
}

TEST_CASE("a pair that overlaps is on two tracks", "[pipeline][trace]") {
    const std::string trace = trace_of(pipeline_schedule_dualpipe_v(4, 10), uniform_costs(1, 2));
    CHECK(count(trace, "overlapped\"") == 4);
    CHECK(count(trace_of(pipeline_schedule_1f1b(4, 10), uniform_costs(1, 2)), "overlapped") == 0);
}

TEST_CASE("every message is a flow, but those that nothing waits for", "[pipeline][trace]") {
    const PipelineSchedule schedule = pipeline_schedule_interleaved(4, 8, 2, 4);
    PipelineCosts costs = uniform_costs(1, 2, 0.25);
    const double messages = simulate(schedule, costs).messages;
    CHECK(static_cast<double>(count(trace_of(schedule, costs), R"("ph": "s")")) == messages);
    CHECK(static_cast<double>(count(trace_of(schedule, costs), R"("ph": "f")")) == messages);
    costs.relaxed_wrap = true;
    constexpr double let_off = 2 * 6;
    CHECK(static_cast<double>(count(trace_of(schedule, costs), R"("ph": "s")")) == messages - let_off);
    CHECK(static_cast<double>(count(trace_of(schedule, costs), R"("ph": "f")")) == messages - let_off);
}

TEST_CASE("a trace that no viewer can show is refused", "[pipeline][trace]") {
    const PipelineSchedule small = pipeline_schedule_1f1b(1, 1);
    const PipelineCosts costs = uniform_costs(1, 2);
    for (const double factor : {0.0, -1.0, 1e10, std::numeric_limits<double>::quiet_NaN()}) {
        CHECK(refusal_of([&] { trace_of(small, costs, factor); }).parameter == "microseconds_per_unit");
    }
    CHECK(refusal_of([&] { trace_of(small, uniform_costs(1e15, 1e15)); }).parameter == "microseconds_per_unit");
    CHECK(refusal_of([&] { trace_of(pipeline_schedule_gpipe(1, 1 << 20), costs); }).parameter == "schedule");
}

TEST_CASE("no slice of a trace is rounded to nothing", "[pipeline][trace]") {
    const PipelineSchedule schedule = pipeline_schedule_1f1b(2, 4);
    CHECK(count(trace_of(schedule, uniform_costs(0.001, 0.002)), R"("dur": 0.001,)") == 8);
    const Refusal refusal = refusal_of([&] { trace_of(schedule, uniform_costs(2e-5, 4e-5)); });
    CHECK(refusal.parameter == "microseconds_per_unit");
    CHECK(refusal.value == "1");
    CHECK(refusal.rule == "make every slice at least 0.001 microseconds long; the shortest is 2e-05 units");
    CHECK(count(trace_of(schedule, uniform_costs(2e-5, 4e-5), 50), R"("dur": 0.001,)") == 8);
    PipelineCosts costs = uniform_costs(1, 2);
    costs.gradient_sync = 1e-5;
    CHECK(refusal_of([&] { trace_of(schedule, costs); }).parameter == "microseconds_per_unit");
}
