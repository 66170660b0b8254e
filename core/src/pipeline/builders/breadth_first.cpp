// All forwards, then all backwards: GPipe, and its loop over several chunks.

#include <cstddef>

#include <shardlab/pipeline/builders.hpp>

#include "parts.hpp"

namespace shardlab {

PipelineSchedule pipeline_schedule_looped_bfs(int stages, int micro_batches, int chunks) {
    pipeline::require_size(stages, micro_batches, chunks, 2);
    PipelineSchedule schedule = pipeline::empty_schedule(stages, micro_batches, pipeline::looped(stages, chunks));
    for (int device = 0; device < stages; ++device) {
        std::vector<Operation>& list = schedule.operations[static_cast<std::size_t>(device)];
        list.reserve(2 * static_cast<std::size_t>(micro_batches) * static_cast<std::size_t>(chunks));
        for (int chunk = 0; chunk < chunks; ++chunk) {
            for (int forward = 0; forward < micro_batches; ++forward) {
                list.emplace_back(OperationKind::forward, chunk * stages + device, forward);
            }
        }
        for (int chunk = chunks - 1; chunk >= 0; --chunk) {
            for (int backward = micro_batches - 1; backward >= 0; --backward) {
                list.emplace_back(OperationKind::backward, chunk * stages + device, backward);
            }
        }
    }
    return schedule;
}

PipelineSchedule pipeline_schedule_gpipe(int stages, int micro_batches) {
    return pipeline_schedule_looped_bfs(stages, micro_batches, 1);
}

}  // namespace shardlab
