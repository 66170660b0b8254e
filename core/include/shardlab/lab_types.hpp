#pragma once

/// @file
/// What the functions of the exercise take and give, in types that need nothing but the standard library.
///
/// A header of its own, so that a student's functions in another namespace can call each other by their plain names:
/// if the reference solution's declarations were visible too, each such call would be ambiguous.

#include <vector>

namespace shardlab::lab {

/// A tensor of shape (elements).
using Tensor = std::vector<double>;
/// A tensor for each rank: shape (ranks, elements).
using Buffers = std::vector<Tensor>;
/// A matrix as a list of rows: shape (rows, columns).
using Rows = std::vector<std::vector<double>>;

/// What a ring all-reduce leaves and costs.
struct RingAllReduce {
    Buffers buffers;                          ///< the sum, for every rank
    int steps = 0;                            ///< steps one after the other
    std::vector<double> bytes_sent_per_rank;  ///< for each rank, at 8 bytes an element
};

/// What a collective costs by its closed form.
struct Cost {
    int steps = 0;                   ///< steps one after the other
    double bytes_sent_per_rank = 0;  ///< of the busiest rank
    double seconds = 0;              ///< 0 where no latency and no bandwidth was given
};

/// Which way a weight matrix is split; Megatron's words for Y = X·A with W = Aᵀ.
enum class Split {
    column,  ///< the outputs are split
    row,     ///< the inputs are split, and the partial sums added
};

/// An operation of a pipeline stage: forward (`backward` false) or backward of a micro-batch.
struct PipelineOperation {
    bool backward = false;  ///< false is a forward
    int micro_batch = 0;    ///< from 0

    /// The same work on the same micro-batch.
    bool operator==(const PipelineOperation&) const = default;
};

/// A one-forward-one-backward schedule.
struct PipelineSchedule {
    std::vector<std::vector<PipelineOperation>> operations;  ///< for each stage, in order
    int steps = 0;                                           ///< makespan if every operation takes one step
    std::vector<int> peak_in_flight;                         ///< for each stage
};

/// Bytes of one rank's training states.
struct ZeroMemory {
    double parameter_bytes = 0;  ///< 16-bit weights
    double gradient_bytes = 0;   ///< 16-bit gradients
    double optimizer_bytes = 0;  ///< 32-bit weights, momentum and variance
    double total_bytes = 0;      ///< the sum
};

/// Output and input gradient of a sharded MLP, and the all-reduces that they took.
struct Mlp {
    Rows output;                   ///< shape (out, batch)
    Rows input_gradient;           ///< shape (in, batch)
    int forward_all_reduces = 0;   ///< all-reduces that the forward took
    int backward_all_reduces = 0;  ///< all-reduces that the backward took
};

/// Which activations are computed again in the backward pass.
enum class Recomputation {
    none,       ///< everything is kept
    selective,  ///< the attention scores are computed again
    full,       ///< only the layer's input is kept
};

}  // namespace shardlab::lab
