#pragma once

/// @file
/// Gradient buckets: all-reduces that begin while the backward is still under way.

#include <span>
#include <vector>

#include <shardlab/hardware.hpp>

namespace shardlab {

/// Most layers that a backward is cut into.
inline constexpr double most_bucketed_layers = 65536;

/// One layer in the backward.
struct BackwardLayer {
    double layer_bytes = 0;    ///< of the gradients of all of its parameters, a count
    double layer_seconds = 0;  ///< what its backward takes, 0 to 1e9
};

/// How gradients are packed, and what carries them.
struct BucketOptions {
    double bucket_bytes = 26214400;       ///< a bucket is full at this size, at least 1; PyTorch's bucket_cap_mb is 25
    double first_bucket_bytes = 1048576;  ///< the same of the first bucket, which is to leave early; PyTorch has 1 MiB
    int ranks = 1;                        ///< of the all-reduce, at least 1
    Link link;                            ///< of the ring
};

/// When something ran.
struct SecondsSpan {
    double start_seconds = 0;  ///< after the backward began
    double end_seconds = 0;    ///< the same
};

/// Gradients that are reduced together.
struct Bucket {
    double bytes = 0;           ///< of all gradients in it
    int first_layer = 0;        ///< the layer nearest the inputs, whose gradient comes last
    int last_layer = 0;         ///< the layer nearest the outputs
    double ready_seconds = 0;   ///< when its last gradient is there
    SecondsSpan communication;  ///< its all-reduce
};

/// A backward and its all-reduces in time.
struct BucketTimeline {
    std::vector<SecondsSpan> backward;  ///< of each layer, in the order of the layers
    std::vector<Bucket> buckets;        ///< in the order in which they leave
    double backward_seconds = 0;        ///< end of the backward
    double communication_seconds = 0;   ///< of all all-reduces together
    double exposed_seconds = 0;         ///< communication after the end of the backward, which nothing hides
    double step_seconds = 0;            ///< end of both
    double sequential_seconds = 0;      ///< the same if the first all-reduce waited for the end of the backward
};

/// Packs gradients into buckets as PyTorch's DistributedDataParallel does, and runs them over a ring.
///
/// The backward goes from the last layer to the first, and so do the buckets: a layer's gradient joins the bucket at
/// hand, which is closed as soon as it has its bytes or more; a layer is never split, and what is left is the last
/// bucket. A bucket may leave when its last gradient is there and the all-reduce before it has ended: one runs at a
/// time. They take nothing from the backward's speed. Layers without gradients take time alone.
/// Source: Li et al., "PyTorch Distributed", arXiv:2006.15704, section 3.2, and compute_bucket_assignment_by_size()
/// of PyTorch's torch/csrc/distributed/c10d/reducer.cpp; the ring's time is all_reduce_cost()'s.
/// @param layers in the order of the forward, 1 to most_bucketed_layers, of 2^53 bytes at most in all
/// @throws invalid_argument naming layers, layer_bytes, layer_seconds, bucket_bytes, first_bucket_bytes, ranks,
///         latency_seconds or bytes_per_second
BucketTimeline gradient_buckets(std::span<const BackwardLayer> layers, const BucketOptions& options);

}  // namespace shardlab
