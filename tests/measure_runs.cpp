#include <string>

#include <shardlab/array.hpp>
#include <shardlab/measure.hpp>
#include <shardlab/verify.hpp>

#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

const std::string header =
    "#                                                              out-of-place                       in-place\n"
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw "
    "#wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n";
const std::string printed_row =
    "     1048576        262144     float     sum      -1    28.56   36.71   64.24      0    28.37   36.96   64.68     "
    " 0\n";

int lines_of(const AllReduceRuns& read, const std::string& reason) {
    for (const IgnoredLines& ignored : read.ignored) {
        if (ignored.reason == reason) {
            return ignored.lines;
        }
    }
    return 0;
}

/// Why the second of two rows is passed over.
std::string reason_against(const std::string& text) {
    const AllReduceRuns read = read_all_reduce_runs(header + printed_row + text);
    CHECK(read.lines_used == 1);
    return read.ignored.back().reason;
}

}  // namespace

TEST_CASE("Measured runs: every row of the published CSV is used", "[measure]") {
    const AllReduceRuns read = read_all_reduce_runs(published_csv("nccl_tests_allreduce_runs"));
    REQUIRE(read.runs.size() == 4);
    CHECK(read.lines_used == 92);
    CHECK(read.lines_ignored == 1);
    CHECK(read.runs[0].id == "aws_p5_8xH100_1node");
    CHECK(read.runs[0].ranks == 8);
    CHECK(read.runs[0].measurements.size() == 32);
    CHECK(read.runs[0].measurements.front().bytes == 8);
    CHECK(read.runs[0].measurements.front().seconds == Approx(12.9e-6).epsilon(1e-15));
    CHECK(read.runs[1].ranks == 16);
    CHECK(read.runs[3].measurements.back().bytes == 17179869184.0);
}

TEST_CASE("Measured runs: a CSV may have its columns in any order, quotes, and lines that say nothing", "[measure]") {
    const AllReduceRuns read = read_all_reduce_runs(
        "\xEF\xBB\xBF\r\n\"note, of all\",oop_time_us, size_B \r\n\"a \"\"b\"\", c\",2.5,1e3\r\n\r\nd,3,+2000\r\n");
    REQUIRE(read.runs.size() == 1);
    CHECK(read.runs[0].id == "1");
    CHECK_FALSE(read.runs[0].ranks);
    REQUIRE(read.runs[0].measurements.size() == 2);
    CHECK(read.runs[0].measurements[0] == Measurement{1000, 2.5 * 1e-6});
    CHECK(read.runs[0].measurements[1].bytes == 2000);
    CHECK(lines_of(read, "blank") == 2);
}

TEST_CASE("Measured runs: a row of a CSV that can not be is counted with its reason", "[measure]") {
    const AllReduceRuns read = read_all_reduce_runs(
        "size_B,oop_time_us\n8,1\n0,1\n1.5,1\n-8,1\n1e17,1\n16,0\n16,-1\n16,nan\n16,inf\n16,1e300\n16,N/"
        "A\n16\n16,1,2\n");
    CHECK(read.lines_used == 1);
    CHECK(lines_of(read, "a size of 0, which moves nothing") == 1);
    CHECK(lines_of(read, "a size that is no whole number of bytes") == 3);
    CHECK(lines_of(read, "a time that is not from 1 ns to 1e9 s") == 3);
    CHECK(lines_of(read, "a row whose size or time is no number") == 3);
    CHECK(lines_of(read, "a row with another number of cells than the header") == 2);
    CHECK(read.ignored[1].first_line == 3);
}

TEST_CASE("Measured runs: rows that disagree about the ranks leave them open", "[measure]") {
    const auto ranks = [](const std::string& first, const std::string& second) {
        const std::string text =
            "nranks,size_B,oop_time_us\n" + first + ",8,1\n" + second + ",16,1\n" + first + ",32,1\n";
        return read_all_reduce_runs(text).runs.at(0).ranks;
    };
    CHECK(ranks("8", "8") == 8);
    CHECK_FALSE(ranks("8", "16"));
    CHECK_FALSE(ranks("8", "x"));
    CHECK_FALSE(ranks("x", "8"));
    CHECK_FALSE(ranks("0", "0"));
}

TEST_CASE("Measured runs: what nccl-tests prints, behind a launcher's prefix and between other lines", "[measure]") {
    const AllReduceRuns read = read_all_reduce_runs(
        "[1,0]<stdout>:# nThread 1 nGpus 1 minBytes 8 maxBytes 34359738368 step: 2(factor)\n"
        "[1,0]<stdout>:#  Rank  0 Group  0 Pid    212 on  node1 device  0 [0x53] NVIDIA H100 80GB HBM3\n"
        "[1,0]<stdout>:#  Rank  1 Group  0 Pid    213 on  node1 device  1 [0x64] NVIDIA H100 80GB HBM3\n"
        "[1,0]<stdout>:#       size         count      type   redop    root     time   algbw   busbw #wrong     time\n"
        "[1,0]<stdout>:#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)\n"
        "[1,0]<stdout>:     1048576        262144     float     sum      -1    28.56   36.71   64.24      0    28.37\n"
        "node1:1113:1113 [0] NCCL INFO comm 0x55de2ecc0590 rank 0 nranks 2 cudaDev 0 busId 100000 - Destroy COMPLETE\n"
        "[1,0]<stdout>:  8589934592    2147483648     float     sum      -1    31289  274.53  480.43    N/A    31294\n"
        "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 174.061\n#\n");
    REQUIRE(read.runs.size() == 1);
    CHECK(read.runs[0].ranks == 2);
    REQUIRE(read.runs[0].measurements.size() == 2);
    CHECK(read.runs[0].measurements[0].seconds == Approx(28.56e-6).epsilon(1e-15));
    CHECK(read.runs[0].measurements[1] == Measurement{8589934592.0, 31289 * 1e-6});
    CHECK(read.lines_used + read.lines_ignored == 11);
    CHECK(lines_of(read, "no row of a table") == 1);
}

TEST_CASE("Measured runs: the tables of older versions, with and without their header", "[measure]") {
    const std::string with_redop =
        "    33554432       8388608   float     sum    817.8   41.03   41.03  0e+00    785.1   42.74   42.74  0e+00\n";
    const std::string oldest =
        "    33554432       8388608   float    817.8   41.03   41.03  0e+00    785.1   42.74   42.74  N/A\n";
    const std::string header_with_redop =
        "#       size         count    type   redop     time  algbw  busbw  error     time  algbw  busbw  error\n";
    for (const std::string& text : {with_redop, oldest, header_with_redop + with_redop}) {
        const AllReduceRuns read = read_all_reduce_runs(text);
        REQUIRE(read.lines_used == 1);
        CHECK(read.runs[0].measurements[0] == Measurement{33554432, 817.8 * 1e-6});
    }
    CHECK(read_all_reduce_runs(printed_row).runs[0].measurements[0] == Measurement{1048576, 28.56 * 1e-6});
}

TEST_CASE("Measured runs: each table is a run of its own", "[measure]") {
    const AllReduceRuns read =
        read_all_reduce_runs("#  Rank  3 Pid\n" + header + printed_row + header + header + printed_row + printed_row);
    REQUIRE(read.runs.size() == 2);
    CHECK(read.runs[0].id == "1");
    CHECK(read.runs[0].ranks == 4);
    CHECK(read.runs[1].id == "3");
    CHECK_FALSE(read.runs[1].ranks);
    CHECK(read.runs[1].measurements.size() == 2);
}

TEST_CASE("Measured runs: a row that can not be trusted is counted with its reason", "[measure]") {
    CHECK(reason_against("           0             0     float     sum      -1     5.70    0.00    0.00      0\n") ==
          "a size of 0, which moves nothing");
    CHECK(reason_against("     1048576        262144     float     sum      -1\n") == "a row that is cut short");
    CHECK(reason_against("     1048576        262144     float     sum      -1    28.56\n") ==
          "a row that is cut short");
    CHECK(reason_against("     1048576        262144     float     sum      -1      N/A     N/A     N/A    N/A\n") ==
          "a row without a time");
    CHECK(reason_against("     1048576        262144     float    none      -1    28.56   36.71   64.24      0\n") ==
          "a row without a reduction, which is no all-reduce");
    CHECK(reason_against("     1048576        262144     float     sum      -1    28.56   36.71   64.24      5\n") ==
          "a row with wrong results");
    // A column that is missing shifts the others; milliseconds are no microseconds.
    CHECK(reason_against("     1048576        262144     float     sum    28.56   36.71   64.24      0\n") ==
          "a row whose time and algorithm bandwidth do not give its size");
    CHECK(reason_against("     1048576        262144     float     sum      -1  0.02856   36.71   64.24      0\n") ==
          "a row whose time and algorithm bandwidth do not give its size");
    CHECK(lines_of(read_all_reduce_runs(header + printed_row + "# " + printed_row), "comment") == 3);
}

TEST_CASE("Measured runs: every line of any text is used or ignored", "[measure]") {
    Random random(5);
    const std::string pieces[] = {printed_row, header, "\n",   "  ", "8 2 float",
                                  "# Rank 7 ", "N/A ", "1e5,", "\"", "sum 3.0 2.67 1 "};
    for (int round = 0; round < 300; ++round) {
        std::string text = printed_row;
        for (int piece = random.whole(0, 12); piece > 0; --piece) {
            text += pieces[random.whole(0, 9)];
        }
        const AllReduceRuns read = read_all_reduce_runs(text);
        int lines = text.back() == '\n' ? 0 : 1;
        for (const char character : text) {
            lines += character == '\n' ? 1 : 0;
        }
        CAPTURE(text);
        CHECK(read.lines_used + read.lines_ignored == lines);
        std::size_t measurements = 0;
        for (const AllReduceRun& run : read.runs) {
            CHECK_FALSE(run.measurements.empty());
            measurements += run.measurements.size();
        }
        CHECK(measurements == static_cast<std::size_t>(read.lines_used));
    }
}

TEST_CASE("Measured runs: a text without a row that can be used is refused, with the first reason", "[measure]") {
    require_refused("input", "an empty text", [] { read_all_reduce_runs(""); });
    require_refused("input", "an empty text", [] { read_all_reduce_runs(" \n\n"); });
    require_refused("input", "a text of 2 lines without a row", [] { read_all_reduce_runs("1,2,3\n4,5,6\n"); });
    require_refused("input", "a text of 1 line without a row", [] { read_all_reduce_runs("size_B,oop_time_us"); });
    require_refused("file", "a text whose line 2 has a row whose size or time is no number",
                    [] { read_all_reduce_runs("size_B,oop_time_us\n8,x\n16,y\n", "file"); });
    std::string many = "size_B,oop_time_us\n";
    for (int line = 0; line <= most_measured_rows; ++line) {
        many += "8,1\n";
    }
    require_refused("input", "over 100000 rows", [&] { read_all_reduce_runs(many); });
}
