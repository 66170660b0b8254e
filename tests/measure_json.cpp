#include <string>

#include <shardlab/array.hpp>
#include <shardlab/measure.hpp>

#include "catch.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

/// A row as nccl-tests writes it with -J.
std::string row(const std::string& size, const std::string& times, const std::string& redop = "sum") {
    return R"({"size":)" + size + R"(,"count":262144,"type":"float","redop":")" + redop +
           R"(","root":"    -1","out_of_place":)" + times +
           R"(,"in_place":{"time":28.37,"alg_bw":36.96,"bus_bw":64.68,"nwrong":0.000000},)"
           R"("actual_iterations":20,"experiment_name":"AllReduce"})";
}

std::string times(const std::string& time, const std::string& bandwidth, const std::string& wrong = "0.000000") {
    return R"({"time":)" + time + R"(,"alg_bw":)" + bandwidth + R"(,"bus_bw":1.0,"nwrong":)" + wrong +
           R"(,"bitwise":{"repeats":2,"different_elements":0,"first_rank":null}})";
}

std::string nccl_tests(const std::string& rows, const std::string& program = "./build/all_reduce_perf") {
    return R"({"version":3,"start_time":"2026-01-02 03:04:05","args":[")" + program +
           R"(","-J","out.json"],"env":["A=[{\"x\"","B=1"],"nccl_version":22803,"config":{"nthreads":1,"ngpus":8,)"
           R"("devices":[{"rank":0,"group":0,"hostname":"a"},{"rank":1,"group":0,"hostname":"a"}]},"results":[)" +
           rows + R"(],"out_of_bounds":{"count":0,"okay":"true"},"end_time":"2026-01-02 03:04:09"})";
}

const std::string good = row("1048576", times("28.560000", "36.714846"));

std::string reason_against(const std::string& other) {
    const AllReduceRuns read = read_all_reduce_runs(nccl_tests(good + "," + other));
    CHECK(read.lines_used == 1);
    CHECK(read.lines_ignored == 1);
    CHECK(read.ignored.at(0).first_line == 2);
    return read.ignored.at(0).reason;
}

std::string ours(const std::string& rows, const std::string& version = "1") {
    return R"({"format": "shardlab-mpi", "version": )" + version +
           R"(, "hosts": ["a", "b"], "ranks": 4, "collective": "all_reduce", "rows": [)" + rows + R"(], "fits": []})";
}

std::string our_row(const std::string& algorithm, const std::string& bytes, const std::string& seconds,
                    const std::string& wrong = "0") {
    return R"({"algorithm": ")" + algorithm + R"(", "bytes": )" + bytes + R"(, "seconds": )" + seconds +
           R"(, "wrong": )" + wrong + "}";
}

}  // namespace

TEST_CASE("JSON of nccl-tests: rows out of place, and the ranks of its devices", "[measure]") {
    const AllReduceRuns read = read_all_reduce_runs(
        "\xEF\xBB\xBF\n " + nccl_tests(good + "," + row("8589934592", times("31289.000000", "274.535285", "null"))));
    REQUIRE(read.runs.size() == 1);
    CHECK(read.runs[0].id == "1");
    CHECK(read.runs[0].ranks == 2);
    REQUIRE(read.runs[0].measurements.size() == 2);
    CHECK(read.runs[0].measurements[0].bytes == 1048576);
    CHECK(read.runs[0].measurements[0].seconds == Approx(28.56e-6).epsilon(1e-15));
    CHECK(read.runs[0].measurements[1].bytes == 8589934592.0);
    CHECK(read.lines_used == 2);
    CHECK(read.lines_ignored == 0);
}

TEST_CASE("JSON of nccl-tests: a row that can not be trusted is counted with its reason", "[measure]") {
    CHECK(reason_against(row("0", times("5.7", "0.0"))) == "a size of 0, which moves nothing");
    CHECK(reason_against(row("1048576", times("28.56", "36.71"), "none")) ==
          "a row without a reduction, which is no all-reduce");
    CHECK(reason_against(row("1048576", "null")) == "a row without a time");
    CHECK(reason_against(row("1048576", R"({"time":"nan"})")) == "a row without a time");
    CHECK(reason_against(row("1048576", R"({"cpu_time":3.0,"alg_bw":1.0})")) ==
          "a row with the processor's time alone");
    CHECK(reason_against(row("1048576", times("28.56", "36.71", "5.0"))) == "a row with wrong results");
    CHECK(reason_against(row("1048576", times("0.02856", "36.71"))) ==
          "a row whose time and algorithm bandwidth do not give its size");
    CHECK(reason_against("{}") == "a row without a size");
    CHECK(reason_against(row("1048576", times("-1", "36.71"))) == "a time that is not from 1 ns to 1e9 s");
}

TEST_CASE("JSON of nccl-tests: a file that broke off counts the rows before, and the end that is missing",
          "[measure]") {
    const std::string whole = nccl_tests(good + "," + good);
    const std::size_t second = whole.rfind("{\"size\"");
    const AllReduceRuns read = read_all_reduce_runs(whole.substr(0, second + 40));
    CHECK(read.lines_used == 1);
    CHECK(read.ignored.at(0).reason == "the end of the JSON, which is missing or breaks its rules");
}

TEST_CASE("JSON of nccl-tests: another collective's run is refused", "[measure]") {
    require_refused("input", "a run of \"/opt/reduce_scatter_perf\"",
                    [] { read_all_reduce_runs(nccl_tests(good, "/opt/reduce_scatter_perf")); });
    require_refused("input", "JSON without a row", [] { read_all_reduce_runs(nccl_tests("")); });
    require_refused("file", "JSON without a row", [] { read_all_reduce_runs("{\"rows\": 5}", "file"); });
    require_refused("file", "a trace of torch.profiler", [] { read_all_reduce_runs("{\"traceEvents\": []}", "file"); });
    require_refused("input", "a trace of torch.profiler", [] { read_all_reduce_runs("{\"traceEvents\": [{"); });
    require_refused("input", "a text of 1 line without a row", [] { read_all_reduce_runs("{oops"); });
}

TEST_CASE("JSON of shardlab-mpi: a run for each algorithm", "[measure]") {
    const AllReduceRuns read = read_all_reduce_runs(
        ours(our_row("ring", "8", "1e-6") + "," + our_row("mpi", "8", "2e-6") + "," + our_row("ring", "16", "0.5") +
             "," + our_row("ring", "0", "1e-6") + "," + our_row("tree", "8", "1e-6", "3")));
    REQUIRE(read.runs.size() == 2);
    CHECK(read.runs[0].id == "ring");
    CHECK(read.runs[0].ranks == 4);
    REQUIRE(read.runs[0].measurements.size() == 2);
    CHECK(read.runs[0].measurements[1].seconds == 0.5);
    CHECK(read.runs[1].id == "mpi");
    CHECK(read.lines_used == 3);
    CHECK(read.lines_ignored == 2);
    require_refused("input", "JSON of shardlab-mpi of version 2",
                    [] { read_all_reduce_runs(ours(our_row("ring", "8", "1e-6"), "2")); });
}

TEST_CASE("Measured runs: the columns that nccl-tests adds on demand", "[measure]") {
    const auto seconds = [](const std::string& text) {
        return read_all_reduce_runs(text).runs.at(0).measurements.at(0);
    };
    const std::string head = "#       size         count      type   redop    root     time   algbw   busbw  #wrong";
    const std::string begin = "     1048576        262144     float     sum      -1    28.56   36.71   64.24       0";
    const std::string in_place = "    28.37   36.96   64.68       0";
    const std::string statistics = "    27.10    30.20    30.10     1.20";
    const std::string date = "  2026-01-02 03:04:05";
    const Measurement expected = seconds(head + "\n" + begin + in_place + "\n");
    CHECK(expected.bytes == 1048576);
    for (const std::string& rest :
         {statistics + in_place + statistics, in_place + date, "       0" + in_place + "       0",
          "       0" + statistics + in_place + "       0" + statistics + date}) {
        CHECK(seconds(head + "\n" + begin + rest + "\n") == expected);
        CHECK(seconds(begin + rest + "\n") == expected);
    }
    const AllReduceRuns with_memory =
        read_all_reduce_runs(begin + in_place + "\n# GPU memory usage     : Initialization 1.20 GB | Total  2.10 GB\n");
    CHECK(with_memory.lines_used == 1);
    const std::string processor =
        "#       size         count      type   redop    root  cputime   algbw   busbw  #wrong\n";
    require_refused("input", "a text whose line 2 has a row with the processor's time alone",
                    [&] { read_all_reduce_runs(processor + begin + in_place + "\n"); });
}
