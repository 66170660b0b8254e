#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <shardlab/bubble.hpp>
#include <shardlab/pipeline.hpp>

#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

/// Ends of all operations by kind, model part and micro-batch.
struct Ends {
    Ends(const PipelineSchedule& schedule, const PipelineTimeline& timeline)
        : micro_batches(static_cast<std::size_t>(schedule.micro_batches)),
          forward(schedule.placement.size() * micro_batches),
          backward(forward.size()) {
        for (std::size_t device = 0; device < schedule.operations.size(); ++device) {
            for (std::size_t i = 0; i < schedule.operations[device].size(); ++i) {
                const Operation& operation = schedule.operations[device][i];
                at(operation.kind, operation.model_part, operation.micro_batch) = timeline.spans[device][i].end;
            }
        }
    }

    double& at(OperationKind kind, int part, int micro_batch) {
        std::vector<double>& ends = kind == OperationKind::forward ? forward : backward;
        return ends[static_cast<std::size_t>(part) * micro_batches + static_cast<std::size_t>(micro_batch)];
    }

    std::size_t micro_batches;
    std::vector<double> forward;
    std::vector<double> backward;
};

/// Checks that nothing overlaps on a device and that no operation starts before its input has arrived.
void require_possible(const PipelineSchedule& schedule, const PipelineTimeline& timeline, double communication) {
    Ends ends(schedule, timeline);
    for (std::size_t device = 0; device < schedule.operations.size(); ++device) {
        double free_at = 0;
        for (std::size_t i = 0; i < schedule.operations[device].size(); ++i) {
            const Operation& operation = schedule.operations[device][i];
            const Span& span = timeline.spans[device][i];
            REQUIRE(span.start >= free_at);
            free_at = span.end;
            const bool is_forward = operation.kind == OperationKind::forward;
            const int neighbour = operation.model_part + (is_forward ? -1 : 1);
            if (neighbour >= 0 && neighbour < static_cast<int>(schedule.placement.size())) {
                const bool sent = schedule.placement[static_cast<std::size_t>(neighbour)] != static_cast<int>(device);
                REQUIRE(span.start >=
                        ends.at(operation.kind, neighbour, operation.micro_batch) + (sent ? communication : 0));
            }
            if (!is_forward) {
                REQUIRE(span.start >= ends.at(OperationKind::forward, operation.model_part, operation.micro_batch));
            }
        }
        REQUIRE(timeline.makespan >= free_at);
    }
}

PipelineRequest request(const char* schedule, int stages, int micro_batches) {
    PipelineRequest result;
    result.schedule = schedule;
    result.stages = stages;
    result.micro_batches = micro_batches;
    return result;
}

PipelineTimeline simulated_1f1b(int stages, int micro_batches, double forward, double backward) {
    return simulate(pipeline_schedule_1f1b(stages, micro_batches), uniform_costs(forward, backward));
}

}  // namespace

TEST_CASE("1F1B: the lists of the published figure", "[pipeline]") {
    const PipelineSchedule schedule = pipeline_schedule_1f1b(4, 8);
    std::string first;
    std::string last;
    for (const Operation& operation : schedule.operations[0]) {
        first += (operation.kind == OperationKind::forward ? 'F' : 'B') + std::to_string(operation.micro_batch) + ' ';
    }
    for (const Operation& operation : schedule.operations[3]) {
        last += (operation.kind == OperationKind::forward ? 'F' : 'B') + std::to_string(operation.micro_batch) + ' ';
    }
    CHECK(first == "F0 F1 F2 F3 B0 F4 B1 F5 B2 F6 B3 F7 B4 B5 B6 B7 ");
    CHECK(last == "F0 B0 F1 B1 F2 B2 F3 B3 F4 B4 F5 B5 F6 B6 F7 B7 ");
}

TEST_CASE("1F1B: unit steps are 2(M+P-1) and stage s holds min(P-s, M) activations", "[pipeline]") {
    for (int stages = 1; stages <= 16; ++stages) {
        for (int micro_batches = 1; micro_batches <= 24; ++micro_batches) {
            const PipelineSchedule schedule = pipeline_schedule_1f1b(stages, micro_batches);
            REQUIRE(unit_steps(schedule) == 2 * (micro_batches + stages - 1));
            const PipelineTimeline timeline = simulate(schedule, PipelineCosts{});
            for (int stage = 0; stage < stages; ++stage) {
                REQUIRE(timeline.peak_in_flight[static_cast<std::size_t>(stage)] ==
                        std::min(stages - stage, micro_batches));
            }
        }
    }
}

TEST_CASE("1F1B and GPipe: makespan and bubble equal the closed forms for any operation times", "[pipeline]") {
    Random random(31);
    for (int trial = 0; trial < 300; ++trial) {
        const int stages = random.whole(1, 24);
        const int micro_batches = random.whole(1, 64);
        const double forward = random.whole(1, 9) / 4.0;
        const double backward = random.whole(1, 9) / 4.0;
        const double fraction = pipeline_bubble_fraction(stages, micro_batches);
        for (const char* name : {"1f1b", "gpipe"}) {
            const PipelineTimeline timeline =
                simulate(pipeline_schedule(request(name, stages, micro_batches)), uniform_costs(forward, backward));
            CAPTURE(name, stages, micro_batches, forward, backward);
            REQUIRE(timeline.makespan == (micro_batches + stages - 1) * (forward + backward));
            REQUIRE(timeline.bubble_of_total == Approx(fraction).epsilon(1e-13).margin(1e-15));
            REQUIRE(timeline.bubble_of_ideal == Approx(fraction / (1 - fraction)).epsilon(1e-13).margin(1e-15));
        }
    }
}

TEST_CASE("fewer micro-batches than stages: 4 stages, 2 micro-batches, F=1, B=2", "[pipeline]") {
    for (const char* name : {"1f1b", "gpipe"}) {
        const PipelineTimeline timeline = simulate(pipeline_schedule(request(name, 4, 2)), uniform_costs(1, 2));
        CHECK(timeline.makespan == 15);
        CHECK(timeline.bubble_of_ideal == 1.5);
        CHECK(timeline.bubble_of_total == 0.6);
    }
    CHECK(simulated_1f1b(4, 2, 1, 2).peak_in_flight == std::vector<int>{2, 2, 2, 1});
}

TEST_CASE("one stage has no bubble, not even a rounding error", "[pipeline]") {
    const PipelineTimeline timeline = simulated_1f1b(1, 33, 0.1, 0.3);
    CHECK(timeline.bubble_of_total == 0);
    CHECK(timeline.bubble_of_ideal == 0);
    CHECK(timeline.messages == 0);
}

TEST_CASE("1F1B has GPipe's bubble and less memory: 8 stages, 32 micro-batches, F=B=1", "[pipeline]") {
    const PipelineTimeline gpipe = simulate(pipeline_schedule_gpipe(8, 32), uniform_costs(1, 1));
    const PipelineTimeline one_f_one_b = simulated_1f1b(8, 32, 1, 1);
    CHECK(gpipe.makespan == 78);
    CHECK(one_f_one_b.makespan == 78);
    CHECK(gpipe.bubble_of_total == Approx(0.179487).epsilon(1e-5));
    CHECK(one_f_one_b.bubble_of_total == gpipe.bubble_of_total);
    CHECK(gpipe.peak_in_flight[0] == 32);
    CHECK(one_f_one_b.peak_in_flight[0] == 8);
}

TEST_CASE("the two definitions of the bubble: 4 stages, 8 micro-batches", "[pipeline]") {
    const PipelineTimeline timeline = simulated_1f1b(4, 8, 1, 2);
    CHECK(timeline.makespan == 33);
    CHECK(timeline.bubble_of_ideal == 0.375);
    CHECK(timeline.bubble_of_total == Approx(3.0 / 11).epsilon(1e-15));
    CHECK(timeline.messages == 2 * 3 * 8);
}

TEST_CASE("1F1B and GPipe: each of M micro-batches crosses each of P-1 borders twice", "[pipeline]") {
    for (int stages = 1; stages <= 12; ++stages) {
        for (int micro_batches = 1; micro_batches <= 16; ++micro_batches) {
            for (const char* name : {"1f1b", "gpipe"}) {
                const PipelineSchedule schedule = pipeline_schedule(request(name, stages, micro_batches));
                CAPTURE(name, stages, micro_batches);
                REQUIRE(simulate(schedule, uniform_costs(1, 2, 0.5)).messages == 2 * micro_batches * (stages - 1));
            }
        }
    }
}

TEST_CASE("communication delays what waits for it and keeps every dependency", "[pipeline]") {
    Random random(32);
    for (int trial = 0; trial < 200; ++trial) {
        const double communication = random.whole(0, 8) / 8.0;
        const PipelineSchedule schedule =
            pipeline_schedule(request(trial % 2 == 0 ? "1f1b" : "gpipe", random.whole(1, 12), random.whole(1, 30)));
        const PipelineTimeline timeline = simulate(schedule, uniform_costs(1, 2, communication));
        require_possible(schedule, timeline, communication);
        // A first forward travels down the pipeline and its backward up again.
        CHECK(timeline.makespan >= 3.0 * schedule.stages + 2 * communication * (schedule.stages - 1));
    }
    CHECK(simulate(pipeline_schedule_1f1b(2, 1), uniform_costs(1, 2, 0.5)).makespan == 7);
    CHECK(simulate(pipeline_schedule_1f1b(1, 4), uniform_costs(1, 2, 5)).makespan == 12);
}

TEST_CASE("placement is data: a model that goes down and up again over two devices", "[pipeline]") {
    PipelineSchedule schedule;
    schedule.stages = 2;
    schedule.micro_batches = 1;
    schedule.placement = {0, 1, 1, 0};
    using enum OperationKind;
    schedule.operations = {{{forward, 0, 0}, {forward, 3, 0}, {backward, 3, 0}, {backward, 0, 0}},
                           {{forward, 1, 0}, {forward, 2, 0}, {backward, 2, 0}, {backward, 1, 0}}};
    const PipelineTimeline timeline = simulate(schedule, uniform_costs(1, 2, 0.25));
    require_possible(schedule, timeline, 0.25);
    // Four forwards, four backwards, and four hops between devices; parts 1 and 2 are on one device.
    CHECK(timeline.makespan == 4 * 1 + 4 * 2 + 4 * 0.25);
    CHECK(timeline.messages == 4);
    CHECK(timeline.peak_in_flight == std::vector<int>{2, 2});
}

TEST_CASE("lists that wait for each other are refused with the operations that wait", "[pipeline]") {
    PipelineSchedule schedule = pipeline_schedule_1f1b(2, 2);
    std::swap(schedule.operations[0][0], schedule.operations[0][2]);
    const Refusal refusal = refusal_of([&] { simulate(schedule, PipelineCosts{}); });
    CHECK(refusal.parameter == "schedule");
    CHECK(refusal.value ==
          "a deadlock: device 0 waits in its backward of micro-batch 0 on model part 0 for the forward of micro-batch "
          "0 on model part 0 of device 0");
}

TEST_CASE("a deadlock is told as the cycle of operations that wait for each other", "[pipeline]") {
    // Device 1 wants micro-batch 1 first, device 0 sends it only after it has had micro-batch 0 back; device 2 waits
    // for both and is no part of the cycle.
    PipelineSchedule schedule = pipeline_schedule_gpipe(3, 2);
    std::swap(schedule.operations[0][1], schedule.operations[0][3]);
    std::swap(schedule.operations[0][2], schedule.operations[0][3]);
    std::swap(schedule.operations[1][0], schedule.operations[1][1]);
    const Refusal refusal = refusal_of([&] { simulate(schedule, PipelineCosts{}); });
    CHECK(refusal.value ==
          "a deadlock: device 0 waits in its backward of micro-batch 0 on model part 0 for the backward of micro-batch "
          "0 on model part 1 of device 1; device 1 waits in its forward of micro-batch 1 on model part 1 for the "
          "forward of micro-batch 1 on model part 0 of device 0");
}

TEST_CASE("lists that are not whole are refused", "[pipeline]") {
    const PipelineSchedule whole = pipeline_schedule_1f1b(2, 2);
    const auto value = [&](auto change) {
        PipelineSchedule schedule = whole;
        change(schedule);
        return refusal_of([&] { simulate(schedule, PipelineCosts{}); }).value;
    };
    CHECK(value([](PipelineSchedule&) {}).empty());
    CHECK(value([](PipelineSchedule& s) { s.operations[0].pop_back(); }) ==
          "without the backward of micro-batch 1 on model part 0");
    CHECK(value([](PipelineSchedule& s) { s.operations[1][1] = s.operations[1][0]; }) ==
          "a second forward of micro-batch 0 on model part 1");
    CHECK(value([](PipelineSchedule& s) { s.operations[0][0].micro_batch = 2; }) ==
          "a forward of micro-batch 2 on model part 0");
    CHECK(value([](PipelineSchedule& s) { s.operations[0][0].model_part = 1; }) ==
          "a forward of micro-batch 0 on model part 1 on device 0");
    CHECK(value([](PipelineSchedule& s) { s.operations.pop_back(); }) == "1 lists of operations");
    CHECK(value([](PipelineSchedule& s) { s.placement[1] = 2; }) == "a model part on device 2");
    CHECK(value([](PipelineSchedule& s) { s.micro_batches = 0; }) == "0");
    CHECK(value([](PipelineSchedule& s) { s.replicas = 3; }) == "3 replicas of the model");
    CHECK(value([](PipelineSchedule& s) { s.operations[0][0].kind = OperationKind::weight_gradient; }) ==
          "a second backward of micro-batch 0 on model part 0");
    CHECK(value([](PipelineSchedule& s) { s.operations[0].back().kind = OperationKind::input_gradient; }) ==
          "without the weight gradient of micro-batch 1 on model part 0");
    CHECK(value([](PipelineSchedule& s) { s.operations[0].back().overlaps_next = true; }) ==
          "a backward of micro-batch 1 on model part 0 that overlaps with nothing");
    CHECK(value([](PipelineSchedule& s) {
              s.operations[0][1].overlaps_next = s.operations[0][2].overlaps_next = true;
          }) == "a backward of micro-batch 0 on model part 0 that overlaps with two others");
}

TEST_CASE("pipelines refuse sizes, times and names that they cannot take", "[pipeline]") {
    require_refused("stages", "0", [] { pipeline_schedule_1f1b(0, 4); });
    require_refused("micro_batches", "0", [] { pipeline_schedule_1f1b(4, 0); });
    require_refused("micro_batches", "2000000000", [] { pipeline_schedule_1f1b(64, 2000000000); });
    require_refused("stages", "65537", [] { pipeline_schedule_gpipe(65537, 1); });
    require_refused("schedule", "zigzag", [] { pipeline_schedule(request("zigzag", 4, 8)); });
    require_refused("forward", "0", [] { simulated_1f1b(4, 8, 0, 1); });
    require_refused("backward", "nan", [] { simulated_1f1b(4, 8, 1, std::numeric_limits<double>::quiet_NaN()); });
    require_refused("communication", "-1", [] { simulate(pipeline_schedule_1f1b(2, 2), uniform_costs(1, 2, -1)); });
}

TEST_CASE("parts of their own times: the slowest holds up the others", "[pipeline]") {
    PipelineCosts costs;
    costs.part_times = {whole_times(1, 2), whole_times(2, 4), whole_times(1, 2)};
    const PipelineTimeline timeline = simulate(pipeline_schedule_1f1b(3, 10), costs);
    // All ten on the slow stage, a forward before and a backward after it, and once it waits for a backward.
    CHECK(timeline.makespan == 1 + 10 * 6 + 2 + 1);
    CHECK(timeline.idle_per_device[1].total() == 4);
    costs.part_times.pop_back();
    require_refused("part_times", "2 times", [&] { simulate(pipeline_schedule_1f1b(3, 10), costs); });
}

TEST_CASE("recomputation runs each forward once more, before its backward", "[pipeline]") {
    PipelineCosts costs = uniform_costs(1, 2);
    costs.recompute = true;
    CHECK(simulate(pipeline_schedule_1f1b(4, 8), costs).makespan == 11 * 4);
}

TEST_CASE("gradient synchronisation follows each device's last operation", "[pipeline]") {
    PipelineCosts costs = uniform_costs(1, 2);
    costs.gradient_sync = 10;
    const PipelineTimeline timeline = simulate(pipeline_schedule_1f1b(4, 8), costs);
    CHECK(timeline.makespan == 33 + 10);
    CHECK(timeline.idle_per_device[3].total() == 9);
}

TEST_CASE("a sender that waits for its message to arrive does nothing in between", "[pipeline]") {
    PipelineCosts costs = uniform_costs(1, 1, 3);
    const PipelineSchedule schedule = pipeline_schedule_1f1b(2, 2);
    CHECK(simulate(schedule, costs).spans[0][1].start == 1);
    costs.blocking_sends = true;
    const PipelineTimeline timeline = simulate(schedule, costs);
    CHECK(timeline.spans[0][1].start == 4);
    CHECK(timeline.spans[1][0].start == 4);
}

TEST_CASE("idle time is told apart: warm-up, steady and drain", "[pipeline]") {
    const PipelineTimeline timeline = simulate(pipeline_schedule_1f1b(4, 8), uniform_costs(1, 2));
    for (const IdleTime& idle : timeline.idle_per_device) {
        CHECK(idle.total() == 9);
    }
    CHECK(timeline.idle_per_device[3].warm_up == 3);
    CHECK(timeline.idle_per_device[3].steady == 0);
    CHECK(timeline.idle_per_device[3].drain == 6);
    CHECK(timeline.idle_per_device[0].warm_up == 6);
}

TEST_CASE("operations that overlap start and end together, when the inputs of both are there", "[pipeline]") {
    PipelineSchedule schedule = pipeline_schedule_1f1b(2, 2);
    schedule.operations[1][1].overlaps_next = true;
    PipelineCosts costs = uniform_costs(1, 2);
    const PipelineTimeline apart = simulate(schedule, costs);
    CHECK(apart.spans[1][1].start == 2);
    CHECK(apart.spans[1][1].end == 5);
    CHECK(apart.spans[1][2].start == 2);
    costs.times.overlapped = 2.5;
    CHECK(simulate(schedule, costs).spans[1][1].end == 4.5);
    std::swap(schedule.operations[1][1], schedule.operations[1][2]);
    schedule.operations[1][1].overlaps_next = true;
    schedule.operations[1][2].overlaps_next = false;
    CHECK(simulate(schedule, costs).spans[1][1].end == 4.5);
    require_refused("overlapped", "0", [&] {
        costs.times.overlapped = 0;
        simulate(schedule, costs);
    });
}

TEST_CASE("the bubble is no more than all the time where rounding would have it so", "[pipeline]") {
    const PipelineSchedule schedule = pipeline_schedule_1f1b(6, 1);
    const PipelineCosts costs = uniform_costs(3e-15, 2e-15, 6.428069208053655);
    CHECK(simulate(schedule, costs).bubble_of_total == 1);
}
