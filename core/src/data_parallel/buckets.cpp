#include <algorithm>
#include <string>

#include <shardlab/collective_cost.hpp>
#include <shardlab/data_parallel/buckets.hpp>
#include <shardlab/errors.hpp>

namespace shardlab {
namespace {

void require_layers(std::span<const BackwardLayer> layers) {
    constexpr double longest = 1e9;
    require_count("layers", static_cast<double>(layers.size()), 1, most_bucketed_layers);
    double rest = largest_count;
    for (const BackwardLayer& layer : layers) {
        rest -= require_count("layer_bytes", layer.layer_bytes, 0, rest);
        require_between("layer_seconds", layer.layer_seconds, 0, longest);
    }
}

/// The layers' backwards, one after the other from the last.
std::vector<SecondsSpan> backward_of(std::span<const BackwardLayer> layers) {
    std::vector<SecondsSpan> spans(layers.size());
    double now = 0;
    for (std::size_t layer = layers.size(); layer-- > 0;) {
        spans[layer].start_seconds = now;
        now += layers[layer].layer_seconds;
        spans[layer].end_seconds = now;
    }
    return spans;
}

/// Fills buckets from the last layer to the first; none has its communication yet.
std::vector<Bucket> packed(std::span<const BackwardLayer> layers, std::span<const SecondsSpan> backward,
                           const BucketOptions& options) {
    std::vector<Bucket> buckets(layers.size());
    std::size_t begun = 0;
    bool is_full = true;
    for (std::size_t layer = layers.size(); layer-- > 0;) {
        if (layers[layer].layer_bytes == 0) {
            continue;
        }
        if (is_full) {
            buckets[begun++].last_layer = static_cast<int>(layer);
        }
        Bucket& bucket = buckets[begun - 1];
        bucket.bytes += layers[layer].layer_bytes;
        bucket.first_layer = static_cast<int>(layer);
        bucket.ready_seconds = backward[layer].end_seconds;
        is_full = bucket.bytes >= (begun == 1 ? options.first_bucket_bytes : options.bucket_bytes);
    }
    return {buckets.begin(), buckets.begin() + static_cast<std::ptrdiff_t>(begun)};
}

}  // namespace

BucketTimeline gradient_buckets(std::span<const BackwardLayer> layers, const BucketOptions& options) {
    require_layers(layers);
    require_count("bucket_bytes", options.bucket_bytes, 1);
    require_count("first_bucket_bytes", options.first_bucket_bytes, 1);
    const auto seconds = [&](double bytes) {
        return all_reduce_cost(options.ranks, bytes, options.link).seconds.value_or(0);
    };
    seconds(0);  // checks ranks and link, where there is nothing to reduce too

    BucketTimeline timeline;
    timeline.backward = backward_of(layers);
    timeline.buckets = packed(layers, timeline.backward, options);
    timeline.backward_seconds = timeline.backward.front().end_seconds;
    double free_at = 0;
    for (Bucket& bucket : timeline.buckets) {
        const double duration = seconds(bucket.bytes);
        bucket.communication.start_seconds = std::max(free_at, bucket.ready_seconds);
        bucket.communication.end_seconds = bucket.communication.start_seconds + duration;
        free_at = bucket.communication.end_seconds;
        timeline.communication_seconds += duration;
    }
    timeline.exposed_seconds = std::max(0.0, free_at - timeline.backward_seconds);
    timeline.step_seconds = std::max(free_at, timeline.backward_seconds);
    timeline.sequential_seconds = timeline.backward_seconds + timeline.communication_seconds;
    return timeline;
}

}  // namespace shardlab
