#include <algorithm>
#include <string>
#include <vector>

#include "catch.hpp"
#include "complaint.hpp"

using lab::PipelineOperation;
using lab::PipelineSchedule;
using lab_test::Complaint;

namespace {

using Operations = std::vector<PipelineOperation>;

/// Stages and micro-batches.
struct Size {
    int stages;
    int micro_batches;
};

std::string text(Size size) {
    return lab_test::counted(size.stages, "stage") + " and " +
           lab_test::counted(size.micro_batches, "micro-batch", "es");
}

/// `F3` or `B3`.
std::string name(const PipelineOperation& operation) {
    std::string result = operation.backward ? "B" : "F";
    return result += std::to_string(operation.micro_batch);
}

std::string at(std::size_t stage, std::size_t position) {
    return "stage " + std::to_string(stage) + ", position " + std::to_string(position);
}

Complaint wrong_number_of_stages(const PipelineSchedule& got, Size size) {
    return lab_test::wrong_number("the number of stages in operations", static_cast<double>(got.operations.size()),
                                  size.stages);
}

/// The first thing wrong with the set of a stage's operations: each micro-batch has one forward and, after it, one
/// backward.
Complaint incomplete(const Operations& operations, std::size_t stage, int micro_batches) {
    std::vector<int> done(static_cast<std::size_t>(micro_batches), 0);  // 1 after the forward, 2 after the backward
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const PipelineOperation& operation = operations[i];
        if (operation.micro_batch < 0 || operation.micro_batch >= micro_batches) {
            return at(stage, i) + ": is " + name(operation) + ", but the micro-batches are 0 to " +
                   std::to_string(micro_batches - 1);
        }
        int& state = done[static_cast<std::size_t>(operation.micro_batch)];
        const int before = operation.backward ? 1 : 0;
        if (state < before) return at(stage, i) + ": is " + name(operation) + ", but its forward has not run yet";
        if (state > before) return at(stage, i) + ": is " + name(operation) + ", which has run before";
        ++state;
    }
    for (int m = 0; m < micro_batches; ++m) {
        const int state = done[static_cast<std::size_t>(m)];
        if (state < 2) {
            return "stage " + std::to_string(stage) + ": " + name({state == 1, m}) + " is missing";
        }
    }
    return {};
}

Complaint incomplete(const PipelineSchedule& got, Size size) {
    if (Complaint complaint = wrong_number_of_stages(got, size); !complaint.empty()) return complaint;
    for (std::size_t s = 0; s < got.operations.size(); ++s) {
        Complaint complaint = incomplete(got.operations[s], s, size.micro_batches);
        if (!complaint.empty()) return complaint;
    }
    return {};
}

/// The operation that 1F1B has at a position, and why.
struct Expected {
    PipelineOperation operation;
    const char* why;
};

Expected expected_at(std::size_t stage, std::size_t position, Size size) {
    const int warm_up = std::min(size.stages - 1 - static_cast<int>(stage), size.micro_batches);
    const int i = static_cast<int>(position);
    if (i < warm_up) return {{false, i}, "the warm-up has a forward here"};
    const int pairs = size.micro_batches - warm_up;
    if (i < warm_up + 2 * pairs) {
        const int pair = (i - warm_up) / 2;
        if ((i - warm_up) % 2 == 0)
            return {{false, warm_up + pair}, "after the warm-up each backward follows a forward"};
        return {{true, pair}, "after the warm-up a backward follows each forward, micro-batch 0 first"};
    }
    return {{true, i - size.micro_batches}, "all forwards are done, so that the backwards left are drained"};
}

/// The first position where the order is not that of one forward, one backward.
Complaint wrong_order(const PipelineSchedule& got, Size size) {
    if (Complaint complaint = wrong_number_of_stages(got, size); !complaint.empty()) return complaint;
    for (std::size_t s = 0; s < got.operations.size(); ++s) {
        const auto count = static_cast<std::size_t>(2 * size.micro_batches);
        for (std::size_t i = 0; i < count; ++i) {
            const Expected expected = expected_at(s, i, size);
            const bool there = i < got.operations[s].size();
            if (there && got.operations[s][i] == expected.operation) continue;
            return at(s, i) + ": is " + (there ? name(got.operations[s][i]) : "not there") + ", must be " +
                   name(expected.operation) + ": " + expected.why;
        }
        if (got.operations[s].size() > count)
            return at(s, count) + ": there are only " + std::to_string(count) + " operations";
    }
    return {};
}

/// Runs a complete schedule, every operation for one step, each stage in its own order.
class Replay {
public:
    explicit Replay(const PipelineSchedule& schedule, Size size)
        : schedule_(schedule),
          next_(schedule.operations.size(), 0),
          free_(schedule.operations.size(), 0),
          forward_end_(schedule.operations.size(), std::vector<int>(static_cast<std::size_t>(size.micro_batches), 0)),
          backward_end_(forward_end_) {
        bool moved = true;
        while (moved) {
            moved = false;
            for (std::size_t s = 0; s < next_.size(); ++s) {
                while (advance(s)) moved = true;
            }
        }
    }

    /// The end of the last operation.
    int steps() const { return *std::max_element(free_.begin(), free_.end()); }

    /// The first stage that waits for ever, and for what.
    Complaint deadlock() const {
        for (std::size_t s = 0; s < next_.size(); ++s) {
            if (next_[s] == schedule_.operations[s].size()) continue;
            const PipelineOperation& operation = schedule_.operations[s][next_[s]];
            return at(s, next_[s]) + ": " + name(operation) + " waits for ever for " + name(operation) + " of stage " +
                   std::to_string(operation.backward ? s + 1 : s - 1) + " (a deadlock)";
        }
        return {};
    }

private:
    /// Runs the next operation of a stage if its input is there. Ends are at least 1, so 0 means not yet.
    bool advance(std::size_t stage) {
        if (next_[stage] == schedule_.operations[stage].size()) return false;
        const PipelineOperation& operation = schedule_.operations[stage][next_[stage]];
        const auto m = static_cast<std::size_t>(operation.micro_batch);
        auto& ends = operation.backward ? backward_end_ : forward_end_;
        const bool first = operation.backward ? stage + 1 == next_.size() : stage == 0;
        const int input = first ? 0 : ends[operation.backward ? stage + 1 : stage - 1][m];
        if (!first && input == 0) return false;
        free_[stage] = std::max(free_[stage], input) + 1;
        ends[stage][m] = free_[stage];
        ++next_[stage];
        return true;
    }

    const PipelineSchedule& schedule_;
    std::vector<std::size_t> next_;               // position of each stage's next operation
    std::vector<int> free_;                       // when each stage has done what came before
    std::vector<std::vector<int>> forward_end_;   // for each stage and micro-batch
    std::vector<std::vector<int>> backward_end_;  // for each stage and micro-batch
};

/// The most micro-batches that a stage's order has in flight at once.
int peak_of(const Operations& operations) {
    int in_flight = 0;
    int peak = 0;
    for (const PipelineOperation& operation : operations) {
        in_flight += operation.backward ? -1 : 1;
        peak = std::max(peak, in_flight);
    }
    return peak;
}

Complaint wrong_peak(const PipelineSchedule& got, Size size) {
    if (Complaint complaint = wrong_number_of_stages(got, size); !complaint.empty()) return complaint;
    if (got.peak_in_flight.size() != got.operations.size()) {
        return "peak_in_flight has " + std::to_string(got.peak_in_flight.size()) +
               " numbers, must have one for each of " + std::to_string(size.stages) + " stages";
    }
    for (int s = 0; s < size.stages; ++s) {
        const auto stage = static_cast<std::size_t>(s);
        const int expected = std::min(size.stages - s, size.micro_batches);
        const std::string where = "stage " + std::to_string(s) + ": ";
        Complaint complaint = lab_test::wrong_number(where + "the most micro-batches in flight in its operations",
                                                     peak_of(got.operations[stage]), expected);
        if (complaint.empty()) {
            complaint = lab_test::wrong_number(where + "peak_in_flight", got.peak_in_flight[stage], expected);
        }
        if (!complaint.empty()) return complaint + ", as many as there are stages from it to the last, at most all";
    }
    return {};
}

Complaint wrong_steps(const PipelineSchedule& got, Size size) {
    if (Complaint complaint = incomplete(got, size); !complaint.empty()) return complaint;
    const Replay replay(got, size);
    if (Complaint complaint = replay.deadlock(); !complaint.empty()) return complaint;
    const int expected = 2 * (size.micro_batches + size.stages - 1);
    Complaint complaint = lab_test::wrong_number("the number of steps", got.steps, expected);
    if (complaint.empty()) complaint = lab_test::wrong_number("the end of the operations", replay.steps(), expected);
    return complaint.empty() ? complaint : complaint + ": 2(M + P - 1)";
}

Complaint deadlock(const PipelineSchedule& got, Size size) {
    if (Complaint complaint = incomplete(got, size); !complaint.empty()) return complaint;
    return Replay(got, size).deadlock();
}

/// Holds a property of the schedule for every pipeline of up to 8 stages and 12 micro-batches.
void require_for_small_pipelines(Complaint (*complaint_about)(const PipelineSchedule&, Size)) {
    for (int stages = 1; stages <= 8; ++stages) {
        for (int micro_batches = 1; micro_batches <= 12; ++micro_batches) {
            const Size size{stages, micro_batches};
            INFO(text(size));
            REQUIRE_RIGHT(complaint_about(lab::pipeline_schedule_1f1b(stages, micro_batches), size));
        }
    }
}

}  // namespace

TEST_CASE("lab pipeline_schedule_1f1b: the order on 4 stages with 8 micro-batches", "[lab][pipeline_schedule_1f1b]") {
    REQUIRE_RIGHT(wrong_order(lab::pipeline_schedule_1f1b(4, 8), {4, 8}));
}

TEST_CASE("lab pipeline_schedule_1f1b: every micro-batch has one forward and then one backward on every stage",
          "[lab][pipeline_schedule_1f1b]") {
    require_for_small_pipelines([](const PipelineSchedule& got, Size size) { return incomplete(got, size); });
}

TEST_CASE("lab pipeline_schedule_1f1b: warm-up and then one forward and one backward and then the drain",
          "[lab][pipeline_schedule_1f1b]") {
    require_for_small_pipelines(wrong_order);
}

TEST_CASE("lab pipeline_schedule_1f1b: no stage waits for ever for another", "[lab][pipeline_schedule_1f1b]") {
    require_for_small_pipelines(deadlock);
}

TEST_CASE("lab pipeline_schedule_1f1b: takes 2 times M + P - 1 steps", "[lab][pipeline_schedule_1f1b]") {
    require_for_small_pipelines(wrong_steps);
}

TEST_CASE("lab pipeline_schedule_1f1b: stage s never holds more than P - s micro-batches",
          "[lab][pipeline_schedule_1f1b]") {
    require_for_small_pipelines(wrong_peak);
}
