#include <algorithm>
#include <string>
#include <vector>

#include <shardlab/array.hpp>
#include <shardlab/measure.hpp>

#include "catch.hpp"
#include "random.hpp"
#include "trace_text.hpp"

using namespace shardlab;

namespace {

constexpr double us = 1e-6;

/// What a small step does: two kernels, a collective that the second hides by half, a copy, and what the host did.
const std::vector<std::string> step = {
    event("cpu_op", "aten::mm", "77", "77", "1000", "50"),
    R"({"ph": "s", "id": 3, "pid": 77, "tid": 77, "ts": 1000, "cat": "ac2g", "name": "ac2g"})",
    event("cuda_runtime", "cudaLaunchKernel", "77", "77", "1010", "5", R"("correlation": 8)"),
    kernel("7", "1100.5", "100"),
    nccl("1250", "100.25", collective("allreduce", "1000", "1000", "BFloat16", "4")),
    kernel("7", "1300", "100"),
    event("gpu_memcpy", "Memcpy HtoD", "0", "7", "1400", "10"),
    event("gpu_user_annotation", "nccl:all_reduce", "0", "20", "1250", "100"),
    R"({"ph": "M", "name": "process_name", "pid": 0, "ts": 0, "args": {"name": "python"}})",
};

std::string kinds_of(const Trace& trace) {
    std::string names;
    for (const Communication& communication : trace.communications) {
        names += std::string(names.empty() ? "" : " ") + name_of(communication.kind);
    }
    return names;
}

const std::string all_reduce_kernel = "ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)";

}  // namespace

TEST_CASE("A trace: where the time of a device went", "[measure]") {
    const Trace trace = read_trace(trace_of(step, R"("distributedInfo": {"backend": "nccl", "rank": 3,
        "world_size": 4, "pg_config": [{"pg_size": 4, "ranks": [0, 1]}]}, )"));
    CHECK(trace.rank == 3);
    CHECK(trace.world_size == 4);
    CHECK(trace.backend == "nccl");
    CHECK(trace.devices == 1);
    CHECK(trace.events == 9);
    CHECK(trace.events_used == 4);
    CHECK(trace.nccl_kernels == 1);
    CHECK(trace.nccl_seconds == Approx(100.25 * us));
    CHECK(trace.times.span_seconds == Approx(309.5 * us));
    CHECK(trace.times.compute_seconds == Approx(200 * us));
    CHECK(trace.times.communication_seconds == Approx(100.25 * us));
    CHECK(trace.times.overlap_seconds == Approx(50.25 * us));
    CHECK(trace.times.exposed_seconds == Approx(50 * us));
    CHECK(trace.times.other_seconds == Approx(10 * us));
    CHECK(trace.times.idle_seconds == Approx(49.5 * us));
    CHECK(trace.times.overlap_fraction() == Approx(50.25 / 100.25));
    CHECK_FALSE(trace.broken_at_byte);
    require_whole(trace);
}

TEST_CASE("A trace: a collective with its size, ranks and bus bandwidth", "[measure]") {
    const Trace trace = read_trace(trace_of(step));
    REQUIRE(trace.communications.size() == 1);
    const Communication& communication = trace.communications.front();
    CHECK(communication.kind == CommunicationKind::all_reduce);
    CHECK(communication.start_seconds == Approx(149.5 * us));
    CHECK(communication.seconds == Approx(100.25 * us));
    CHECK(communication.elements == 1000);
    CHECK(communication.bytes == 2000);
    CHECK(communication.ranks == 4);
    CHECK(communication.group == "[0, 1]");
    CHECK(communication.overlapped_seconds == Approx(50.25 * us));
    CHECK(bus_bytes_per_second(communication).value() == Approx(2000 / (100.25 * us) * 1.5));
}

TEST_CASE("A trace: a kernel communicates if its own name begins with a library's", "[measure]") {
    for (const char* name : {"ncclKernel_AllReduce_RING", "void ncclDevKernel_Generic(int)", "ns::ncclKernel_SendRecv",
                             "_Z20ncclKernel_AllGatherv", "rcclKernel_AllReduce"}) {
        INFO(name);
        CHECK(read_trace(trace_of({nccl("100", "10", "", name)})).communications.size() == 1);
    }
    for (const char* name : {"void flash_no_nccl_fwd(int)", "void reduce<nccl>(float*)", "copy(ncclDevComm*)"}) {
        INFO(name);
        const Trace trace = read_trace(trace_of({nccl("100", "10", "", name)}));
        CHECK(trace.communications.empty());
        CHECK(trace.times.compute_seconds == Approx(10 * us));
    }
}

TEST_CASE("A trace: read the same wherever it is cut", "[measure]") {
    std::vector<std::string> events = step;
    events.push_back(event("kernel", R"(a \"quoted\\\\\" name, \u00e9)", "0", R"("stream 9")", "1500.1239", "1e1"));
    const std::string text = trace_of(events, "\"deviceProperties\": [{\"name\": \"a ] } \\\" b\"}], ");
    const Trace whole = read_trace(text);
    CHECK(whole.times.compute_seconds == Approx(210 * us));
    for (std::size_t piece = 1; piece < 60; ++piece) {
        const Trace cut = read_trace(text, piece);
        CHECK(cut.events == whole.events);
        CHECK(cut.events_used == whole.events_used);
        CHECK(cut.times.span_seconds == whole.times.span_seconds);
        CHECK(cut.times.compute_seconds == whole.times.compute_seconds);
        CHECK(cut.times.overlap_seconds == whole.times.overlap_seconds);
        CHECK(cut.communications.front().bytes == 2000);
        CHECK_FALSE(cut.broken_at_byte);
    }
}

TEST_CASE("A trace: times of equal kind on several streams count once", "[measure]") {
    const Trace trace = read_trace(trace_of({kernel("7", "100", "50"), kernel("8", "120", "50"),
                                             kernel("9", "110", "5"), nccl("150", "40"), kernel("7", "180", "5")}));
    CHECK(trace.times.compute_seconds == Approx(75 * us));
    CHECK(trace.times.overlap_seconds == Approx(25 * us));
    CHECK(trace.times.span_seconds == Approx(90 * us));
    CHECK(trace.amended.empty());
    require_whole(trace);
}

TEST_CASE("A trace: unions of random kernels are those of a count by the microsecond", "[measure]") {
    Random random(11);
    constexpr int end = 400;
    for (int round = 0; round < 40; ++round) {
        std::vector<std::string> events;
        std::vector<int> computes(end, 0);
        std::vector<int> communicates(end, 0);
        for (int stream = 0; stream < 4; ++stream) {
            for (int at = random.whole(1, 30); at < end - 40; at += random.whole(0, 30)) {
                const int duration = random.whole(1, 20);
                const bool communication = stream == 3;
                for (int time = at; time < at + duration; ++time) {
                    ++(communication ? communicates : computes)[static_cast<std::size_t>(time)];
                }
                const std::string name = communication ? "ncclDevKernel_AllGather_RING_LL(x)" : "gemm";
                events.push_back(
                    event("kernel", name, "0", std::to_string(stream), std::to_string(at), std::to_string(duration)));
                at += duration;
            }
        }
        int compute = 0;
        int communication = 0;
        int both = 0;
        for (std::size_t time = 0; time < end; ++time) {
            compute += computes[time] > 0 ? 1 : 0;
            communication += communicates[time] > 0 ? 1 : 0;
            both += computes[time] > 0 && communicates[time] > 0 ? 1 : 0;
        }
        for (std::size_t index = events.size(); index > 1; --index) {
            std::swap(events[index - 1],
                      events[static_cast<std::size_t>(random.whole(0, static_cast<int>(index) - 1))]);
        }
        const Trace trace = read_trace(trace_of(events));
        CHECK(trace.times.compute_seconds == Approx(compute * us));
        CHECK(trace.times.communication_seconds == Approx(communication * us));
        CHECK(trace.times.overlap_seconds == Approx(both * us).margin(1e-15));
        require_whole(trace);
    }
}

TEST_CASE("A trace: devices have each their own time", "[measure]") {
    const Trace trace = read_trace(trace_of({event("kernel", "gemm", "0", "7", "100", "50"),
                                             event("kernel", "ncclDevKernel_Broadcast(x)", "1", "7", "100", "50")}));
    CHECK(trace.devices == 2);
    CHECK(trace.times.span_seconds == Approx(100 * us));
    CHECK(trace.times.compute_seconds == Approx(50 * us));
    CHECK(trace.times.overlap_seconds == 0);
    CHECK(trace.times.exposed_seconds == Approx(50 * us));
}

TEST_CASE("A trace: the kinds of kernels by their names, of every generation of NCCL", "[measure]") {
    const Trace trace = read_trace(trace_of({
        nccl("100", "1", "", all_reduce_kernel),
        nccl("110", "1", "", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"),
        nccl("120", "1", "", "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(x)"),
        nccl("130", "1", "", "ncclKernel_AllGather_RING_LL_Sum_int8_t(x)"),
        nccl("140", "1", "", "ncclKernel_Broadcast_RING_LL_Sum_int8_t(x)"),
        nccl("150", "1", "", "ncclDevKernel_SendRecv(x)"),
        nccl("160", "1", "", "ncclDevKernel_Reduce_Sum_f16_RING_LL(x)"),
        nccl("170", "1", "", "ncclAllReduceRingLLKernel_sum_f32(ncclColl)"),
        nccl("180", "1", "", "ncclDevKernel_Generic_4(x)"),
        nccl("190", "1", collective("all_to_allv", "8", "8", "Int", "2"), "ncclDevKernel_SendRecv(x)"),
    }));
    CHECK(kinds_of(trace) ==
          "all_reduce all_reduce reduce_scatter all_gather broadcast send_receive reduce all_reduce other all_to_all");
    CHECK(trace.nccl_kernels == 10);
}

TEST_CASE("A trace: sizes are counted as nccl-tests counts them", "[measure]") {
    const Trace trace = read_trace(trace_of({
        nccl("100", "1", collective("_reduce_scatter_base", "800", "100", "Half", "8")),
        nccl("110", "1", collective("_allgather_base", "100", "800", "Float", "8"), "ncclDevKernel_AllGather(x)"),
        nccl("120", "1", collective("recv", "0", "50", "Double", "2"), "ncclDevKernel_SendRecv(x)"),
        nccl("130", "1", collective("allreduce", "10", "10", "Mystery", "2")),
    }));
    REQUIRE(trace.communications.size() == 4);
    CHECK(trace.communications[1].bytes == 3200);
    CHECK(trace.communications[2].bytes == 400);
    CHECK(trace.communications[3].elements == 10);
    CHECK_FALSE(trace.communications[3].bytes);
}

TEST_CASE("A trace: PyTorch 2.2 has the size on the host's record, joined by External id", "[measure]") {
    const std::string record = event("cpu_op", "record_param_comms", "77", "78", "90", "5",
                                     R"("External id": 41, )" + collective("allreduce", "64", "64", "Long", "2"));
    const Trace trace = read_trace(trace_of({nccl("100", "10", R"("External id": 41, "correlation": 9)"), record}));
    CHECK(trace.communications.front().bytes == 512);
    CHECK(trace.communications.front().ranks == 2);
    CHECK(trace.events_used == 2);
}

TEST_CASE("A trace: PyTorch 2.0 has it on the annotation around the launch", "[measure]") {
    // The External id is the kernel's correlation, and that of another record by chance.
    const std::vector<std::string> events = {
        event("cpu_op", "record_param_comms", "77", "78", "90", "80",
              R"("External id": 900, "Input Dims": [[], [], []], "Input type": ["TensorList", "Scalar", ""])"),
        event("user_annotation", "nccl:all_reduce", "77", "78", "95", "70",
              R"("Input Dims": [[3, 20], [4]], "Input type": ["", "c10::Half"])"),
        event("user_annotation", "nccl:broadcast", "77", "79", "95", "70",
              R"("External id": 500, "Input Dims": [[7]], "Input type": ["float"])"),
        event("cuda_runtime", "cudaLaunchKernel", "77", "78", "120", "5", R"("correlation": 500)"),
        event("cuda_runtime", "cudaLaunchKernel", "77", "78", "300", "5", R"("correlation": 501)"),
        nccl("200", "10", R"("External id": 500, "correlation": 500)", all_reduce_kernel),
        nccl("400", "10", R"("External id": 501, "correlation": 501)", all_reduce_kernel),
    };
    std::vector<std::string> kernels_first = {events[5], events[6], events[0], events[1],
                                              events[2], events[3], events[4]};
    for (const std::vector<std::string>& order : {events, kernels_first}) {
        const Trace trace = read_trace(trace_of(order, R"("distributedInfo": {"world_size": 8}, )"));
        REQUIRE(trace.communications.size() == 2);
        CHECK(trace.communications[0].elements == 64);
        CHECK(trace.communications[0].bytes == 128);
        CHECK_FALSE(trace.communications[1].bytes);
        // No event names a group: all ranks are taken, and it is said.
        CHECK(trace.communications[0].ranks == 8);
        CHECK(events_with(trace.amended, "is taken to be of all ranks") == 2);
        require_whole(trace);
    }
}

TEST_CASE("A trace: epoch timestamps keep their nanoseconds", "[measure]") {
    // A double of these microseconds has steps of 0.25.
    const Trace trace =
        read_trace(trace_of({kernel("7", "1712195495520871.001", "0.002"), kernel("7", "1712195495520871.004", "0.003"),
                             kernel("7", "1712195495520871.0089", "0.0014")}));
    CHECK(trace.times.span_seconds == Approx(9e-9).epsilon(1e-12));
    CHECK(trace.times.compute_seconds == Approx(6e-9).epsilon(1e-12));
    CHECK(trace.times.idle_seconds == Approx(3e-9).epsilon(1e-12));
    const Trace whole_numbers =
        read_trace(trace_of({kernel("7", "1669783687929439", "2"), kernel("7", "1669783687929445", "1")}));
    CHECK(whole_numbers.times.span_seconds == Approx(7 * us).epsilon(1e-12));
}

TEST_CASE("A trace: a bare list without categories, as the profiler wrote before kineto", "[measure]") {
    const auto on = [](const std::string& name, const std::string& process, const std::string& thread,
                       const std::string& start, const std::string& duration) {
        return R"({"name": ")" + name + R"(", "ph": "X", "ts": )" + start + R"(, "dur": )" + duration + R"(, "tid": )" +
               thread + R"(, "pid": ")" + process + R"(", "args": {}})";
    };
    const std::string host =
        "[" + on("aten::mm", "CPU functions", "1", "10", "30") + ", " +
        on("aten::copy_", "CPU functions", "1", "20", "10") + ", " +
        on("autograd::engine::evaluate_function: AddmmBackward0", "CPU functions", "2", "40", "90") + ", " +
        on("gloo:all_reduce", "CPU functions", "2", "30", "20") + ", " +
        on("c10d::allreduce_", "CPU functions", "2", "30", "5") + ", " +
        R"({"name": "aten::mm", "ph": "s", "ts": 10, "tid": 1, "pid": "CPU functions", "id": 1}])";
    const Trace trace = read_trace(host);
    CHECK(trace.devices == 0);
    CHECK(trace.nccl_kernels == 0);
    CHECK(kinds_of(trace) == "all_reduce");
    CHECK_FALSE(trace.communications.front().bytes);
    CHECK(trace.times.compute_seconds == Approx(30 * us));
    CHECK(trace.times.communication_seconds == Approx(20 * us));
    CHECK(trace.times.overlap_seconds == Approx(10 * us));
    CHECK(trace.times.span_seconds == Approx(40 * us));
    CHECK(trace.events_used == 3);
    require_whole(trace);

    // All streams of a device stand on one thread there: they may overlap.
    const Trace devices = read_trace("[" + on("gemm", "CUDA functions", "0", "10", "30") + "," +
                                     on("ncclKernel_AllReduce(x)", "CUDA functions", "0", "20", "40") + "]");
    CHECK(devices.devices == 1);
    CHECK(devices.times.overlap_seconds == Approx(20 * us));
    CHECK(devices.amended.empty());
}

TEST_CASE("A trace: Gloo with shapes, and beside devices", "[measure]") {
    const std::string gloo = event("user_annotation", "gloo:all_reduce", "7", "7", "100", "50",
                                   R"("Input Dims": [[1024, 2]], "Input type": ["float"])");
    const Trace host = read_trace(trace_of({event("cpu_op", "aten::add", "7", "7", "120", "10"), gloo},
                                           R"("distributedInfo": {"backend": "gloo", "world_size": 2}, )"));
    CHECK(host.backend == "gloo");
    CHECK(host.communications.front().bytes == 8192);
    CHECK(host.communications.front().ranks == 2);
    CHECK(host.times.overlap_seconds == Approx(10 * us));
    const Trace beside =
        read_trace(trace_of({event("cpu_op", "aten::add", "7", "7", "120", "10"), gloo, kernel("7", "130", "5")}));
    CHECK(beside.communications.empty());
    CHECK(beside.times.compute_seconds == Approx(5 * us));
    CHECK(events_with(beside.ignored, "communications of the host") == 1);
    CHECK(events_with(beside.ignored, "operations of the host") == 1);
    require_whole(beside);
}

TEST_CASE("A trace: a collective that takes no time has a start all the same", "[measure]") {
    CHECK(read_trace(trace_of({nccl("110", "0")})).communications.front().start_seconds == 0);
    const Trace early = read_trace(trace_of({nccl("110", "0"), kernel("7", "150", "5"), nccl("160", "0")}));
    CHECK(early.communications.front().start_seconds == 0);
    CHECK(early.communications.back().start_seconds == Approx(50 * us));
    const std::string gloo = event("user_annotation", "gloo:all_reduce", "7", "7", "100", "0");
    CHECK(read_trace(trace_of({gloo})).communications.front().start_seconds == 0);
}

TEST_CASE("A trace: what takes no time begins and ends the span all the same", "[measure]") {
    const std::vector<std::string> apart = {nccl("110", "0"), kernel("7", "150", "5"), kernel("8", "163", "0")};
    const Trace device = read_trace(trace_of(apart));
    CHECK(device.times.span_seconds == Approx(53 * us));
    CHECK(device.times.idle_seconds == Approx(48 * us));
    require_whole(device);
    const auto add = [](const char* start, const char* duration) {
        return event("cpu_op", "aten::add", "7", "7", start, duration);
    };
    const Trace host = read_trace(trace_of({add("100", "0"), add("120", "10"), add("140", "0")}));
    CHECK(host.times.span_seconds == Approx(40 * us));
    CHECK(host.times.compute_seconds == Approx(10 * us));
    require_whole(host);
    CHECK(read_trace(trace_of({kernel("7", "10", "0")})).times.span_seconds == 0);
}

TEST_CASE("A trace: one without communication or without devices has a fraction of 0", "[measure]") {
    const Trace computes = read_trace(trace_of({kernel("7", "10", "5")}));
    CHECK(computes.times.overlap_fraction() == 0);
    const Trace empty = read_trace(R"({"traceEvents": []})");
    CHECK(empty.events == 0);
    CHECK(empty.times.span_seconds == 0);
    CHECK(empty.times.overlap_fraction() == 0);
}
