#pragma once

/// @file
/// The formulas of Korthikanti et al. for what a layer keeps for its backward pass.

#include <shardlab/activations/recomputation.hpp>

namespace shardlab {

/// What decides the activations of a layer: 16-bit, GELU, dropout, the full score matrix.
struct ActivationShape {
    int sequence = 0;                ///< s
    int micro_batch = 0;             ///< sequences in a micro-batch, b
    int hidden = 0;                  ///< h
    int heads = 0;                   ///< a; a multiple of tp
    int tp = 1;                      ///< tensor-parallel ranks, t
    bool sequence_parallel = false;  ///< LayerNorm and dropout sharded over the tensor-parallel ranks too
    Recomputation recompute = Recomputation::none;  ///< what is thrown away and computed again
};

/// Bytes of one layer's activations on one rank, for one micro-batch.
///
/// none: sbh(10 + 24/t + 5as/(ht)), with sequence parallelism sbh/t·(34 + 5as/h); selective drops the 5as/h;
/// full keeps 2sbh, the layer's whole input, in either case, as the table prints it: layer_activations() counts a
/// rank's part of it under sequence parallelism, which is what Megatron-LM keeps. Source: Korthikanti et al.,
/// arXiv:2205.05198, equations 2 to 6 and table 2.
/// @throws invalid_argument naming the field: every size at least 1, heads a multiple of tp
double activation_memory_bytes(const ActivationShape& shape);

/// Bytes of the activations that one stage of a pipeline holds at its peak.
/// @param layers layers of the stage, at least 1
/// @param in_flight micro-batches whose backward is still to come, at least 1: PipelineTimeline::peak_in_flight
/// @throws invalid_argument naming layers, in_flight or a field of the shape
double activation_memory_bytes(const ActivationShape& shape, int layers, int in_flight);

}  // namespace shardlab
