#include <vector>

#include <nlohmann/json.hpp>

#include <shardlab/csv.hpp>
#include <shardlab/data_parallel/buckets.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "files.hpp"
#include "link_options.hpp"
#include "numbers.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add("layers", "FILE", "a row for each layer, in the order of the forward: bytes of gradients, seconds");
    options.add("layer_bytes", "BYTES,...", "in place of the file: bytes of each layer's gradients");
    options.add("layer_seconds", "SECONDS,...", "in place of the file: what each layer's backward takes");
    options.add_with_default("bucket_bytes", "BYTES", "26214400", "size at which a bucket is full");
    options.add_with_default("first_bucket_bytes", "BYTES", "1048576", "size at which the first one is");
    options.add("ranks", "N", "world size");
    declare_link(options);
}

std::vector<BackwardLayer> layers_in_file(const Options& options) {
    constexpr std::size_t largest_file = std::size_t{1} << 24U;
    const Matrix rows = matrix_from_csv(file_text(options, "layers", largest_file), "layers");
    if (rows.shape(1) != 2) {
        throw invalid_argument("layers", number_text(static_cast<double>(rows.shape(1))) + " columns",
                               "have two columns, bytes and seconds");
    }
    std::vector<BackwardLayer> layers;
    for (std::size_t i = 0; i < rows.shape(0); ++i) {
        layers.push_back({.layer_bytes = rows(i, 0), .layer_seconds = rows(i, 1)});
    }
    return layers;
}

std::vector<BackwardLayer> layers_in_lists(const Options& options) {
    const std::vector<double> bytes = options.counts("layer_bytes");
    const std::vector<double> seconds = options.numbers("layer_seconds");
    if (bytes.size() != seconds.size()) {
        throw invalid_argument("layer_seconds", "a list of " + std::to_string(seconds.size()),
                               "have as many numbers as --layer-bytes, which are " + std::to_string(bytes.size()));
    }
    std::vector<BackwardLayer> layers;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        layers.push_back({.layer_bytes = bytes[i], .layer_seconds = seconds[i]});
    }
    return layers;
}

BucketTimeline timeline_asked_for(const Options& options) {
    const bool has_file = options.given("layers");
    if (has_file && (options.given("layer_bytes") || options.given("layer_seconds"))) {
        throw invalid_argument("layers", "given with a list", "stand alone, since the file gives bytes and seconds");
    }
    const BucketOptions asked{.bucket_bytes = options.count("bucket_bytes"),
                              .first_bucket_bytes = options.count("first_bucket_bytes"),
                              .ranks = options.whole("ranks", 1),
                              .link = required_link(options)};
    return gradient_buckets(has_file ? layers_in_file(options) : layers_in_lists(options), asked);
}

void run(const Options& options, std::ostream& out) {
    const BucketTimeline timeline = timeline_asked_for(options);

    Answer answer(out);
    answer.add_records("buckets", timeline.buckets.size(), [&](std::size_t index) {
        const Bucket& bucket = timeline.buckets[index];
        return nlohmann::ordered_json{{"bytes", json_number(bucket.bytes)},
                                      {"first_layer", bucket.first_layer},
                                      {"last_layer", bucket.last_layer},
                                      {"ready_seconds", json_number(bucket.ready_seconds)},
                                      {"start_seconds", json_number(bucket.communication.start_seconds)},
                                      {"end_seconds", json_number(bucket.communication.end_seconds)}};
    });
    answer.add_records("backward", timeline.backward.size(), [&](std::size_t layer) {
        return nlohmann::ordered_json{{"layer", layer},
                                      {"start_seconds", json_number(timeline.backward[layer].start_seconds)},
                                      {"end_seconds", json_number(timeline.backward[layer].end_seconds)}};
    });
    answer.add("backward_seconds", timeline.backward_seconds);
    answer.add("communication_seconds", timeline.communication_seconds);
    answer.add("exposed_seconds", timeline.exposed_seconds);
    answer.add("step_seconds", timeline.step_seconds);
    answer.add("sequential_seconds", timeline.sequential_seconds);
    answer.close();
}

}  // namespace

const Command gradient_buckets_command = {
    .name = "gradient-buckets",
    .summary = "Overlap the all-reduces of gradient buckets with the backward, as DDP does",
    .example =
        "shardlab gradient-buckets --layer-bytes 40e6,40e6,4e6 --layer-seconds 2e-3,2e-3,1e-3 --ranks 8 "
        "--latency-seconds 5e-6 --bytes-per-second 50e9",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
