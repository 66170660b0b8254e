#pragma once

/// @file
/// The memory of one rank of every pipeline stage, composed of states, activations and what comes on top.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <shardlab/activations.hpp>
#include <shardlab/layout.hpp>
#include <shardlab/pipeline/in_flight.hpp>
#include <shardlab/states.hpp>
#include <shardlab/transformer/shape.hpp>

namespace shardlab {

/// What is neither state nor activation. Each has a source, or says that it is a choice.
struct Allowances {
    /// CUDA context and kernels, loaded with the first of them: 0.92 GiB. Measured on an A100 with PyTorch 2.1.1:
    /// stas00/ml-engineering at 008c4f74, training/performance/README.md.
    double context_bytes = 987842478;
    /// Buffers of the communication library, where there is more than one rank: 1 GiB. A choice: context and library
    /// take 1 to 3 GiB together by the measurements of the same source.
    double communication_bytes = 1073741824;
    /// Of the gradients on their way to other data-parallel ranks or to host memory: two buckets of 25 MiB, one that
    /// fills and one that is sent. PyTorch's DistributedDataParallel, bucket_cap_mb.
    double bucket_bytes = 52428800;
    /// Layers that stage 3 gathers ahead of the layer, embedding or head at work: 1. PyTorch's FSDP, backward_prefetch.
    int prefetched_layers = 1;
    /// The gradient of the logits, as large as they are, at the end of the last forward: counted.
    bool logit_gradients = true;
    /// Part of states and activations that the allocator loses between blocks, 0 to 1: 0.02. A choice; with PyTorch's
    /// expandable segments little, without them up to a third (Rajbhandari et al., arXiv:1910.02054, section 6.3).
    double fragmentation = 0.02;
    /// A stage keeps the output that it has sent until its backward: not counted, since Megatron-LM frees it
    /// (Korthikanti et al., arXiv:2205.05198, appendix B).
    bool stage_outputs = false;
};

/// A model, a layout, and how it is trained.
struct FootprintRequest {
    TransformerShape shape;                         ///< the model
    Layout layout;                                  ///< tp, pp, dp, cp, ep
    int sequence = 0;                               ///< tokens of a sequence, s
    int micro_batch = 1;                            ///< sequences in a micro-batch, b
    int micro_batches = 1;                          ///< micro-batches of a data-parallel rank in a step
    bool sequence_parallel = false;                 ///< with tensor parallelism; without effect where tp is 1
    Recomputation recompute = Recomputation::none;  ///< what is thrown away and computed again
    int recompute_every = 1;           ///< layers that full recomputation keeps one input for; 1 with others
    bool flash = false;                ///< fused attention
    std::string schedule = "1f1b";     ///< of the pipeline, by the names of PipelineRequest
    std::optional<int> chunks;         ///< model parts on each stage; the schedule's own when left out
    std::vector<int> layers_per_part;  ///< layers of each model part, in the model's order; empty: even, the first
                                       ///< parts having one more where they do not divide
    int zero_stage = 0;                ///< 0 to 3
    int shard_ranks = 0;               ///< hybrid sharding: ranks that share one set of states, at most dp·cp; 0: all
    Offload offload = Offload::none;   ///< states in host memory
    PrecisionRecipe recipe;            ///< bytes of a parameter
    Allowances allowances;             ///< what comes on top
};

/// What a request's activations depend on beside its model.
ActivationSetting activation_setting(const FootprintRequest& request);

/// How the states of parameters that so many ranks hold are sharded.
/// @throws invalid_argument naming shard_ranks, which are at most dp·cp and divide the replicas that are more
StateSharding state_sharding(const FootprintRequest& request, double replicas);

/// What one rank of a stage holds. Its ranks hold the same, but for padding: this is the most loaded.
struct StageFootprint {
    int stage = 0;                        ///< from 0
    int layers = 0;                       ///< on it
    int expert_layers = 0;                ///< of them, those with experts
    double parameters = 0;                ///< on one rank, before ZeRO shards them
    double dense_parameters = 0;          ///< of them, all but routed experts
    double micro_batches_in_flight = 0;   ///< at the moment of most activations: micro-batches times model parts
    double weight_gradients_waiting = 0;  ///< of schedules that put weight gradients off: those to come, at that moment
    StateBytes states;                    ///< weights, gradients, optimizer
    double activation_bytes = 0;          ///< kept by layers, embedding and last norm at the worst moment
    double logit_bytes = 0;               ///< logits and their gradients, on the stage of the output head
    double recomputed_bytes = 0;          ///< working set: what is computed again for the backward at work
    double gathered_bytes = 0;  ///< working set of stage 3: of the layer, embedding or head at work the weights and
                                ///< gradients, and the weights of the layers gathered ahead; of them what other ranks
                                ///< share or host memory has, since the rest is whole among the states
    double bucket_bytes = 0;    ///< gradients on their way
    double context_bytes = 0;   ///< CUDA context
    double communication_bytes = 0;  ///< communication library
    double fragmentation_bytes = 0;  ///< lost between blocks

    /// States and activations: what no other split of the same work does without.
    double kept_bytes() const { return states.total() + activation_bytes; }
    /// All of it.
    double total_bytes() const {
        return kept_bytes() + logit_bytes + recomputed_bytes + gathered_bytes + bucket_bytes + context_bytes +
               communication_bytes + fragmentation_bytes;
    }
};

/// Every stage's memory.
struct Footprint {
    std::vector<StageFootprint> per_stage;  ///< for each pipeline stage
    int most_loaded_stage = 0;              ///< the first of those that hold most
    std::vector<std::string> notes;         ///< what the request does that its user may not expect, in sentences

    /// The answer: what the most loaded rank holds.
    double most_loaded_rank_bytes() const {
        return per_stage[static_cast<std::size_t>(most_loaded_stage)].total_bytes();
    }
};

/// Layers of each model part: those that were asked for, or as even as possible.
/// @throws invalid_argument naming layers_per_part: one for each part, 0 or more, that add up to the layers
std::vector<int> settled_layers_per_part(const FootprintRequest& request, int parts);

/// Sizes one rank of every stage. The activations in flight are those of the simulated schedule.
/// @param cache of schedules; a second call for the same schedule does not simulate it again
/// @throws invalid_argument naming the field that is out of range, or the rule that two fields break
Footprint footprint(const FootprintRequest& request, InFlightCache& cache);

}  // namespace shardlab
