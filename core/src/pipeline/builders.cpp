#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/pipeline.hpp>

#include "check.hpp"

namespace shardlab {
namespace {

void require_size(int stages, int micro_batches) {
    require_int("stages", stages, 1, most_stages);
    require_int("micro_batches", micro_batches, 1);
    if (2.0 * stages * micro_batches > most_operations) {
        throw invalid_argument("micro_batches", std::to_string(micro_batches),
                               "give at most " + number_text(most_operations) +
                                   " operations, which are 2 x stages x micro_batches; stages is " +
                                   std::to_string(stages));
    }
}

/// A model part on each device, in order: stage s of the pipeline is device s.
PipelineSchedule one_part_a_device(int stages, int micro_batches) {
    PipelineSchedule schedule{.stages = stages, .micro_batches = micro_batches, .placement = {}, .operations = {}};
    schedule.placement.resize(static_cast<std::size_t>(stages));
    std::iota(schedule.placement.begin(), schedule.placement.end(), 0);
    schedule.operations.resize(static_cast<std::size_t>(stages));
    for (std::vector<Operation>& list : schedule.operations) {
        list.reserve(2 * static_cast<std::size_t>(micro_batches));
    }
    return schedule;
}

}  // namespace

PipelineSchedule pipeline_schedule_1f1b(int stages, int micro_batches) {
    require_size(stages, micro_batches);
    PipelineSchedule schedule = one_part_a_device(stages, micro_batches);
    for (int stage = 0; stage < stages; ++stage) {
        std::vector<Operation>& list = schedule.operations[static_cast<std::size_t>(stage)];
        const int warm_up = std::min(stages - stage - 1, micro_batches);
        for (int forward = 0; forward < warm_up; ++forward) {
            list.push_back({OperationKind::forward, stage, forward});
        }
        for (int backward = 0; backward < micro_batches; ++backward) {
            if (warm_up + backward < micro_batches) {
                list.push_back({OperationKind::forward, stage, warm_up + backward});
            }
            list.push_back({OperationKind::backward, stage, backward});
        }
    }
    return schedule;
}

PipelineSchedule pipeline_schedule_gpipe(int stages, int micro_batches) {
    require_size(stages, micro_batches);
    PipelineSchedule schedule = one_part_a_device(stages, micro_batches);
    for (int stage = 0; stage < stages; ++stage) {
        std::vector<Operation>& list = schedule.operations[static_cast<std::size_t>(stage)];
        for (int forward = 0; forward < micro_batches; ++forward) {
            list.push_back({OperationKind::forward, stage, forward});
        }
        for (int backward = micro_batches - 1; backward >= 0; --backward) {
            list.push_back({OperationKind::backward, stage, backward});
        }
    }
    return schedule;
}

PipelineSchedule pipeline_schedule(std::string_view schedule, int stages, int micro_batches) {
    if (schedule == "1f1b") {
        return pipeline_schedule_1f1b(stages, micro_batches);
    }
    if (schedule == "gpipe") {
        return pipeline_schedule_gpipe(stages, micro_batches);
    }
    pipeline::refuse(std::string(schedule), "be 1f1b or gpipe");
}

}  // namespace shardlab
