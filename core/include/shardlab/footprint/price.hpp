#pragma once

/// @file
/// What a layout costs beside memory.

#include <shardlab/footprint/footprint.hpp>

namespace shardlab {

/// What a step of training costs on a rank of the stage with most layers.
struct StepCost {
    double ranks = 0;             ///< cards
    double tensor_bytes = 0;      ///< sent for tensor parallelism
    double context_bytes = 0;     ///< keys, values and their gradients, sent for context parallelism
    double expert_bytes = 0;      ///< tokens sent to experts and back
    double pipeline_bytes = 0;    ///< activations and gradients sent to neighbouring stages
    double data_bytes = 0;        ///< gradients, and weights that ZeRO shards
    double recomputed_flops = 0;  ///< done once more
    double bubble_of_total = 0;   ///< part of the step that stages wait, 0 to 1
    double product_flops = 0;     ///< of one matrix product of an MLP: smaller ones use a card less well

    /// All that is sent.
    double sent_bytes() const { return tensor_bytes + context_bytes + expert_bytes + pipeline_bytes + data_bytes; }
};

/// Bytes that a rank of a stage sends in a step for gradients, and for weights that ZeRO shards: those of the
/// parameters that all replicas hold, and those of the experts.
/// @throws invalid_argument as the other data_parallel_bytes() does
double data_parallel_bytes(const FootprintRequest& request, const StageFootprint& stage);

/// Counts what a step sends and computes again, by the volumes of rings: an all-reduce of S bytes sends 2S(n-1)/n.
///
/// Tensor parallelism all-reduces two outputs a layer forward and two gradients backward, the forward's once more
/// under full recomputation. With sequence parallelism each is a reduce-scatter and an all-gather, and the two inputs
/// are gathered once more for the weight gradients (Korthikanti et al., arXiv:2205.05198, section 4.2.2). Context
/// parallelism passes keys and values round a ring, backward with their gradients. ZeRO's stages 0 and 1 send
/// gradients, and stage 1 weights, once a step; stage 2 the gradients and stage 3 the weights twice and the gradients
/// with every micro-batch (Rajbhandari et al., arXiv:1910.02054, section 7). A stage of a pipeline sends each of its
/// chunks' outputs and gradients, but for the model's ends.
/// @throws invalid_argument as footprint() does
StepCost step_cost(const FootprintRequest& request, InFlightCache& cache);

}  // namespace shardlab
