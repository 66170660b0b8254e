#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <shardlab/data_parallel.hpp>

#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

constexpr double bar = 1e-12;

TrainingOptions options_of(int ranks, int steps, int zero_stage, OptimizerKind kind) {
    TrainingOptions options;
    options.ranks = ranks;
    options.steps = steps;
    options.zero_stage = zero_stage;
    options.optimizer.kind = kind;
    return options;
}

double loss_error(const TrainingRun& run) {
    double largest = 0;
    for (std::size_t step = 0; step < run.losses_serial.size(); ++step) {
        largest = std::max(largest, std::abs(run.losses_parallel[step] / run.losses_serial[step] - 1));
    }
    return largest;
}

double sum(const std::vector<double>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

/// Held elements over all ranks.
HeldElements held_in_all(const TrainingRun& run) {
    HeldElements all;
    for (const HeldElements& held : run.held) {
        all.parameter_elements += held.parameter_elements;
        all.gradient_elements += held.gradient_elements;
        all.optimizer_elements += held.optimizer_elements;
    }
    return all;
}

/// Some training of some shape, with unequal batches that are weighted.
TrainingOptions random_options(Random& random) {
    TrainingOptions options = options_of(random.whole(1, 12), random.whole(1, 20), random.whole(0, 3),
                                         static_cast<OptimizerKind>(random.whole(0, 1)));
    options.shape = {.inputs = random.whole(1, 5), .hidden = random.whole(1, 5), .outputs = random.whole(1, 4)};
    options.seed = random.whole(0, 1000000);
    options.optimizer.momentum = random.whole(0, 1) * 0.9;
    options.weighted = true;
    for (int rank = 0; rank < options.ranks; ++rank) {
        options.batches.push_back(random.whole(1, 9));
    }
    return options;
}

}  // namespace

TEST_CASE("training: ranks are the serial training to 1e-12 for 200 steps, at every ZeRO stage", "[data-parallel]") {
    for (const OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::adam}) {
        for (int stage = 0; stage <= 3; ++stage) {
            for (const int ranks : {1, 2, 3, 4, 8}) {
                CAPTURE(name(kind), stage, ranks);
                const TrainingRun run = train_data_parallel(options_of(ranks, 200, stage, kind));
                REQUIRE(run.losses_serial.size() == 200);
                CHECK(loss_error(run) <= bar);
                CHECK(run.max_relative_weight_difference <= bar);
                CHECK(sum(run.max_replica_differences) == 0);
                CHECK(run.losses_serial.back() < 0.3 * run.losses_serial.front());
            }
        }
    }
}

TEST_CASE("training: any shape, any ranks and any weighted batches are the serial training", "[data-parallel]") {
    Random random(31);
    for (int trial = 0; trial < 150; ++trial) {
        const TrainingOptions options = random_options(random);
        CAPTURE(options.ranks, options.zero_stage, options.shape.inputs, options.shape.hidden, options.shape.outputs);
        const TrainingRun run = train_data_parallel(options);
        REQUIRE(loss_error(run) <= bar);
        REQUIRE(run.max_relative_weight_difference <= bar);
        REQUIRE(sum(run.max_replica_differences) == 0);
    }
}

TEST_CASE("training: one rank takes the serial steps, bit by bit, and sends nothing", "[data-parallel]") {
    for (int stage = 0; stage <= 3; ++stage) {
        const TrainingRun run = train_data_parallel(options_of(1, 20, stage, OptimizerKind::adam));
        CHECK(run.losses_parallel == run.losses_serial);
        CHECK(sum(run.max_weight_differences) == 0);
        CHECK(run.bytes_sent_per_rank_per_step == std::vector<double>{0});
    }
}

TEST_CASE("training: stages 1, 2 and 3 give the same bits", "[data-parallel]") {
    for (const int ranks : {3, 7}) {
        const TrainingRun first = train_data_parallel(options_of(ranks, 30, 1, OptimizerKind::adam));
        for (const int stage : {2, 3}) {
            const TrainingRun run = train_data_parallel(options_of(ranks, 30, stage, OptimizerKind::adam));
            CHECK(run.losses_parallel == first.losses_parallel);
            CHECK(run.max_weight_differences == first.max_weight_differences);
        }
    }
}

TEST_CASE("training: a rank sends 2(R-1)/R of the parameters' bytes, and 3(R-1)/R at stage 3", "[data-parallel]") {
    constexpr double parameters = 960;
    for (int stage = 0; stage <= 3; ++stage) {
        const int passes = stage == 3 ? 3 : 2;
        for (const int ranks : {1, 2, 3, 4, 5, 8, 16, 64}) {
            CAPTURE(stage, ranks);
            const TrainingRun run = train_data_parallel(options_of(ranks, 1, stage, OptimizerKind::sgd));
            const double bytes = passes * (ranks - 1) * (parameters / ranks) * 8;
            CHECK(run.bytes_sent_per_rank_per_step == std::vector<double>(static_cast<std::size_t>(ranks), bytes));
        }
        for (const int ranks : {7, 9, 11}) {
            const TrainingRun run = train_data_parallel(options_of(ranks, 2, stage, OptimizerKind::sgd));
            CHECK(sum(run.bytes_sent_per_rank_per_step) == passes * (ranks - 1) * parameters * 8);
        }
    }
}

TEST_CASE("training: each stage leaves each rank less", "[data-parallel]") {
    constexpr double all = 960;
    for (const int ranks : {1, 4, 7}) {
        for (int stage = 0; stage <= 3; ++stage) {
            CAPTURE(ranks, stage);
            TrainingOptions options = options_of(ranks, 1, stage, OptimizerKind::adam);
            const HeldElements adam = held_in_all(train_data_parallel(options));
            CHECK(adam.parameter_elements == (stage >= 3 ? all : ranks * all));
            CHECK(adam.gradient_elements == (stage >= 2 ? all : ranks * all));
            CHECK(adam.optimizer_elements == (stage >= 1 ? 2 * all : 2 * ranks * all));
            options.optimizer.kind = OptimizerKind::sgd;
            CHECK(held_in_all(train_data_parallel(options)).optimizer_elements == 0);
            options.optimizer.momentum = 0.9;
            CHECK(held_in_all(train_data_parallel(options)).optimizer_elements == adam.optimizer_elements / 2);
        }
    }
    const TrainingRun even = train_data_parallel(options_of(4, 1, 3, OptimizerKind::adam));
    CHECK(even.held == std::vector<HeldElements>(
                           4, {.parameter_elements = 240, .gradient_elements = 240, .optimizer_elements = 480}));
}

TEST_CASE("training: of unequal batches the mean of means is another gradient, unless weighted", "[data-parallel]") {
    for (int stage = 0; stage <= 3; ++stage) {
        TrainingOptions options = options_of(4, 100, stage, OptimizerKind::adam);
        options.batches = {8, 8, 8, 2};
        const TrainingRun means = train_data_parallel(options);
        CHECK(std::abs(means.losses_parallel[0] / means.losses_serial[0] - 1) <= 1e-15);
        CHECK(means.max_weight_differences[0] > 1e-3);
        CHECK(loss_error(means) > 1e-3);
        options.weighted = true;
        const TrainingRun weighted = train_data_parallel(options);
        CHECK(weighted.losses_serial == means.losses_serial);
        CHECK(loss_error(weighted) <= bar);
        CHECK(weighted.max_relative_weight_difference <= bar);
    }
}

TEST_CASE("training: weights change nothing where batches are equal", "[data-parallel]") {
    TrainingOptions options = options_of(3, 20, 2, OptimizerKind::adam);
    options.batches = {5, 5, 5};
    const TrainingRun plain = train_data_parallel(options);
    options.weighted = true;
    CHECK(train_data_parallel(options).losses_parallel == plain.losses_parallel);
}

TEST_CASE("training: a seed decides the task", "[data-parallel]") {
    TrainingOptions options = options_of(2, 5, 1, OptimizerKind::sgd);
    const TrainingRun first = train_data_parallel(options);
    CHECK(train_data_parallel(options).losses_parallel == first.losses_parallel);
    options.seed = 4294967296.0;
    CHECK(train_data_parallel(options).losses_serial != first.losses_serial);
}

TEST_CASE("training: a learning rate of 0 learns nothing, and one that diverges is refused", "[data-parallel]") {
    TrainingOptions options = options_of(2, 50, 0, OptimizerKind::sgd);
    options.optimizer.learning_rate = 0;
    CHECK(sum(train_data_parallel(options).max_weight_differences) == 0);
    options.optimizer.learning_rate = 100;
    require_refused("learning_rate", "100", [&] { train_data_parallel(options); });
    CHECK(refusal_of([&] { train_data_parallel(options); }).rule.find("diverges") != std::string::npos);
    options.optimizer.learning_rate = 1001;
    require_refused("learning_rate", "1001", [&] { train_data_parallel(options); });
    options.optimizer = {.kind = OptimizerKind::adam, .learning_rate = 1000};
    CHECK(std::isfinite(train_data_parallel(options).max_relative_weight_difference));
}

TEST_CASE("training: what does not exist, does not fit or takes too long is refused by name", "[data-parallel]") {
    const auto refuse = [](const char* parameter, const char* value, auto change) {
        TrainingOptions options;
        change(options);
        require_refused(parameter, value, [&] { train_data_parallel(options); });
    };
    refuse("ranks", "0", [](TrainingOptions& options) { options.ranks = 0; });
    refuse("ranks", "65", [](TrainingOptions& options) { options.ranks = 65; });
    refuse("steps", "0", [](TrainingOptions& options) { options.steps = 0; });
    refuse("steps", "10001", [](TrainingOptions& options) { options.steps = 10001; });
    refuse("zero_stage", "4", [](TrainingOptions& options) { options.zero_stage = 4; });
    refuse("momentum", "-1", [](TrainingOptions& options) { options.optimizer.momentum = -1; });
    refuse("seed", "0.5", [](TrainingOptions& options) { options.seed = 0.5; });
    refuse("hidden", "0", [](TrainingOptions& options) { options.shape.hidden = 0; });
    refuse("batches", "a list of 3", [](TrainingOptions& options) { options.batches = {8, 8, 8}; });
    refuse("batches", "0", [](TrainingOptions& options) { options.batches = {8, 8, 8, 0}; });
    refuse("batches", "1025", [](TrainingOptions& options) { options.batches = {8, 8, 8, 1025}; });
    refuse("steps", "10000", [](TrainingOptions& options) {
        options.steps = 10000;
        options.batches = {1024, 1024, 1024, 1024};
    });
    refuse("ranks", "64", [](TrainingOptions& options) {
        options.ranks = 64;
        options.shape = {.inputs = 1024, .hidden = 1024, .outputs = 1024};
    });
    refuse("batches", "65536 rows", [](TrainingOptions& options) {
        options.ranks = 64;
        options.batches.assign(64, 1024);
        options.shape = {.inputs = 1024, .hidden = 1, .outputs = 1};
    });
}
