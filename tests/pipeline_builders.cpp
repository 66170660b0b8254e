#include <algorithm>
#include <string>
#include <vector>

#include <shardlab/pipeline.hpp>

#include "catch.hpp"
#include "pipeline_schedules.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

/// A device's list in short: F0, B0, I0 and W0 with the model part before where a device has several; + joins a pair.
std::string written(const std::vector<Operation>& list, bool with_parts) {
    constexpr char letters[] = {'F', 'B', 'I', 'W'};
    std::string text;
    for (const Operation& operation : list) {
        text += (with_parts ? std::to_string(operation.model_part) : "") +
                letters[static_cast<std::size_t>(operation.kind)] + std::to_string(operation.micro_batch) +
                (operation.overlaps_next ? "+" : " ");
    }
    text.pop_back();
    return text;
}

std::string list_of(const PipelineSchedule& schedule, std::size_t device) {
    return written(schedule.operations[device], schedule.parts() > schedule.stages || schedule.replicas > 1);
}

/// The most chunks in flight that a schedule is said to hold on a device.
int stated_limit(const PipelineRequest& settled, int device) {
    const int stages = settled.stages;
    const int all = settled.micro_batches * *settled.chunks;
    const std::string_view name = settled.schedule;
    const int after = stages - device - 1;
    if (name == "1f1b" || name == "zb-h1") {
        return std::min(after + 1, all);
    }
    if (name == "zb-h2") {
        return std::min(2 * after + 1, all);
    }
    if (name == "zb-1p" || name == "zb-2p") {
        return static_cast<int>(std::min<double>(*settled.memory_limit, all));
    }
    if (name == "interleaved" && *settled.chunks > 1) {
        const int group = std::min(*settled.group_size, settled.micro_batches);
        const int left = settled.micro_batches % group;
        const bool filled = group >= stages && (left == 0 || left >= stages);
        return filled ? std::min(2 * after + (*settled.chunks - 1) * group + 1, all) : all;
    }
    if (name == "interleaved") {
        return std::min(after + 1, all);
    }
    if (name == "zb-v") {
        return std::min(2 * stages, all);
    }
    if (name == "dualpipe") {
        return stages + 1;
    }
    if (name == "dualpipe-v") {
        return 2 * stages + 1;
    }
    return all;
}

}  // namespace

TEST_CASE("every schedule: 1000 random settings are complete, end, and hold what they say they hold",
          "[pipeline][builders]") {
    Random random(61);
    for (int trial = 0; trial < 1000; ++trial) {
        for (const char* name : every_schedule) {
            PipelineRequest request = random_pipeline(random, name);
            const PipelineCosts costs = random_costs(random, request.stages);
            request.times = costs.times;
            request.communication = costs.communication;
            const PipelineSchedule schedule = pipeline_schedule(request);
            PipelineCosts uniform = costs;
            uniform.part_times.clear();
            CAPTURE(name, request.stages, request.micro_batches, request.chunks.value_or(0),
                    request.group_size.value_or(0), request.memory_limit.value_or(0));
            REQUIRE_NOTHROW(require_complete(schedule));
            const PipelineTimeline timeline = simulate(schedule, uniform);
            const PipelineRequest settled = settled_request(request);
            for (int device = 0; device < schedule.stages; ++device) {
                REQUIRE(timeline.peak_in_flight[static_cast<std::size_t>(device)] <= stated_limit(settled, device));
            }
        }
    }
}

TEST_CASE("interleaved: no setting waits for ever, whatever the groups", "[pipeline][builders]") {
    for (int stages = 1; stages <= 6; ++stages) {
        for (int chunks = 1; chunks <= 4; ++chunks) {
            for (int micro_batches = 1; micro_batches <= 14; ++micro_batches) {
                for (int group_size = 1; group_size <= 8; ++group_size) {
                    CAPTURE(stages, chunks, micro_batches, group_size);
                    REQUIRE_NOTHROW(simulate(pipeline_schedule_interleaved(stages, micro_batches, chunks, group_size),
                                             PipelineCosts{}));
                }
            }
        }
    }
}

TEST_CASE("interleaved: 4 stages with 2 chunks, groups of the published sizes", "[pipeline][builders]") {
    const PipelineTimeline eight = simulate(pipeline_schedule_interleaved(4, 8, 2, 4), uniform_costs(1, 2));
    CHECK(eight.makespan == 57);
    CHECK(eight.peak_in_flight == std::vector<int>{11, 9, 7, 5});
    CHECK(simulate(pipeline_schedule_interleaved(4, 6, 2, 6), uniform_costs(1, 2)).makespan == 45);
}

TEST_CASE("interleaved: 2 stages with 2 chunks and 4 micro-batches, operation by operation", "[pipeline][builders]") {
    const PipelineSchedule schedule = pipeline_schedule_interleaved(2, 4, 2, 2);
    CHECK(list_of(schedule, 0) == "0F0 0F1 2F0 2F1 0F2 2B0 0F3 2B1 2F2 0B0 2F3 0B1 2B2 2B3 0B2 0B3");
    CHECK(list_of(schedule, 1) == "1F0 1F1 3F0 3B0 3F1 3B1 1F2 1B0 1F3 1B1 3F2 3B2 3F3 3B3 1B2 1B3");
}

TEST_CASE("looped breadth-first: chunk after chunk, and back", "[pipeline][builders]") {
    const PipelineSchedule schedule = pipeline_schedule_looped_bfs(2, 3, 2);
    CHECK(list_of(schedule, 1) == "1F0 1F1 1F2 3F0 3F1 3F2 3B2 3B1 3B0 1B2 1B1 1B0");
}

TEST_CASE("ZB-H1 and ZB-H2: the lists of the published figures", "[pipeline][builders]") {
    const PipelineSchedule h1 = pipeline_schedule_zb_h1(4, 8);
    CHECK(list_of(h1, 0) == "F0 F1 F2 F3 I0 W0 F4 I1 W1 F5 I2 W2 F6 I3 W3 F7 I4 W4 I5 W5 I6 W6 I7 W7");
    CHECK(list_of(h1, 3) == "F0 I0 F1 I1 F2 I2 F3 I3 W0 F4 I4 W1 F5 I5 W2 F6 I6 W3 F7 I7 W4 W5 W6 W7");
    const PipelineSchedule h2 = pipeline_schedule_zb_h2(4, 8);
    CHECK(list_of(h2, 0) == "F0 F1 F2 F3 F4 F5 F6 I0 W0 F7 I1 W1 I2 W2 I3 W3 I4 W4 I5 W5 I6 W6 I7 W7");
    CHECK(list_of(h2, 3) == "F0 I0 F1 I1 F2 I2 F3 I3 F4 I4 F5 I5 F6 I6 W0 F7 I7 W1 W2 W3 W4 W5 W6 W7");
}

TEST_CASE("ZB-V: the first device has the first and the last part", "[pipeline][builders]") {
    const PipelineSchedule schedule = pipeline_schedule_zb_v(2, 3);
    CHECK(schedule.placement == std::vector<int>{0, 1, 1, 0});
    CHECK(list_of(schedule, 0) == "0F0 0F1 0F2 3F0 3I0 3W0 3F1 3I1 3W1 0I0 0W0 3F2 3I2 3W2 0I1 0W1 0I2 0W2");
}

TEST_CASE("DualPipe: micro-batches enter from both ends of two replicas", "[pipeline][builders]") {
    const PipelineSchedule schedule = pipeline_schedule_dualpipe(2, 4);
    CHECK(schedule.replicas == 2);
    CHECK(schedule.placement == std::vector<int>{0, 1, 1, 0});
    CHECK(list_of(schedule, 0) == "0F0 1F2 0F1 1B2 1F3+0B0 1B3 0I1 0W1");
    CHECK(list_of(schedule, 1) == "0F2 1F0 0F3 1B0 1F1+0B2 1B1 0I3 0W3");
}

TEST_CASE("the automatic schedule keeps within its memory, and uses more of it for fewer bubbles",
          "[pipeline][builders]") {
    PipelineCosts costs;
    costs.times = split_times(4, 4, 3);
    double last = 1;
    for (const double limit : {1.0, 2.0, 4.0, 8.0, 12.0, 16.0}) {
        const MemoryLimit memory{.chunks = limit, .weight_gradient_share = 0.5};
        const PipelineSchedule schedule = pipeline_schedule_zero_bubble(8, 24, costs.times, 0, memory);
        const PipelineTimeline timeline = simulate(schedule, costs);
        for (int device = 0; device < 8; ++device) {
            for (const HeldActivations& step : activations_over_time(schedule, timeline, device, {1, 0.5})) {
                REQUIRE(step.held <= limit);
            }
        }
        CAPTURE(limit);
        CHECK(timeline.bubble_rate < last);
        last = timeline.bubble_rate;
    }
    CHECK(last < 0.01);
}

TEST_CASE("the automatic schedule: of equal bubble rates the one with the smallest makespan is taken",
          "[pipeline][builders]") {
    const auto timeline = [](const char* schedule, int stages, int micro_batches, const OperationTimes& times) {
        PipelineRequest request = pipeline_request(schedule, stages, micro_batches);
        request.times = times;
        PipelineCosts costs;
        costs.times = times;
        return simulate(pipeline_schedule(request), costs);
    };
    CHECK(timeline("zb-1p", 8, 13, split_times(1, 0.84, 0.88)).makespan == Approx(42.36));
    CHECK(timeline("zb-1p", 3, 5, split_times(1, 0.4, 0.39)).makespan == Approx(10.97));
    Random random(66);
    for (int trial = 0; trial < 200; ++trial) {
        const int stages = random.whole(1, 8);
        const int micro_batches = random.whole(1, 16);
        const auto time = [&] { return random.whole(1, 200) / 100.0; };
        const OperationTimes times = split_times(time(), time(), time());
        CAPTURE(stages, micro_batches, times.forward, times.input_gradient, times.weight_gradient);
        const PipelineTimeline given = timeline("zb-h1", stages, micro_batches, times);
        for (const char* name : {"zb-1p", "zb-2p"}) {
            const PipelineTimeline found = timeline(name, stages, micro_batches, times);
            REQUIRE(found.bubble_rate <= given.bubble_rate + 1e-12);
            const bool same_rate = found.bubble_rate > given.bubble_rate - 1e-12;
            REQUIRE((!same_rate || found.makespan <= given.makespan * (1 + 1e-12)));
        }
    }
}

TEST_CASE("ZB-V: of few micro-batches the order is that of more, without those that are too many",
          "[pipeline][builders]") {
    for (int stages = 1; stages <= 7; ++stages) {
        const PipelineSchedule enough = pipeline_schedule_zb_v(stages, 2 * stages - 1);
        for (int micro_batches = 1; micro_batches < 2 * stages - 1; ++micro_batches) {
            std::vector<std::vector<Operation>> expected = enough.operations;
            for (std::vector<Operation>& list : expected) {
                std::erase_if(list, [&](const Operation& one) { return one.micro_batch >= micro_batches; });
            }
            CAPTURE(stages, micro_batches);
            REQUIRE(pipeline_schedule_zb_v(stages, micro_batches).operations == expected);
        }
    }
}

TEST_CASE("ZB-V of the most devices is built and simulated", "[pipeline][builders]") {
    const PipelineSchedule schedule = pipeline_schedule_zb_v(most_stages, 1);
    // 2P parts forth and back; a weight gradient is in the way on the last device, and another is last on the first.
    CHECK(simulate(schedule, PipelineCosts{}).makespan == 4.0 * most_stages + 2);
    CHECK(list_of(schedule, most_stages - 1) == "65535F0 65536F0 65536I0 65536W0 65535I0 65535W0");
}

TEST_CASE("fewer micro-batches than stages: simulated where the schedule allows it, else refused with the rule",
          "[pipeline][builders]") {
    for (const char* name : every_schedule) {
        CAPTURE(name);
        const auto build = [&] { return pipeline_schedule(pipeline_request(name, 4, 2)); };
        if (std::string_view(name).substr(0, 8) == "dualpipe") {
            require_refused("micro_batches", "2", build);
        } else {
            CHECK(simulate(build(), PipelineCosts{}).makespan >= 9);
        }
    }
}

TEST_CASE("schedules refuse what they have no use for", "[pipeline][builders]") {
    const auto refused = [](const char* schedule, auto change) {
        PipelineRequest request = pipeline_request(schedule, 4, 8);
        change(request);
        return refusal_of([&] { pipeline_schedule(request); }).parameter;
    };
    const auto nothing = [](PipelineRequest&) {};
    CHECK(refused("zigzag", nothing) == "schedule");
    for (const char* name : every_schedule) {
        CHECK(refused(name, nothing).empty());
        CHECK(refused(name, [](PipelineRequest& request) { request.stages = 0; }) == "stages");
        CHECK(refused(name, [](PipelineRequest& request) { request.micro_batches = 0; }) == "micro_batches");
        CHECK(refused(name, [](PipelineRequest& request) { request.micro_batches = 2000000000; }) == "micro_batches");
        CHECK(refused(name, [](PipelineRequest& request) { request.chunks = 0; }) == "chunks");
    }
    CHECK(refused("1f1b", [](PipelineRequest& request) { request.chunks = 2; }) == "chunks");
    CHECK(refused("1f1b", [](PipelineRequest& request) { request.group_size = 4; }) == "group_size");
    CHECK(refused("interleaved", [](PipelineRequest& request) { request.group_size = 0; }) == "group_size");
    CHECK(refused("zb-h1", [](PipelineRequest& request) { request.memory_limit = 4; }) == "memory_limit");
    CHECK(refused("zb-1p", [](PipelineRequest& request) { request.memory_limit = 0.5; }) == "memory_limit");
    CHECK(refused("zb-2p", [](PipelineRequest& request) { request.weight_gradient_share = 1.5; }) ==
          "weight_gradient_share");
    CHECK(refused("zb-1p", [](PipelineRequest& request) { request.times.forward = 0; }) == "forward");
    CHECK(refused("zb-1p", [](PipelineRequest& request) { request.micro_batches = 1000000; }) == "micro_batches");
    CHECK(refused("dualpipe", [](PipelineRequest& request) { request.stages = 3; }) == "stages");
    CHECK(refused("dualpipe", [](PipelineRequest& request) { request.micro_batches = 9; }) == "micro_batches");
}

TEST_CASE("the rules of frameworks are asked for, and then kept", "[pipeline][builders]") {
    const auto refused = [](FrameworkRules rules, const char* schedule, int micro_batches, auto change) {
        PipelineRequest request = pipeline_request(schedule, 4, micro_batches);
        request.rules = rules;
        change(request);
        return refusal_of([&] { pipeline_schedule(request); }).parameter;
    };
    const auto nothing = [](PipelineRequest&) {};
    const auto group = [](int size) { return [size](PipelineRequest& request) { request.group_size = size; }; };
    using enum FrameworkRules;
    CHECK(refused(none, "interleaved", 10, group(2)).empty());
    CHECK(refused(megatron, "interleaved", 8, nothing).empty());
    CHECK(refused(megatron, "interleaved", 11, group(6)).empty());
    CHECK(refused(megatron, "interleaved", 8, group(3)) == "group_size");
    CHECK(refused(megatron, "interleaved", 8, group(8)).empty());
    CHECK(refused(megatron, "interleaved", 6, group(8)) == "group_size");
    CHECK(refused(megatron, "interleaved", 3, nothing) == "micro_batches");
    CHECK(refused(megatron, "interleaved", 8, [](PipelineRequest& request) { request.stages = 1; }) == "stages");
    CHECK(refused(megatron, "interleaved", 8, [](PipelineRequest& request) { request.chunks = 1; }) == "chunks");
    CHECK(refused(megatron, "interleaved", 10, nothing) == "micro_batches");
    CHECK(refused(megatron, "1f1b", 2, nothing).empty());
    CHECK(refused(megatron, "zb-v", 8, nothing) == "schedule");
    CHECK(refused(pytorch, "zb-v", 8, nothing).empty());
    CHECK(refused(pytorch, "1f1b", 3, nothing) == "micro_batches");
    CHECK(refused(pytorch, "interleaved", 10, nothing).empty());
    CHECK(refused(pytorch, "interleaved", 9, nothing) == "micro_batches");
    CHECK(refused(pytorch, "interleaved", 10, group(4)) == "group_size");
    CHECK(refused(pytorch, "dualpipe", 8, nothing) == "schedule");
    CHECK(framework_rules_from_name("pytorch") == pytorch);
    require_refused("rules", "deepspeed", [] { framework_rules_from_name("deepspeed"); });

    PipelineRequest beyond = pipeline_request("interleaved", 4, 6);
    beyond.rules = megatron;
    beyond.group_size = 8;
    CHECK(refusal_of([&] { pipeline_schedule(beyond); }).rule.find("from 4 to 6") != std::string::npos);

    PipelineRequest dealt = pipeline_request("interleaved", 4, 10);
    dealt.rules = pytorch;
    CHECK(settled_request(dealt).group_size == 5);
}
