// ZB-H1 and ZB-H2: weight gradients at a fixed delay.

#include <algorithm>
#include <cstddef>

#include <shardlab/pipeline/builders.hpp>

#include "parts.hpp"

namespace shardlab {
namespace {

/// A stage's list: `warm_up` forwards, then in turn an input gradient, the weight gradient of `delay` micro-batches
/// before, and a forward; at the end what is left of the weight gradients.
std::vector<Operation> delayed_list(int stage, int micro_batches, int warm_up, int delay) {
    std::vector<Operation> list;
    list.reserve(3 * static_cast<std::size_t>(micro_batches));
    const auto add = [&](OperationKind kind, int micro_batch) {
        if (micro_batch >= 0 && micro_batch < micro_batches) {
            list.emplace_back(kind, stage, micro_batch);
        }
    };
    for (int forward = 0; forward < warm_up; ++forward) {
        add(OperationKind::forward, forward);
    }
    for (int backward = 0; backward < micro_batches; ++backward) {
        add(OperationKind::input_gradient, backward);
        add(OperationKind::weight_gradient, backward - delay);
        add(OperationKind::forward, std::min(warm_up, micro_batches) + backward);
    }
    for (int left = std::max(micro_batches - delay, 0); left < micro_batches; ++left) {
        add(OperationKind::weight_gradient, left);
    }
    return list;
}

/// @param lead forwards before the first input gradient for each stage to the end: 1 of H1, 2 of H2
PipelineSchedule handcrafted(int stages, int micro_batches, int lead) {
    pipeline::require_size(stages, micro_batches, 1, 3);
    PipelineSchedule schedule = pipeline::empty_schedule(stages, micro_batches, pipeline::looped(stages, 1));
    for (int stage = 0; stage < stages; ++stage) {
        const int warm_up = lead * (stages - stage - 1) + 1;
        schedule.operations[static_cast<std::size_t>(stage)] =
            delayed_list(stage, micro_batches, warm_up, lead * stage);
    }
    return schedule;
}

}  // namespace

PipelineSchedule pipeline_schedule_zb_h1(int stages, int micro_batches) {
    return handcrafted(stages, micro_batches, 1);
}

PipelineSchedule pipeline_schedule_zb_h2(int stages, int micro_batches) {
    return handcrafted(stages, micro_batches, 2);
}

}  // namespace shardlab
