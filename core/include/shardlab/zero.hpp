#pragma once

/// @file
/// ZeRO: which of the training states each data-parallel rank holds.

namespace shardlab {

/// Bytes of one rank's states under mixed-precision Adam.
struct ZeroMemory {
    double parameter_bytes = 0;  ///< 16-bit weights: 2 bytes a parameter, sharded at stage 3
    double gradient_bytes = 0;   ///< 16-bit gradients: 2 bytes a parameter, sharded from stage 2
    double optimizer_bytes = 0;  ///< fp32 weights, momentum and variance: 12 bytes a parameter, sharded from stage 1
    double total_bytes = 0;      ///< the sum
};

/// Memory of the states on each of R ranks with N parameters: 16N at stage 0, (4+12/R)N at 1, (2+14/R)N at 2 and
/// 16N/R at 3.
///
/// An even share: padding of a shard to whole elements is not counted, nor are activations, buffers or the layer that
/// stage 3 has gathered.
/// Source: Rajbhandari et al., "ZeRO", arXiv:1910.02054, section 5 and table 1 (K = 12).
/// @param params parameters of the model, a count of at least 1
/// @param ranks data-parallel ranks, at least 1
/// @param zero_stage 0 to 3
/// @throws invalid_argument naming params, ranks or zero_stage
ZeroMemory zero_memory_per_gpu(double params, int ranks, int zero_stage);

}  // namespace shardlab
