#include <algorithm>
#include <cmath>

#include <shardlab/footprint/price.hpp>
#include <shardlab/transformer/flops.hpp>

#include "../ring_share.hpp"

namespace shardlab {
namespace {

constexpr double half = 2;  ///< bytes of a 16-bit number

double tokens(const FootprintRequest& request) {
    return static_cast<double>(request.sequence) / request.layout.cp * request.micro_batch;
}

/// Bytes of a micro-batch's residual stream on a rank.
double stream_bytes(const FootprintRequest& request) {
    return half * tokens(request) * request.shape.hidden;
}

double tensor_bytes_per_layer(const FootprintRequest& request) {
    const double forward = 4;
    const double gathered_again = request.sequence_parallel ? 2 : 0;
    const double recomputed = request.recompute == Recomputation::full ? forward : 0;
    return (2 * forward + gathered_again + recomputed) * ring_share(request.layout.tp) * stream_bytes(request);
}

double context_bytes_per_layer(const FootprintRequest& request) {
    const TransformerShape& shape = request.shape;
    const bool latent = shape.latent.kv_rank > 0;
    const double heads = std::max(1.0, static_cast<double>(latent ? shape.heads : shape.kv_heads) / request.layout.tp);
    const double features =
        latent ? shape.latent.plain_head_size + shape.latent.rope_head_size + shape.latent.value_head_size
               : 2.0 * shape.head_size;
    const double passes = request.recompute == Recomputation::none ? 3 : 4;
    return passes * (request.layout.cp - 1) * half * tokens(request) * heads * features;
}

double expert_bytes_per_layer(const FootprintRequest& request) {
    const double there_and_back_twice = request.recompute == Recomputation::full ? 6 : 4;
    const double copies = request.shape.experts.per_token;
    return there_and_back_twice * copies * ring_share(request.layout.ep) * stream_bytes(request) /
           (request.sequence_parallel ? request.layout.tp : 1);
}

/// The stage with most layers.
const StageFootprint& largest_stage(const Footprint& sized) {
    return *std::max_element(sized.per_stage.begin(), sized.per_stage.end(),
                             [](const StageFootprint& a, const StageFootprint& b) { return a.layers < b.layers; });
}

}  // namespace

double data_parallel_bytes(const FootprintRequest& request, const StageFootprint& stage) {
    StateSharding sharding = state_sharding(request, request.layout.replicas());
    const double dense = data_parallel_bytes(stage.dense_parameters, request.recipe, sharding, request.micro_batches);
    sharding = state_sharding(request, request.layout.expert_replicas());
    return dense + data_parallel_bytes(stage.parameters - stage.dense_parameters, request.recipe, sharding,
                                       request.micro_batches);
}

StepCost step_cost(const FootprintRequest& request, InFlightCache& cache) {
    const Footprint sized = footprint(request, cache);
    const StageFootprint& stage = largest_stage(sized);
    const PipelineInFlight& pipeline =
        cache.of(request.schedule, request.layout.pp, request.micro_batches, request.chunks);
    const double layer_runs = 1.0 * stage.layers * request.micro_batches;
    const double expert_runs = 1.0 * stage.expert_layers * request.micro_batches;
    const Layout& layout = request.layout;

    StepCost cost;
    cost.ranks = layout.ranks();
    cost.tensor_bytes = layer_runs * tensor_bytes_per_layer(request);
    cost.context_bytes = layer_runs * context_bytes_per_layer(request);
    cost.expert_bytes = expert_runs * expert_bytes_per_layer(request);
    const double stream = stream_bytes(request) / (request.sequence_parallel ? layout.tp : 1);
    const auto chunks = static_cast<double>(pipeline.parts[static_cast<std::size_t>(stage.stage)].size());
    cost.pipeline_bytes = layout.pp == 1 ? 0 : 2 * chunks * request.micro_batches * stream;
    cost.data_bytes = data_parallel_bytes(request, stage);
    const TokenFlops flops = flops_per_token(request.shape, request.sequence, request.recompute);
    cost.recomputed_flops =
        flops.recomputed * stage.layers / request.shape.layers * tokens(request) * request.micro_batches / layout.tp;
    cost.bubble_of_total = pipeline.bubble_of_total;
    const double inner = request.shape.experts.count > 0 ? request.shape.experts.ffn : request.shape.ffn;
    cost.product_flops = 2 * tokens(request) * request.shape.hidden * inner / layout.tp;
    return cost;
}

}  // namespace shardlab
