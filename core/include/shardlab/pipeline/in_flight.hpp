#pragma once

/// @file
/// How many micro-batches a pipeline holds at its worst moments.

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <shardlab/pipeline/builders.hpp>
#include <shardlab/pipeline/schedule.hpp>
#include <shardlab/pipeline/simulate.hpp>

namespace shardlab {

/// What a device holds at one moment.
struct HeldChunks {
    std::vector<int> whole;    ///< for each of the device's model parts: micro-batches from the start of their forward
                               ///< to the end of their backward or input gradient
    std::vector<int> waiting;  ///< and those that wait for their weight gradient

    bool operator==(const HeldChunks&) const = default;
};

/// The moments of a schedule at which a device may hold most, whatever the size of each model part.
struct PipelineInFlight {
    std::vector<std::vector<int>> parts;         ///< for each device, the model parts on it, in the model's order; with
                                                 ///< two replicas, those of both
    std::vector<std::vector<HeldChunks>> worst;  ///< for each device, the moments that no other exceeds in all counts
    int model_parts = 0;                         ///< parts that the model is cut into
    double bubble_of_total = 0;                  ///< of the timeline
};

/// The worst moments of a simulated schedule.
PipelineInFlight pipeline_in_flight(const PipelineSchedule& schedule, const PipelineTimeline& timeline);

/// Simulated schedules by shape, so that each is simulated once.
class InFlightCache {
public:
    /// A schedule in unit times: a forward takes 1, a backward 2, a gradient apart 1.
    /// @throws invalid_argument as pipeline_schedule() does
    const PipelineInFlight& of(const std::string& schedule, int stages, int micro_batches,
                               const std::optional<int>& chunks);

private:
    std::map<std::tuple<std::string, int, int, std::optional<int>>, PipelineInFlight> simulated_;
};

}  // namespace shardlab
