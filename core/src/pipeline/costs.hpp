#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include <shardlab/pipeline/simulate.hpp>

namespace shardlab::pipeline {

/// Checks all costs.
/// @throws invalid_argument as simulate() does for times
void require_costs(const PipelineSchedule& schedule, const PipelineCosts& costs);

/// What every operation of a schedule takes.
class Durations {
public:
    Durations(const PipelineSchedule& schedule, const PipelineCosts& costs);

    /// Of an operation alone.
    double of(const Operation& operation) const {
        return parts_[static_cast<std::size_t>(operation.model_part)].kinds[static_cast<std::size_t>(operation.kind)];
    }

    /// Of two that overlap, whichever is first.
    double of_pair(const Operation& first, const Operation& second) const;

private:
    struct Part {
        std::array<double, 4> kinds{};     // by OperationKind, recomputation included
        double again = 0;                  // of the forward that is recomputed
        std::optional<double> overlapped;  // of a forward of this part with any whole backward
    };

    std::vector<Part> parts_;
};

/// Whether an operation waits for a neighbour's result that comes over the loop's end, and is let off it.
inline bool is_relaxed(const PipelineSchedule& schedule, const PipelineCosts& costs, int later_part, int micro_batch) {
    return costs.relaxed_wrap && later_part % schedule.stages == 0 && micro_batch % schedule.stages != 0;
}

}  // namespace shardlab::pipeline
