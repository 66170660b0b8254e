#pragma once

// What the tests of pipelines share: every schedule by name, in settings that it takes.

#include <array>

#include <shardlab/pipeline.hpp>

#include "random.hpp"

inline constexpr std::array<const char*, 11> every_schedule{
    "gpipe", "1f1b", "interleaved", "looped-bfs", "zb-h1", "zb-h2", "zb-1p", "zb-2p", "zb-v", "dualpipe", "dualpipe-v"};

inline shardlab::PipelineRequest pipeline_request(const char* schedule, int stages, int micro_batches) {
    shardlab::PipelineRequest request;
    request.schedule = schedule;
    request.stages = stages;
    request.micro_batches = micro_batches;
    return request;
}

/// Any setting that the schedule takes, small enough for thousands of them.
inline shardlab::PipelineRequest random_pipeline(Random& random, const char* schedule) {
    const std::string_view name = schedule;
    int stages = random.whole(1, 9);
    int micro_batches = random.whole(1, 24);
    if (name == "dualpipe") {
        stages += stages % 2;
        micro_batches = 2 * (stages + random.whole(0, 8));
    }
    if (name == "dualpipe-v") {
        micro_batches = 2 * stages + random.whole(0, 16);
    }
    shardlab::PipelineRequest request = pipeline_request(schedule, stages, micro_batches);
    if (name == "interleaved" || name == "looped-bfs") {
        request.chunks = random.whole(1, 5);
    }
    if (name == "interleaved") {
        request.group_size = random.whole(1, 12);
    }
    if (name == "zb-1p" || name == "zb-2p") {
        request.memory_limit = random.whole(1, 3 * stages);
        request.weight_gradient_share = random.whole(0, 8) / 8.0;
    }
    return request;
}

/// Times in eighths, whose sums are exact.
inline shardlab::PipelineCosts random_costs(Random& random, int parts) {
    const auto time = [&] { return random.whole(1, 40) / 8.0; };
    const auto times = [&] { return shardlab::split_times(time(), time(), time()); };
    shardlab::PipelineCosts costs;
    costs.times = times();
    costs.communication = random.whole(0, 16) / 8.0;
    costs.recompute = random.whole(0, 3) == 0;
    costs.blocking_sends = random.whole(0, 3) == 0;
    costs.gradient_sync = random.whole(0, 2) == 0 ? time() : 0;
    if (random.whole(0, 2) == 0) {
        for (int part = 0; part < parts; ++part) {
            costs.part_times.push_back(times());
        }
    }
    if (random.whole(0, 2) == 0) {
        costs.times.overlapped = costs.times.forward + costs.times.backward - random.whole(0, 4) / 8.0;
    }
    return costs;
}
