#include <algorithm>
#include <vector>

#include <shardlab/pipeline.hpp>

#include "catch.hpp"
#include "pipeline_schedules.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

struct Simulated {
    PipelineSchedule schedule;
    PipelineCosts costs;
    PipelineTimeline timeline;
};

Simulated simulated(Random& random, const char* name) {
    PipelineRequest request = random_pipeline(random, name);
    PipelineSchedule schedule = pipeline_schedule(request);
    PipelineCosts costs = random_costs(random, schedule.parts());
    PipelineTimeline timeline = simulate(schedule, costs);
    return {std::move(schedule), std::move(costs), std::move(timeline)};
}

const Span& span(const Simulated& run, const OperationPlace& place) {
    return run.timeline.spans[static_cast<std::size_t>(place.device)][place.position];
}

double last_end(const Simulated& run) {
    double end = 0;
    for (const std::vector<Span>& spans : run.timeline.spans) {
        end = std::max(end, spans.back().end);
    }
    return end;
}

}  // namespace

TEST_CASE("the critical path leads without a gap from time 0 to the last end", "[pipeline][analysis]") {
    Random random(63);
    for (int trial = 0; trial < 300; ++trial) {
        for (const char* name : every_schedule) {
            const Simulated run = simulated(random, name);
            const std::vector<OperationPlace> path = critical_path(run.schedule, run.timeline, run.costs);
            CAPTURE(name, run.schedule.stages, run.schedule.micro_batches, run.costs.communication);
            REQUIRE_FALSE(path.empty());
            REQUIRE(span(run, path.front()).start == 0);
            REQUIRE(span(run, path.back()).end == last_end(run));
            for (std::size_t step = 1; step < path.size(); ++step) {
                const double gap = span(run, path[step]).start - span(run, path[step - 1]).end;
                const bool moved = path[step].device != path[step - 1].device;
                // A device that waits for its own message to arrive goes on after the same time.
                const bool sent = moved || run.costs.blocking_sends;
                REQUIRE((gap == 0 || (sent && gap == run.costs.communication)));
            }
        }
    }
}

TEST_CASE("the critical path of GPipe: down, all of the last stage, and up", "[pipeline][analysis]") {
    const PipelineSchedule schedule = pipeline_schedule_gpipe(3, 2);
    const PipelineCosts costs = uniform_costs(1, 2, 0.5);
    const std::vector<OperationPlace> path = critical_path(schedule, simulate(schedule, costs), costs);
    const std::vector<OperationPlace> expected{{0, 0}, {0, 1}, {1, 1}, {2, 1}, {2, 2}, {2, 3}, {1, 3}, {0, 3}};
    CHECK(path == expected);
}

TEST_CASE("no schedule is shorter than its lower bound, and some reach it", "[pipeline][analysis]") {
    Random random(64);
    for (int trial = 0; trial < 500; ++trial) {
        for (const char* name : every_schedule) {
            const Simulated run = simulated(random, name);
            CAPTURE(name, run.schedule.stages, run.schedule.micro_batches);
            REQUIRE(makespan_lower_bound(run.schedule, run.costs) <= run.timeline.makespan * (1 + 1e-12));
        }
    }
    for (const char* name : {"gpipe", "1f1b", "interleaved", "looped-bfs", "zb-h1", "zb-h2", "zb-v"}) {
        const PipelineSchedule schedule = pipeline_schedule(pipeline_request(name, 4, 8));
        const PipelineCosts costs;
        CAPTURE(name);
        CHECK(makespan_lower_bound(schedule, costs) == simulate(schedule, costs).makespan);
    }
    // The first part's device synchronises after the last backward, whichever device is the busiest.
    PipelineCosts costs;
    costs.gradient_sync = 2;
    CHECK(makespan_lower_bound(pipeline_schedule_1f1b(4, 8), costs) == 33 + 2);
}

TEST_CASE("activations over time: the most is what is in flight, and nothing is left", "[pipeline][analysis]") {
    Random random(65);
    for (int trial = 0; trial < 100; ++trial) {
        for (const char* name : every_schedule) {
            const Simulated run = simulated(random, name);
            for (int device = 0; device < run.schedule.stages; ++device) {
                const auto steps = activations_over_time(run.schedule, run.timeline, device);
                double most = 0;
                double before = 0;
                for (const HeldActivations& step : steps) {
                    REQUIRE(step.time >= before);
                    REQUIRE(step.held >= 0);
                    before = step.time;
                    most = std::max(most, step.held);
                }
                CAPTURE(name, device, run.schedule.stages, run.schedule.micro_batches);
                REQUIRE(most == run.timeline.peak_in_flight[static_cast<std::size_t>(device)]);
                REQUIRE(steps.back().held == 0);
            }
        }
    }
}

TEST_CASE("activations over time: ZB-H1 holds (P-s) and s weight gradients, as published", "[pipeline][analysis]") {
    // Worker i of 1 to P holds (P-i+1) M_B + (i-1) M_W: Qi et al., arXiv:2401.10241, section 2.1.
    const int stages = 4;
    const PipelineSchedule schedule = pipeline_schedule_zb_h1(stages, 12);
    const PipelineTimeline timeline = simulate(schedule, PipelineCosts{});
    const double whole = 100;
    const double rest = 30;
    for (int device = 0; device < stages; ++device) {
        double most = 0;
        for (const HeldActivations& step : activations_over_time(schedule, timeline, device, {whole, rest})) {
            most = std::max(most, step.held);
        }
        CHECK(most == (stages - device) * whole + device * rest);
    }
    require_refused("device", "4", [&] { activations_over_time(schedule, timeline, 4); });
    require_refused("whole", "-1", [&] { activations_over_time(schedule, timeline, 0, {-1, 0}); });
    require_refused("after_input_gradient", "2", [&] { activations_over_time(schedule, timeline, 0, {1, 2}); });
}
