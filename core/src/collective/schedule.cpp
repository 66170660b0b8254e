#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <shardlab/collective/schedule.hpp>
#include <shardlab/errors.hpp>

#include "names.hpp"

namespace shardlab {
namespace {

// In the order of the enumeration.
constexpr const char* phase_names[] = {"reduce-scatter", "all-gather", "reduce", "broadcast", "exchange"};

}  // namespace

const char* name(Phase phase) {
    return collective::name_of(phase, phase_names);
}

Phase phase_of(const Step& step) {
    std::array<std::size_t, std::size(phase_names)> transfers{};
    for (const Transfer& transfer : step.transfers) {
        ++transfers.at(static_cast<std::size_t>(transfer.phase));
    }
    return static_cast<Phase>(std::max_element(transfers.begin(), transfers.end()) - transfers.begin());
}

CollectiveSchedule::CollectiveSchedule(int ranks, std::uint64_t elements, int steps, Generator generator,
                                       Placement placement)
    : ranks_(require_int("ranks", ranks, 1, most_ranks)),
      elements_(static_cast<std::uint64_t>(require_count("elements", static_cast<double>(elements)))),
      steps_(require_int("steps", steps, 0, most_steps)),
      generator_(std::move(generator)),
      placement_(placement) {
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
