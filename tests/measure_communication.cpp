#include <string>
#include <vector>

#include <shardlab/array.hpp>
#include <shardlab/measure.hpp>

#include "catch.hpp"
#include "refusal.hpp"
#include "trace_text.hpp"

using namespace shardlab;

namespace {

Communication all_reduce(double bytes, double seconds, int ranks, const std::string& group = "") {
    Communication communication;
    communication.kind = CommunicationKind::all_reduce;
    communication.bytes = bytes;
    communication.seconds = seconds;
    communication.ranks = ranks;
    communication.group = group;
    return communication;
}

Trace trace_with(const std::vector<Communication>& communications) {
    Trace trace;
    trace.communications = communications;
    return trace;
}

}  // namespace

TEST_CASE("Communications: the bus factors of nccl-tests", "[measure]") {
    CHECK(bus_factor(CommunicationKind::all_reduce, 8) == 1.75);
    CHECK(bus_factor(CommunicationKind::reduce_scatter, 8) == 0.875);
    CHECK(bus_factor(CommunicationKind::all_gather, 4) == 0.75);
    CHECK(bus_factor(CommunicationKind::all_to_all, 2) == 0.5);
    CHECK(bus_factor(CommunicationKind::broadcast, 8) == 1);
    CHECK(bus_factor(CommunicationKind::send_receive, 2) == 1);
    CHECK(bus_factor(CommunicationKind::all_reduce, 1) == 0);
    require_refused("ranks", "0", [] { bus_factor(CommunicationKind::reduce, 0); });
    CHECK(name_of(CommunicationKind::all_to_all) == std::string("all_to_all"));
    CHECK(name_of(CommunicationKind::other) == std::string("other"));
}

TEST_CASE("Communications: sums by kind", "[measure]") {
    Communication unknown;
    unknown.seconds = 1;
    const std::vector<CommunicationSum> sums =
        sums_by_kind({unknown, all_reduce(100, 2, 2), all_reduce(300, 2, 2), all_reduce(0, 0, 2)});
    REQUIRE(sums.size() == 2);
    CHECK(sums[0].kind == CommunicationKind::all_reduce);
    CHECK(sums[0].count == 3);
    CHECK(sums[0].bytes == 400);
    CHECK(sums[0].bus_bytes_per_second == 100);
    CHECK(sums[1].count == 1);
    CHECK(sums[1].without_bytes == 1);
    CHECK_FALSE(sums[1].bus_bytes_per_second);
    CHECK(sums_by_kind({}).empty());
}

TEST_CASE("Communications: all-reduces to fit are of one group size, each size with its shortest time", "[measure]") {
    const std::vector<Communication> communications = {all_reduce(8, 3e-6, 4),  all_reduce(8, 2e-6, 4),
                                                       all_reduce(16, 9e-6, 4), all_reduce(8, 1e-6, 2),
                                                       all_reduce(0, 1e-6, 4),  all_reduce(8, 0, 4)};
    CHECK(usual_all_reduce_ranks(communications) == 4);
    const std::vector<Measurement> measurements = all_reduce_measurements(communications, 4);
    REQUIRE(measurements.size() == 2);
    CHECK(measurements[0] == Measurement{8, 2e-6});
    CHECK(measurements[1] == Measurement{16, 9e-6});
    CHECK(usual_all_reduce_ranks({all_reduce(8, 1, 2), all_reduce(8, 1, 4)}) == 4);
    CHECK_FALSE(usual_all_reduce_ranks({all_reduce(8, 1, 1)}));
}

TEST_CASE("Traces of ranks: the shortest time is the transfer's, the rest is waiting", "[measure]") {
    const MatchedCommunications matched =
        matched_communications({trace_with({all_reduce(8, 5, 2), all_reduce(16, 2, 2), all_reduce(8, 1, 2)}),
                                trace_with({all_reduce(8, 3, 2), all_reduce(16, 2, 2), all_reduce(8, 4, 2)})});
    REQUIRE(matched.communications.size() == 3);
    CHECK(matched.waited_seconds == 5);
    CHECK(matched.unmatched == 0);
    double shortest = 0;
    for (const Communication& communication : matched.communications) {
        shortest += communication.seconds;
    }
    CHECK(shortest == 6);
}

TEST_CASE("Traces of ranks: what has no counterpart is counted, not matched", "[measure]") {
    const MatchedCommunications matched =
        matched_communications({trace_with({all_reduce(8, 5, 2, "[0, 1]"), all_reduce(16, 1, 2), all_reduce(16, 1, 2)}),
                                trace_with({all_reduce(8, 3, 2, "[2, 3]"), all_reduce(16, 1, 2)})});
    CHECK(matched.communications.empty());
    CHECK(matched.unmatched == 5);
    CHECK(matched_communications({trace_with({all_reduce(8, 1, 2)})}).unmatched == 1);
    CHECK(matched_communications({}).unmatched == 0);
}

TEST_CASE("Traces of ranks: clocks that are not aligned change nothing", "[measure]") {
    const auto of_rank = [](const std::string& rank, const std::string& epoch, const std::string& duration) {
        return read_trace(
            trace_of({kernel("7", epoch + "100", "20"),
                      nccl(epoch + "110", duration, collective("allreduce", "8", "8", "Int", "2"))},
                     "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": " + rank + ", \"world_size\": 2}, "));
    };
    const std::vector<Trace> traces = {of_rank("0", "1669783687929", "30"), of_rank("1", "17", "50")};
    const Trace sum = sum_of_traces(traces);
    CHECK_FALSE(sum.rank);
    CHECK(sum.world_size == 2);
    CHECK(sum.backend == "nccl");
    CHECK(sum.devices == 2);
    CHECK(sum.events == 4);
    CHECK(sum.nccl_kernels == 2);
    CHECK(sum.nccl_seconds == Approx(80e-6));
    CHECK(sum.times.span_seconds == Approx(100e-6));
    CHECK(sum.times.overlap_seconds == Approx(20e-6));
    CHECK(sum.communications.size() == 2);
    const MatchedCommunications matched = matched_communications(traces);
    REQUIRE(matched.communications.size() == 1);
    CHECK(matched.communications[0].seconds == Approx(30e-6));
    CHECK(matched.waited_seconds == Approx(20e-6));
    require_refused("traces", "empty", [] { sum_of_traces({}); });
}

TEST_CASE("Traces of ranks: two of one rank are of no one job", "[measure]") {
    const auto of_rank = [](std::optional<int> rank) {
        Trace trace = trace_with({all_reduce(8, 1, 2)});
        trace.rank = rank;
        return trace;
    };
    const std::vector<Trace> twice = {of_rank(1), of_rank(0), of_rank(std::nullopt), of_rank(0)};
    require_refused("traces", "rank 0 in number 2 and in number 4", [&] { sum_of_traces(twice); });
    require_refused("files", "rank 0 in number 2 and in number 4", [&] { matched_communications(twice, "files"); });
    CHECK(sum_of_traces({of_rank(std::nullopt), of_rank(std::nullopt), of_rank(0)}).communications.size() == 3);
}
