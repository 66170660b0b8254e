#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <shardlab/data_parallel.hpp>

#include "catch.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

TrainingRun run_with(const std::string& fault, int zero_stage, OptimizerKind kind = OptimizerKind::sgd,
                     int steps = 20) {
    TrainingOptions options;
    options.steps = steps;
    options.zero_stage = zero_stage;
    options.optimizer.kind = kind;
    options.fault = training_fault_from_text(fault);
    return train_data_parallel(options);
}

/// The gradient of rows `first` to `first` + `count` of the first batch, at the initial parameters.
std::vector<double> first_gradient(std::size_t first, std::size_t count) {
    const RegressionTask task({}, 0);
    const std::vector<double> parameters = task.initial_parameters();
    const Batch batch = task.batch(0, 32);
    const MatrixView<double> inputs = rows_of(view(batch.inputs), first, count);
    return mlp_backward({}, parameters, inputs, mlp_forward({}, parameters, inputs),
                        rows_of(view(batch.targets), first, count));
}

double largest_magnitude(std::span<const double> values) {
    double largest = 0;
    for (const double value : values) {
        largest = std::max(largest, std::abs(value));
    }
    return largest;
}

/// Steps after which replicas differ.
std::vector<int> diverged_steps(const TrainingRun& run) {
    std::vector<int> steps;
    for (std::size_t step = 0; step < run.max_replica_differences.size(); ++step) {
        if (run.max_replica_differences[step] > 0) {
            steps.push_back(static_cast<int>(step));
        }
    }
    return steps;
}

}  // namespace

TEST_CASE("training faults: their texts are read, and others are refused", "[data-parallel]") {
    const TrainingFault missed = training_fault_from_text("miss-gather:2:17");
    CHECK(missed.kind == TrainingFaultKind::miss_gather);
    CHECK(missed.rank == 2);
    CHECK(missed.step == 17);
    CHECK(training_fault_from_text("drop:0").kind == TrainingFaultKind::drop);
    CHECK(training_fault_from_text("double:63").rank == 63);
    for (const char* text : {"", "drop", "drop:", "drop:1:2", "drop:-1", "drop:1x", "miss-gather:1", "miss-gather:1:",
                             "miss-gather:1:2:3", "miss-hop:1:2", "slow:1", "drop:12345678901", "Drop:1"}) {
        require_refused("fault", text, [&] { training_fault_from_text(text); });
    }
}

TEST_CASE("training faults: each is seen in weights and losses within 20 steps, at every stage", "[data-parallel]") {
    for (const OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::adam}) {
        for (const char* fault : {"drop:1", "double:2", "miss-gather:2:3", "miss-gather:0:0"}) {
            for (int stage = 0; stage <= 3; ++stage) {
                CAPTURE(name(kind), fault, stage);
                const TrainingRun run = run_with(fault, stage, kind);
                CHECK(run.max_relative_weight_difference > 1e-5);
                double largest = 0;
                for (std::size_t step = 0; step < run.losses_serial.size(); ++step) {
                    largest = std::max(largest, std::abs(run.losses_parallel[step] / run.losses_serial[step] - 1));
                }
                CHECK(largest > 1e-5);
            }
        }
    }
}

TEST_CASE("training faults: a gradient that is missing or doubled is off by its share of the mean", "[data-parallel]") {
    const std::vector<double> gradient = first_gradient(8, 8);
    const double expected = OptimizerOptions{}.learning_rate * largest_magnitude(gradient) / 4;
    for (const char* fault : {"drop:1", "double:1"}) {
        for (int stage = 0; stage <= 3; ++stage) {
            const TrainingRun run = run_with(fault, stage, OptimizerKind::sgd, 1);
            CHECK(run.max_weight_differences[0] == Approx(expected).epsilon(1e-12));
            CHECK(diverged_steps(run).empty());
        }
    }
}

TEST_CASE("training faults: with drop on the only rank nothing is learned", "[data-parallel]") {
    TrainingOptions options;
    options.ranks = 1;
    options.fault = training_fault_from_text("drop:0");
    const TrainingRun run = train_data_parallel(options);
    CHECK(run.losses_parallel.front() == run.losses_serial.front());
    CHECK(run.losses_parallel.back() > 2 * run.losses_serial.back());
}

TEST_CASE("training faults: until the gather that is missed nothing differs", "[data-parallel]") {
    for (int stage = 0; stage <= 3; ++stage) {
        const TrainingRun run = run_with("miss-gather:1:7", stage);
        CHECK(*std::max_element(run.max_weight_differences.begin(), run.max_weight_differences.begin() + 7) < 1e-15);
        CHECK(run.max_weight_differences[7] > 1e-6);
    }
}

TEST_CASE("training faults: replicas stay apart at stage 0, and meet at the next gather elsewhere", "[data-parallel]") {
    const TrainingRun all = run_with("miss-gather:1:7", 0);
    std::vector<int> from_then_on(13);
    std::iota(from_then_on.begin(), from_then_on.end(), 7);
    CHECK(diverged_steps(all) == from_then_on);
    for (int stage = 1; stage <= 3; ++stage) {
        CHECK(diverged_steps(run_with("miss-gather:1:7", stage)) == std::vector<int>{7});
    }
}

TEST_CASE("training faults: at stages 1 and 2 a rank that misses the gather keeps its old weights", "[data-parallel]") {
    // All but its own shard, the second quarter, is a step behind.
    const std::vector<double> gradient = first_gradient(0, 32);
    const std::span<const double> all = gradient;
    const double largest = std::max(largest_magnitude(all.first(240)), largest_magnitude(all.subspan(480)));
    for (const int stage : {1, 2}) {
        const TrainingRun run = run_with("miss-gather:1:0", stage, OptimizerKind::sgd, 1);
        CHECK(run.max_weight_differences[0] == Approx(OptimizerOptions{}.learning_rate * largest).epsilon(1e-12));
        CHECK(run.max_replica_differences[0] == Approx(run.max_weight_differences[0]).epsilon(1e-12));
    }
}

TEST_CASE("training faults: the bytes sent are those without a fault", "[data-parallel]") {
    for (int stage = 0; stage <= 3; ++stage) {
        const double bytes = (stage == 3 ? 3 : 2) * 3 * 240 * 8;
        const TrainingRun run = run_with("miss-gather:1:19", stage);
        CHECK(run.bytes_sent_per_rank_per_step == std::vector<double>(4, bytes));
    }
}

TEST_CASE("training faults: at a rank or a step that does not exist they are refused", "[data-parallel]") {
    require_refused("fault", "drop:4", [] { run_with("drop:4", 0); });
    require_refused("fault", "miss-gather:0:20", [] { run_with("miss-gather:0:20", 0); });
    TrainingOptions options;
    options.ranks = 1;
    options.fault = training_fault_from_text("miss-gather:0:0");
    require_refused("fault", "miss-gather:0:0", [&] { train_data_parallel(options); });
    options.fault = TrainingFault{.kind = TrainingFaultKind::drop, .rank = -1};
    require_refused("fault", "drop:-1", [&] { train_data_parallel(options); });
}

TEST_CASE("training faults: what a library does instead is said for each", "[data-parallel]") {
    for (const TrainingFaultKind kind :
         {TrainingFaultKind::drop, TrainingFaultKind::duplicated, TrainingFaultKind::miss_gather}) {
        CHECK(std::string(consequence(kind)).find("NCCL") == 0);
    }
}
