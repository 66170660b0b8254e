#include <string>
#include <utility>

#include <shardlab/collective.hpp>
#include <shardlab/errors.hpp>

namespace shardlab {

const char* name(Phase phase) {
    switch (phase) {
        case Phase::reduce_scatter:
            return "reduce-scatter";
        case Phase::all_gather:
            return "all-gather";
        case Phase::reduce:
            return "reduce";
        case Phase::broadcast:
            return "broadcast";
    }
    return "unknown";
}

CollectiveSchedule::CollectiveSchedule(int ranks, std::uint64_t elements, int steps, Generator generator)
    : ranks_(require_int("ranks", ranks, 1, most_ranks)),
      elements_(elements),
      steps_(require_int("steps", steps, 0)),
      generator_(std::move(generator)) {
    if (!generator_) {
        throw invalid_argument("generator", "empty", "be a function that makes a step");
    }
}

void CollectiveSchedule::generate(int index, Step& step) const {
    if (index < 0 || index >= steps_) {
        throw invalid_argument("index", std::to_string(index),
                               "be a step of the schedule, which has " + std::to_string(steps_));
    }
    step.transfers.clear();
    generator_(index, step);
}

}  // namespace shardlab
