#include <algorithm>
#include <vector>

#include <shardlab/pipeline.hpp>

#include "catch.hpp"
#include "pipeline_schedules.hpp"
#include "random.hpp"

using namespace shardlab;

namespace {

PipelineInFlight in_flight(const std::string& schedule, int stages, int micro_batches) {
    InFlightCache cache;
    return cache.of(schedule, stages, micro_batches, {});
}

int sum(const std::vector<int>& counts) {
    int total = 0;
    for (const int count : counts) {
        total += count;
    }
    return total;
}

}  // namespace

TEST_CASE("1F1B holds P - s micro-batches on stage s, GPipe all of them", "[pipeline][in_flight]") {
    const PipelineInFlight one = in_flight("1f1b", 4, 8);
    const PipelineInFlight all = in_flight("gpipe", 4, 8);
    for (std::size_t stage = 0; stage < 4; ++stage) {
        REQUIRE(one.worst[stage].size() == 1);
        CHECK(one.worst[stage].front().whole == std::vector<int>{4 - static_cast<int>(stage)});
        CHECK(all.worst[stage].front().whole == std::vector<int>{8});
        CHECK(one.parts[stage] == std::vector<int>{static_cast<int>(stage)});
    }
    CHECK(one.bubble_of_total == Approx(3.0 / 11));
}

TEST_CASE("the worst moments of all schedules hold as many chunks as the simulation's peak", "[pipeline][in_flight]") {
    for (const char* schedule : {"gpipe", "1f1b", "interleaved", "looped-bfs", "zb-h1", "zb-h2", "zb-1p", "zb-2p",
                                 "zb-v", "dualpipe", "dualpipe-v"}) {
        CAPTURE(schedule);
        PipelineRequest request;
        request.schedule = schedule;
        request.stages = 4;
        request.micro_batches = 12;
        const PipelineSchedule built = pipeline_schedule(request);
        PipelineCosts costs;
        costs.times = request.times;
        const PipelineTimeline timeline = simulate(built, costs);
        const PipelineInFlight found = pipeline_in_flight(built, timeline);
        for (std::size_t device = 0; device < 4; ++device) {
            int most = 0;
            for (const HeldChunks& held : found.worst[device]) {
                most = std::max(most, sum(held.whole));
            }
            CHECK(most == timeline.peak_in_flight[device]);
        }
    }
}

TEST_CASE("the worst moments weigh chunks of any size as the whole timeline does", "[pipeline][in_flight]") {
    Random random(7003);
    const PipelineSchedule schedule = pipeline_schedule_interleaved(4, 8, 3, 4);
    const PipelineTimeline timeline = simulate(schedule, uniform_costs(1, 2));
    const PipelineInFlight found = pipeline_in_flight(schedule, timeline);
    for (int trial = 0; trial < 50; ++trial) {
        const std::vector<int> sizes = {random.whole(1, 9), random.whole(1, 9), random.whole(1, 9)};
        for (std::size_t device = 0; device < 4; ++device) {
            int held = 0;
            int most = 0;
            for (const Operation& operation : schedule.operations[device]) {
                const int size = sizes[static_cast<std::size_t>(operation.model_part / 4)];
                held += operation.kind == OperationKind::forward ? size : -size;
                most = std::max(most, held);
            }
            int worst = 0;
            for (const HeldChunks& moment : found.worst[device]) {
                worst = std::max(worst,
                                 moment.whole[0] * sizes[0] + moment.whole[1] * sizes[1] + moment.whole[2] * sizes[2]);
            }
            CHECK(worst == most);
        }
    }
}

TEST_CASE("two replicas put the parts of both on a device", "[pipeline][in_flight]") {
    const PipelineInFlight both = in_flight("dualpipe", 4, 12);
    CHECK(both.parts[0] == std::vector<int>{0, 3});
    CHECK(both.parts[1] == std::vector<int>{1, 2});
    CHECK(both.model_parts == 4);
}
