// What was recorded on real ranks by tests/real; tests/data/traces/README.md says how.

#include <shardlab/measure.hpp>

#include "catch.hpp"
#include "published_tables.hpp"

using namespace shardlab;

TEST_CASE("recorded: of PyTorch's all-reduce over Gloo, half of the sizes predict the others within 25 percent",
          "[measure][recorded]") {
    const AllReduceRuns read = read_all_reduce_runs(published::gloo_all_reduce_runs);
    REQUIRE(read.runs.size() == 1);
    CHECK(read.runs[0].ranks == 2);
    CHECK(read.runs[0].measurements.size() == 17);
    const HeldOut predicted = predict_held_out(read.runs[0].measurements);
    CHECK(predicted.points.size() == 8);
    CHECK(predicted.error.median <= 0.25);
    // With a single latency and bandwidth too.
    CHECK(predict_held_out(read.runs[0].measurements, 1).error.median <= 0.25);
}
