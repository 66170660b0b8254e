#include <vector>

#include <nlohmann/json.hpp>

#include <shardlab/data_parallel.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "numbers.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add_with_default("ranks", "N", "4", "data-parallel ranks");
    options.add_with_default("steps", "N", "100", "steps of the training");
    options.add_with_default("optimizer", "sgd|adam", "sgd", "what makes steps of gradients");
    options.add_with_default("learning_rate", "RATE", "0.05", "of the optimizer");
    options.add_with_default("momentum", "MU", "0", "of sgd");
    options.add_with_default("zero_stage", "0..3", "0",
                             "which states are sharded: none, optimizer, gradients too, parameters too");
    options.add("batches", "N,N,...", "rows of each rank's batch; 8 each where left out");
    options.add_flag("weighted", "weigh the ranks' gradients by their rows");
    options.add("fault", "FAULT", "drop:R, double:R or miss-gather:R:STEP; ranks and steps count from 0");
    options.add_with_default("seed", "N", "0", "of the task that is learned");
}

std::vector<int> batches_asked_for(const Options& options) {
    std::vector<int> batches;
    if (options.given("batches")) {
        for (const double rows : options.counts("batches")) {
            batches.push_back(require_int("batches", rows, 1, most_batch_rows));
        }
    }
    return batches;
}

TrainingOptions training_asked_for(const Options& options) {
    TrainingOptions asked;
    asked.ranks = options.whole("ranks", 1, most_training_ranks);
    asked.steps = options.whole("steps", 1, most_training_steps);
    asked.zero_stage = options.whole("zero_stage", 0, 3);
    asked.optimizer = {.kind = optimizer_from_name(options.text("optimizer")),
                       .learning_rate = options.number("learning_rate"),
                       .momentum = options.number("momentum")};
    asked.batches = batches_asked_for(options);
    asked.weighted = options.given("weighted");
    if (options.given("fault")) {
        asked.fault = training_fault_from_text(options.text("fault"));
    }
    asked.seed = options.count("seed");
    return asked;
}

void run(const Options& options, std::ostream& out) {
    const TrainingOptions asked = training_asked_for(options);
    const TrainingRun training = train_data_parallel(asked);

    Answer answer(out);
    answer.add_list("losses_serial", training.losses_serial);
    answer.add_list("losses_parallel", training.losses_parallel);
    answer.add("max_weight_difference", training.max_weight_difference());
    answer.add("max_relative_weight_difference", training.max_relative_weight_difference);
    answer.add_list("max_weight_differences", training.max_weight_differences);
    answer.add("max_replica_difference", training.max_replica_difference());
    answer.add_list("max_replica_differences", training.max_replica_differences);
    answer.add_list("bytes_sent_per_rank_per_step", training.bytes_sent_per_rank_per_step);
    answer.add_records("held", training.held.size(), [&](std::size_t rank) {
        const HeldElements& held = training.held[rank];
        return nlohmann::ordered_json{{"parameter_elements", json_number(held.parameter_elements)},
                                      {"gradient_elements", json_number(held.gradient_elements)},
                                      {"optimizer_elements", json_number(held.optimizer_elements)}};
    });
    if (asked.fault) {
        answer.add_text("consequence", consequence(asked.fault->kind));
    }
    answer.close();
}

}  // namespace

const Command data_parallel_train_command = {
    .name = "data-parallel-train",
    .summary = "Train a small model serially and on data-parallel ranks, under any ZeRO stage, and compare",
    .example = "shardlab data-parallel-train --ranks 4 --steps 50 --optimizer adam --zero-stage 3",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
