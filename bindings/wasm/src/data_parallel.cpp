#include <string>
#include <vector>

#include <shardlab/data_parallel.hpp>
#include <shardlab/errors.hpp>

#include "convert.hpp"
#include "routines.hpp"

namespace shardlab::wasm {
namespace {

/// A field of every item, as a typed array.
template <typename Item, typename Field>
val column(const std::vector<Item>& items, Field Item::*field) {
    std::vector<Field> values(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        values[i] = items[i].*field;
    }
    return copied(values);
}

TrainingOptions training_asked_for(const val& options) {
    TrainingOptions asked;
    asked.ranks = integer(options, "ranks", 1, most_training_ranks);
    asked.steps = integer(options, "steps", 1, most_training_steps);
    asked.zero_stage = integer(options, "zeroStage", 0, 3);
    asked.optimizer = {.kind = optimizer_from_name(text(options, "optimizer")),
                       .learning_rate = number(options, "learningRate"),
                       .momentum = number(options, "momentum")};
    for (const double rows : optional_numbers(options, "batches")) {
        asked.batches.push_back(require_int("batches", rows, 1, most_batch_rows));
    }
    asked.weighted = flag(options, "weighted");
    if (const std::optional<std::string> fault = optional_text(options, "fault")) {
        asked.fault = training_fault_from_text(*fault);
    }
    asked.seed = number(options, "seed");
    return asked;
}

val plain_held(const std::vector<HeldElements>& held) {
    val object = val::object();
    object.set("parameterElements", column(held, &HeldElements::parameter_elements));
    object.set("gradientElements", column(held, &HeldElements::gradient_elements));
    object.set("optimizerElements", column(held, &HeldElements::optimizer_elements));
    return object;
}

val plain_spans(const std::vector<SecondsSpan>& spans) {
    val object = val::object();
    object.set("startSeconds", column(spans, &SecondsSpan::start_seconds));
    object.set("endSeconds", column(spans, &SecondsSpan::end_seconds));
    return object;
}

val plain_buckets(const std::vector<Bucket>& buckets) {
    std::vector<SecondsSpan> communication(buckets.size());
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        communication[i] = buckets[i].communication;
    }
    val object = plain_spans(communication);
    object.set("bytes", column(buckets, &Bucket::bytes));
    object.set("firstLayer", column(buckets, &Bucket::first_layer));
    object.set("lastLayer", column(buckets, &Bucket::last_layer));
    object.set("readySeconds", column(buckets, &Bucket::ready_seconds));
    return object;
}

/// A row a layer: bytes, seconds.
std::vector<BackwardLayer> layers_asked_for(const val& options) {
    const Matrix rows = matrix(options, "layers");
    if (rows.shape(1) != 2) {
        throw invalid_argument("layers", number_text(static_cast<double>(rows.shape(1))) + " in a row",
                               "have two numbers in each row, bytes and seconds");
    }
    std::vector<BackwardLayer> layers(rows.shape(0));
    for (std::size_t i = 0; i < layers.size(); ++i) {
        layers[i] = {.layer_bytes = rows(i, 0), .layer_seconds = rows(i, 1)};
    }
    return layers;
}

/// The core names the two numbers of a layer; here they stand in one option.
BucketTimeline timeline_of(const std::vector<BackwardLayer>& layers, const BucketOptions& asked) {
    try {
        return shardlab::gradient_buckets(layers, asked);
    } catch (const invalid_argument& error) {
        const bool of_layer = error.parameter() == "layer_bytes" || error.parameter() == "layer_seconds";
        throw invalid_argument(of_layer ? "layers" : error.parameter(), error.value(), error.rule());
    }
}

}  // namespace

val data_parallel_train(const val& options) {
    const TrainingOptions asked = training_asked_for(options);
    const TrainingRun training = train_data_parallel(asked);

    val result = val::object();
    result.set("lossesSerial", copied(training.losses_serial));
    result.set("lossesParallel", copied(training.losses_parallel));
    result.set("maxWeightDifference", training.max_weight_difference());
    result.set("maxRelativeWeightDifference", training.max_relative_weight_difference);
    result.set("maxWeightDifferences", copied(training.max_weight_differences));
    result.set("maxReplicaDifference", training.max_replica_difference());
    result.set("maxReplicaDifferences", copied(training.max_replica_differences));
    result.set("bytesSentPerRankPerStep", copied(training.bytes_sent_per_rank_per_step));
    result.set("held", plain_held(training.held));
    result.set("consequence", asked.fault ? val(consequence(asked.fault->kind)) : val::null());
    return result;
}

val gradient_buckets(const val& options) {
    const std::vector<BackwardLayer> layers = layers_asked_for(options);
    const BucketTimeline timeline =
        timeline_of(layers, {.bucket_bytes = number(options, "bucketBytes"),
                             .first_bucket_bytes = number(options, "firstBucketBytes"),
                             .ranks = integer(options, "ranks", 1),
                             .link = {.latency_seconds = number(options, "latencySeconds"),
                                      .bytes_per_second = number(options, "bytesPerSecond")}});

    val result = val::object();
    result.set("buckets", plain_buckets(timeline.buckets));
    result.set("backward", plain_spans(timeline.backward));
    result.set("backwardSeconds", timeline.backward_seconds);
    result.set("communicationSeconds", timeline.communication_seconds);
    result.set("exposedSeconds", timeline.exposed_seconds);
    result.set("stepSeconds", timeline.step_seconds);
    result.set("sequentialSeconds", timeline.sequential_seconds);
    return result;
}

}  // namespace shardlab::wasm
