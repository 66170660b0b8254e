#include <algorithm>
#include <cmath>
#include <vector>

#include <shardlab/collective_cost.hpp>
#include <shardlab/data_parallel.hpp>

#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

// From the inputs to the outputs. On two ranks an all-reduce of S bytes takes 1 + S seconds over this link.
const std::vector<BackwardLayer> three_layers = {{4, 2}, {6, 3}, {2, 1}};
const Link second_a_byte{.latency_seconds = 0.5, .bytes_per_second = 1};

BucketTimeline three_layers_with(double bucket_bytes, double first_bucket_bytes) {
    return gradient_buckets(
        three_layers,
        {.bucket_bytes = bucket_bytes, .first_bucket_bytes = first_bucket_bytes, .ranks = 2, .link = second_a_byte});
}

void check_span(const SecondsSpan& span, double start, double end) {
    CHECK(span.start_seconds == start);
    CHECK(span.end_seconds == end);
}

std::vector<BackwardLayer> random_layers(Random& random) {
    std::vector<BackwardLayer> layers(static_cast<std::size_t>(random.whole(1, 40)));
    for (BackwardLayer& layer : layers) {
        layer.layer_bytes = random.whole(0, 3) == 0 ? 0 : random.whole(1, 50000000);
        layer.layer_seconds = random.whole(0, 1000) * 1e-5;
    }
    return layers;
}

BucketOptions random_options(Random& random) {
    return {.bucket_bytes = static_cast<double>(random.whole(1, 100000000)),
            .first_bucket_bytes = static_cast<double>(random.whole(1, 10000000)),
            .ranks = random.whole(1, 64),
            .link = {.latency_seconds = random.whole(0, 100) * 1e-6, .bytes_per_second = random.whole(1, 100) * 1e9}};
}

void check_packing(const std::vector<BackwardLayer>& layers, const BucketOptions& options,
                   const BucketTimeline& timeline) {
    double bytes = 0;
    for (const BackwardLayer& layer : layers) {
        bytes += layer.layer_bytes;
    }
    int next = static_cast<int>(layers.size());
    for (std::size_t i = 0; i < timeline.buckets.size(); ++i) {
        const Bucket& bucket = timeline.buckets[i];
        const double full = i == 0 ? options.first_bucket_bytes : options.bucket_bytes;
        const double last_joined = layers[static_cast<std::size_t>(bucket.first_layer)].layer_bytes;
        REQUIRE(bucket.last_layer < next);
        REQUIRE(bucket.first_layer <= bucket.last_layer);
        REQUIRE(last_joined > 0);
        REQUIRE(bucket.bytes - last_joined < full);
        REQUIRE((bucket.bytes >= full || i + 1 == timeline.buckets.size()));
        REQUIRE(bucket.ready_seconds == timeline.backward[static_cast<std::size_t>(bucket.first_layer)].end_seconds);
        next = bucket.first_layer;
        bytes -= bucket.bytes;
    }
    REQUIRE(bytes == 0);
}

void check_times(const BucketTimeline& timeline, const BucketOptions& options) {
    double free_at = 0;
    for (const Bucket& bucket : timeline.buckets) {
        const double duration = *all_reduce_cost(options.ranks, bucket.bytes, options.link).seconds;
        REQUIRE(bucket.communication.start_seconds == std::max(free_at, bucket.ready_seconds));
        REQUIRE(bucket.communication.end_seconds == bucket.communication.start_seconds + duration);
        free_at = bucket.communication.end_seconds;
    }
    REQUIRE(timeline.step_seconds == std::max(free_at, timeline.backward_seconds));
    REQUIRE(timeline.step_seconds >= std::max(timeline.backward_seconds, timeline.communication_seconds));
    REQUIRE(timeline.step_seconds <= timeline.sequential_seconds * (1 + 1e-12));
    REQUIRE(timeline.exposed_seconds <= timeline.communication_seconds * (1 + 1e-12) + 1e-15);
    REQUIRE(timeline.step_seconds == Approx(timeline.backward_seconds + timeline.exposed_seconds).epsilon(1e-12));
}

}  // namespace

TEST_CASE("buckets: the first leaves early, the second has what is left, by hand", "[data-parallel]") {
    const BucketTimeline timeline = three_layers_with(8, 1);
    check_span(timeline.backward[2], 0, 1);
    check_span(timeline.backward[1], 1, 4);
    check_span(timeline.backward[0], 4, 6);
    REQUIRE(timeline.buckets.size() == 2);
    CHECK(timeline.buckets[0].bytes == 2);
    CHECK(timeline.buckets[0].ready_seconds == 1);
    check_span(timeline.buckets[0].communication, 1, 4);
    CHECK(timeline.buckets[1].bytes == 10);
    CHECK(timeline.buckets[1].first_layer == 0);
    CHECK(timeline.buckets[1].last_layer == 1);
    check_span(timeline.buckets[1].communication, 6, 17);
    CHECK(timeline.backward_seconds == 6);
    CHECK(timeline.communication_seconds == 14);
    CHECK(timeline.exposed_seconds == 11);
    CHECK(timeline.step_seconds == 17);
    CHECK(timeline.sequential_seconds == 20);
}

TEST_CASE("buckets: a bucket is closed at its size, and waits for the all-reduce before it", "[data-parallel]") {
    const BucketTimeline timeline = three_layers_with(6, 2);
    REQUIRE(timeline.buckets.size() == 3);
    check_span(timeline.buckets[0].communication, 1, 4);
    check_span(timeline.buckets[1].communication, 4, 11);
    CHECK(timeline.buckets[2].ready_seconds == 6);
    check_span(timeline.buckets[2].communication, 11, 16);
    CHECK(timeline.exposed_seconds == 10);
    CHECK(timeline.step_seconds == 16);
    CHECK(timeline.sequential_seconds == 21);
}

TEST_CASE("buckets: one that holds all gradients hides nothing", "[data-parallel]") {
    const BucketTimeline timeline = three_layers_with(1, 100);
    REQUIRE(timeline.buckets.size() == 1);
    check_span(timeline.buckets[0].communication, 6, 19);
    CHECK(timeline.exposed_seconds == 13);
    CHECK(timeline.step_seconds == timeline.sequential_seconds);
}

TEST_CASE("buckets: no layer with gradients, and one rank alone, have nothing to expose", "[data-parallel]") {
    const std::vector<BackwardLayer> without = {{0, 1}, {0, 2}};
    const BucketTimeline nothing = gradient_buckets(without, {.ranks = 4, .link = second_a_byte});
    CHECK(nothing.buckets.empty());
    CHECK(nothing.step_seconds == 3);
    const BucketTimeline alone = gradient_buckets(three_layers, {.ranks = 1, .link = second_a_byte});
    CHECK(alone.buckets.size() == 1);
    CHECK(alone.exposed_seconds == 0);
    CHECK(alone.step_seconds == 6);
}

TEST_CASE("buckets: layers without gradients delay no bucket that is complete", "[data-parallel]") {
    const std::vector<BackwardLayer> layers = {{0, 5}, {4, 2}, {0, 3}, {2, 1}};
    const BucketTimeline timeline = gradient_buckets(layers, {.ranks = 2, .link = second_a_byte});
    REQUIRE(timeline.buckets.size() == 1);
    CHECK(timeline.buckets[0].first_layer == 1);
    CHECK(timeline.buckets[0].last_layer == 3);
    CHECK(timeline.buckets[0].ready_seconds == 6);
    CHECK(timeline.backward_seconds == 11);
    CHECK(timeline.exposed_seconds == 2);
}

TEST_CASE("buckets: any layers are packed in order and whole, and communicate one after the other", "[data-parallel]") {
    Random random(41);
    for (int trial = 0; trial < 500; ++trial) {
        const std::vector<BackwardLayer> layers = random_layers(random);
        const BucketOptions options = random_options(random);
        const BucketTimeline timeline = gradient_buckets(layers, options);
        check_packing(layers, options, timeline);
        check_times(timeline, options);
    }
}

TEST_CASE("buckets: what does not exist is refused by name", "[data-parallel]") {
    const BucketOptions options{.ranks = 2, .link = second_a_byte};
    const auto refuse = [&](const char* parameter, const char* value, const std::vector<BackwardLayer>& layers,
                            const BucketOptions& given) {
        require_refused(parameter, value, [&] { gradient_buckets(layers, given); });
    };
    refuse("layers", "0", {}, options);
    refuse("layer_bytes", "0.5", {{0.5, 1}}, options);
    refuse("layer_bytes", "1", {{largest_count, 1}, {1, 1}}, options);
    refuse("layer_seconds", "-1", {{1, -1}}, options);
    refuse("layer_seconds", "nan", {{1, std::nan("")}}, options);
    refuse("bucket_bytes", "0", three_layers, {.bucket_bytes = 0, .ranks = 2, .link = second_a_byte});
    refuse("first_bucket_bytes", "0", three_layers, {.first_bucket_bytes = 0, .ranks = 2, .link = second_a_byte});
    refuse("ranks", "0", three_layers, {.ranks = 0, .link = second_a_byte});
    refuse("bytes_per_second", "0", {{0, 1}}, {.ranks = 2, .link = {.latency_seconds = 0, .bytes_per_second = 0}});
}
