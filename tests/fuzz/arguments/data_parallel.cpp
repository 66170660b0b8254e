// Data-parallel training and gradient buckets.

#include <algorithm>
#include <string>
#include <vector>

#include <shardlab/data_parallel.hpp>

#include "functions.hpp"

namespace fuzz {
namespace {

using shardlab::BackwardLayer;
using shardlab::BucketTimeline;
using shardlab::MlpShape;
using shardlab::TrainingOptions;
using shardlab::TrainingRun;

/// Mostly small and legal, now and then any number.
int mostly_within(Arguments& arguments, int least, int most) {
    return arguments.within(0, 15) == 0 ? arguments.whole() : arguments.within(least, most);
}

MlpShape some_shape(Arguments& arguments) {
    return {.inputs = mostly_within(arguments, 1, 4),
            .hidden = mostly_within(arguments, 1, 4),
            .outputs = mostly_within(arguments, 1, 3)};
}

TrainingOptions some_training(Arguments& arguments) {
    TrainingOptions options;
    options.ranks = mostly_within(arguments, 1, 6);
    options.steps = mostly_within(arguments, 1, 4);
    options.zero_stage = mostly_within(arguments, 0, 3);
    options.optimizer = {.kind = static_cast<shardlab::OptimizerKind>(arguments.within(0, 1)),
                         .learning_rate = arguments.number(),
                         .momentum = arguments.flag() ? 0 : arguments.number()};
    options.weighted = arguments.flag();
    options.seed = arguments.flag() ? 0 : arguments.number();
    options.shape = some_shape(arguments);
    if (arguments.flag()) {
        options.fault =
            shardlab::TrainingFault{.kind = static_cast<shardlab::TrainingFaultKind>(arguments.within(0, 2)),
                                    .rank = mostly_within(arguments, 0, 5),
                                    .step = mostly_within(arguments, 0, 3)};
    }
    for (int batches = arguments.flag() ? std::clamp(options.ranks, 0, 8) : 0; batches > 0; --batches) {
        options.batches.push_back(mostly_within(arguments, 1, 5));
    }
    return options;
}

/// Whether a training may be legal, but takes long.
bool takes_long(const TrainingOptions& options) {
    constexpr int few = 64;
    const auto is_large = [](int value, int most) { return value > few && value <= most; };
    return is_large(options.steps, shardlab::most_training_steps) ||
           is_large(options.shape.inputs, shardlab::most_mlp_width) ||
           is_large(options.shape.hidden, shardlab::most_mlp_width) ||
           is_large(options.shape.outputs, shardlab::most_mlp_width);
}

void require_run(const TrainingOptions& options, const TrainingRun& run) {
    const auto steps = static_cast<std::size_t>(options.steps);
    require(run.losses_serial.size() == steps && run.losses_parallel.size() == steps, "a loss for each step");
    require(run.held.size() == static_cast<std::size_t>(options.ranks), "what each rank keeps");
    for (const std::vector<double>* numbers : {&run.losses_serial, &run.losses_parallel, &run.max_weight_differences,
                                               &run.max_replica_differences, &run.bytes_sent_per_rank_per_step}) {
        require_finite(*numbers);
        require(std::all_of(numbers->begin(), numbers->end(), [](double number) { return number >= 0; }),
                "losses, differences and bytes are no less than none");
    }
    require_finite({run.max_relative_weight_difference});
    require(options.fault || run.max_replica_difference() == 0, "replicas agree where nothing goes wrong");
}

void model(Arguments& arguments) {
    const MlpShape shape = some_shape(arguments);
    std::vector<double> parameters = arguments.numbers(40);
    const auto needed = attempt({"inputs", "hidden", "outputs"}, [&] { return shardlab::mlp_parameters(shape); });
    constexpr std::size_t few = 64;
    if (needed && *needed <= few && arguments.flag()) {
        parameters.resize(*needed, 0.5);
    }
    const int rows = arguments.within(0, 4);
    const shardlab::Matrix inputs = arguments.any_matrix(rows, std::clamp(shape.inputs, 0, 4));
    const shardlab::Matrix targets = arguments.any_matrix(rows, std::clamp(shape.outputs, 0, 4));
    const auto forward = attempt({"inputs", "hidden", "outputs", "parameters"},
                                 [&] { return shardlab::mlp_forward(shape, parameters, inputs); });
    if (!forward) {
        return;
    }
    require_finite(shardlab::elements(forward->outputs));
    const auto loss =
        attempt({"outputs", "targets"}, [&] { return shardlab::mean_squared_loss(forward->outputs, targets); });
    const auto gradient = attempt({"outputs", "targets"},
                                  [&] { return shardlab::mlp_backward(shape, parameters, inputs, *forward, targets); });
    require(loss.has_value() == gradient.has_value(), "a loss has a gradient");
    if (gradient) {
        require_finite({*loss});
        require_finite(*gradient);
    }
}

void optimizer(Arguments& arguments) {
    attempt({"optimizer"}, [&] { return shardlab::optimizer_from_name(arguments.text({"sgd", "adam"})); });
    std::vector<double> parameters = arguments.numbers(5);
    const std::vector<double> gradients = arguments.numbers(5);
    accepts({"learning_rate", "momentum", "parameters", "gradients"}, [&] {
        shardlab::Optimizer stepped({.kind = static_cast<shardlab::OptimizerKind>(arguments.within(0, 1)),
                                     .learning_rate = arguments.number(),
                                     .momentum = arguments.number()},
                                    parameters.size());
        stepped.step(parameters, gradients);
        stepped.step(parameters, gradients);
        require_finite(parameters);
    });
}

void require_timeline(const BucketTimeline& timeline) {
    require_finite({timeline.backward_seconds, timeline.communication_seconds, timeline.exposed_seconds,
                    timeline.step_seconds, timeline.sequential_seconds});
    double free_at = 0;
    for (const shardlab::Bucket& bucket : timeline.buckets) {
        require(bucket.bytes > 0 && bucket.first_layer <= bucket.last_layer, "a bucket holds gradients");
        require(bucket.communication.start_seconds >= std::max(free_at, bucket.ready_seconds),
                "an all-reduce waits for its gradients and the one before it");
        free_at = bucket.communication.end_seconds;
    }
    require(timeline.step_seconds >= std::max(timeline.backward_seconds, timeline.communication_seconds),
            "a step takes what its backward and its communication take");
}

}  // namespace

void data_parallel_train(Arguments& arguments) {
    switch (arguments.within(0, 3)) {
        case 0:
            return model(arguments);
        case 1:
            return optimizer(arguments);
        default:
            break;
    }
    const std::string text = arguments.text({"drop:", "double:", "miss-gather:", "1", "0", ":"});
    attempt({"fault"}, [&] { return shardlab::training_fault_from_text(text); });
    const TrainingOptions options = some_training(arguments);
    if (takes_long(options)) {
        return;
    }
    const auto run = attempt({"ranks", "steps", "zero_stage", "learning_rate", "momentum", "batches", "fault", "seed",
                              "inputs", "hidden", "outputs"},
                             [&] { return shardlab::train_data_parallel(options); });
    if (run) {
        require_run(options, *run);
    }
}

void gradient_buckets(Arguments& arguments) {
    std::vector<BackwardLayer> layers(static_cast<std::size_t>(arguments.within(0, 6)));
    for (BackwardLayer& layer : layers) {
        layer = {.layer_bytes = arguments.number(), .layer_seconds = arguments.number()};
    }
    const shardlab::BucketOptions options{
        .bucket_bytes = arguments.number(),
        .first_bucket_bytes = arguments.number(),
        .ranks = arguments.whole(),
        .link = {.latency_seconds = arguments.number(), .bytes_per_second = arguments.number()}};
    const auto timeline = attempt({"layers", "layer_bytes", "layer_seconds", "bucket_bytes", "first_bucket_bytes",
                                   "ranks", "latency_seconds", "bytes_per_second"},
                                  [&] { return shardlab::gradient_buckets(layers, options); });
    if (timeline) {
        require_timeline(*timeline);
    }
}

}  // namespace fuzz
