#include <cmath>
#include <map>
#include <string>

#include <shardlab/bubble.hpp>
#include <shardlab/pipeline.hpp>

#include "catch.hpp"
#include "pipeline_schedules.hpp"
#include "random.hpp"

using namespace shardlab;

namespace {

/// Whole times, often in the proportions that closed forms ask for.
PipelineCosts likely_costs(Random& random) {
    PipelineCosts costs;
    const double unit = random.whole(1, 5);
    switch (random.whole(0, 3)) {
        case 0:
            costs.times = split_times(unit, unit, unit);
            costs.times.overlapped = unit * random.whole(2, 8) / 2;
            break;
        case 1:
            costs.times = split_times(unit + random.whole(0, 3), unit + random.whole(0, 3), unit);
            break;
        default:
            costs.times = split_times(random.whole(1, 9), random.whole(1, 9), random.whole(1, 9));
    }
    costs.communication = random.whole(0, 3) == 0 ? random.whole(1, 4) : 0;
    costs.recompute = random.whole(0, 3) == 0;
    costs.blocking_sends = random.whole(0, 3) == 0;
    costs.gradient_sync = random.whole(0, 3);
    return costs;
}

}  // namespace

TEST_CASE("closed forms: wherever one applies the simulation gives the same", "[pipeline][closed_form]") {
    Random random(62);
    std::map<std::string, int> applied;
    for (int trial = 0; trial < 2500; ++trial) {
        for (const char* name : every_schedule) {
            if (std::string_view(name) == "zb-1p" || std::string_view(name) == "zb-2p") {
                continue;
            }
            const PipelineRequest request = random_pipeline(random, name);
            const PipelineCosts costs = likely_costs(random);
            const auto form = pipeline_closed_form(request, costs);
            REQUIRE(form);
            CHECK_FALSE(form->formula.empty());
            CHECK_FALSE(form->condition.empty());
            if (form->applies) {
                const PipelineTimeline timeline = simulate(pipeline_schedule(request), costs);
                CAPTURE(name, request.stages, request.micro_batches, request.chunks.value_or(0),
                        request.group_size.value_or(0), costs.times.forward, costs.times.input_gradient,
                        costs.times.weight_gradient, costs.times.overlapped.value_or(0), costs.communication,
                        costs.recompute);
                REQUIRE(timeline.makespan == Approx(form->makespan).epsilon(1e-12));
                ++applied[name];
            }
        }
    }
    for (const char* name : every_schedule) {
        if (std::string_view(name) != "zb-1p" && std::string_view(name) != "zb-2p") {
            CAPTURE(name);
            CHECK(applied[name] > 100);
        }
    }
}

TEST_CASE("closed forms: interleaved takes M V (F+B) + (P-1)(F+B) for every multiple of P", "[pipeline][closed_form]") {
    for (int stages = 1; stages <= 8; ++stages) {
        for (int chunks = 1; chunks <= 4; ++chunks) {
            for (int groups = 1; groups <= 4; ++groups) {
                const int micro_batches = groups * stages;
                PipelineRequest request = pipeline_request("interleaved", stages, micro_batches);
                request.chunks = chunks;
                const PipelineCosts costs = uniform_costs(1, 2);
                const auto form = pipeline_closed_form(request, costs);
                const PipelineTimeline timeline = simulate(pipeline_schedule(request), costs);
                CAPTURE(stages, chunks, micro_batches);
                REQUIRE(form->applies);
                REQUIRE(form->makespan == micro_batches * chunks * 3 + (stages - 1) * 3);
                REQUIRE(timeline.makespan == form->makespan);
                REQUIRE(timeline.bubble_of_total ==
                        Approx(interleaved_bubble_fraction(stages, micro_batches, chunks)).margin(1e-15));
            }
        }
    }
}

TEST_CASE("closed forms: uneven parts, loops that are let off and waiting senders are said not to be covered",
          "[pipeline][closed_form]") {
    const auto applies = [](const char* schedule, const PipelineCosts& costs) {
        return pipeline_closed_form(pipeline_request(schedule, 4, 8), costs)->applies;
    };
    PipelineCosts costs = uniform_costs(1, 2);
    CHECK(applies("1f1b", costs));
    CHECK(applies("interleaved", costs));
    costs.relaxed_wrap = true;
    CHECK_FALSE(applies("interleaved", costs));
    costs = uniform_costs(1, 2, 0.5);
    CHECK_FALSE(applies("1f1b", costs));
    CHECK(applies("gpipe", costs));
    costs.blocking_sends = true;
    CHECK_FALSE(applies("gpipe", costs));
    CHECK(pipeline_closed_form(pipeline_request("gpipe", 4, 8), costs)->condition.find("no blocking sends") !=
          std::string::npos);
    costs = uniform_costs(1, 2);
    costs.part_times = {whole_times(1, 2), whole_times(1, 2), whole_times(3, 6), whole_times(1, 2)};
    CHECK_FALSE(applies("1f1b", costs));
    CHECK(pipeline_closed_form(pipeline_request("1f1b", 4, 8), costs)->makespan == Approx(11 * 4.5));
    CHECK_FALSE(pipeline_closed_form(pipeline_request("zb-2p", 4, 8), costs));
}

TEST_CASE("closed forms: DualPipe's holds where a pair takes at least as long as its backward",
          "[pipeline][closed_form]") {
    for (const char* name : {"dualpipe", "dualpipe-v"}) {
        const PipelineRequest request = pipeline_request(name, 4, 8);
        PipelineCosts costs;
        costs.times.overlapped = 2;
        CAPTURE(name);
        const auto form = pipeline_closed_form(request, costs);
        CHECK(form->applies);
        CHECK(form->makespan == simulate(pipeline_schedule(request), costs).makespan);
        CHECK(form->condition.find("F&B at least B") != std::string::npos);
        costs.times.overlapped = 1.5;
        CHECK_FALSE(pipeline_closed_form(request, costs)->applies);
    }
}

TEST_CASE("closed forms: parts that are given the same times are equal parts", "[pipeline][closed_form]") {
    for (const char* name : {"1f1b", "zb-v", "dualpipe", "dualpipe-v"}) {
        const PipelineRequest request = pipeline_request(name, 4, 10);
        const PipelineSchedule schedule = pipeline_schedule(request);
        OperationTimes times = split_times(0.7, 0.7, 0.7);
        times.overlapped = 1.75;
        PipelineCosts of_all;
        of_all.times = times;
        PipelineCosts of_parts;
        of_parts.part_times.assign(static_cast<std::size_t>(schedule.parts()), times);
        const auto form = pipeline_closed_form(request, of_parts);
        CAPTURE(name);
        CHECK(form->applies);
        CHECK(form->makespan == pipeline_closed_form(request, of_all)->makespan);
        CHECK(form->makespan == Approx(simulate(schedule, of_parts).makespan).epsilon(1e-12));
        of_parts.part_times.back().overlapped = 2;
        const auto uneven = pipeline_closed_form(request, of_parts);
        CHECK_FALSE(uneven->applies);
        of_all.times.overlapped = 1.75 + 0.25 / schedule.parts();
        CHECK(uneven->makespan == Approx(pipeline_closed_form(request, of_all)->makespan).epsilon(1e-12));
    }
}
