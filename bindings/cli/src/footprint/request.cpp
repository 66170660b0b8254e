#include "request.hpp"

#include <string>
#include <vector>

namespace shardlab::cli {
namespace {

const Allowances standard;

void declare_allowances(Options& options) {
    options.add("context_bytes", "BYTES", "CUDA context and kernels; left out: 0.92 GiB");
    options.add("communication_bytes", "BYTES", "buffers of the communication library; left out: 1 GiB");
    options.add("bucket_bytes", "BYTES",
                "gradients on their way to others or the host; left out: two buckets of 25 MiB");
    options.add("prefetched_layers", "N", "layers that stage 3 gathers ahead; left out: 1");
    options.add("fragmentation", "PART", "part of the memory that the allocator loses; left out: 0.02");
    options.add_flag("no_logit_gradients", "do not count a gradient as large as the logits");
    options.add_flag("stage_outputs", "a stage keeps the outputs that it has sent");
}

Allowances allowances_asked_for(const Options& options) {
    const auto count = [&](const char* name, double otherwise) {
        return options.given(name) ? options.count(name) : otherwise;
    };
    Allowances allowances;
    allowances.context_bytes = count("context_bytes", standard.context_bytes);
    allowances.communication_bytes = count("communication_bytes", standard.communication_bytes);
    allowances.bucket_bytes = count("bucket_bytes", standard.bucket_bytes);
    if (options.given("prefetched_layers")) {
        allowances.prefetched_layers = options.whole("prefetched_layers", 0);
    }
    if (options.given("fragmentation")) {
        allowances.fragmentation = options.number("fragmentation");
    }
    allowances.logit_gradients = !options.given("no_logit_gradients");
    allowances.stage_outputs = options.given("stage_outputs");
    return allowances;
}

std::vector<int> layers_asked_for(const Options& options) {
    std::vector<int> layers;
    if (options.given("layers_per_part")) {
        for (const double count : options.counts("layers_per_part")) {
            layers.push_back(require_int("layers_per_part", count, 0));
        }
    }
    return layers;
}

}  // namespace

void declare_layout(Options& options) {
    options.add_with_default("tp", "N", "1", "tensor-parallel ranks");
    options.add_with_default("pp", "N", "1", "pipeline stages");
    options.add_with_default("dp", "N", "1", "data-parallel ranks");
    options.add_with_default("cp", "N", "1", "context-parallel ranks");
    options.add_with_default("ep", "N", "1", "expert-parallel ranks, carved out of dp and cp");
}

Layout layout_asked_for(const Options& options) {
    return require_layout({.tp = options.whole("tp", 1),
                           .pp = options.whole("pp", 1),
                           .dp = options.whole("dp", 1),
                           .cp = options.whole("cp", 1),
                           .ep = options.whole("ep", 1)});
}

void declare_states(Options& options) {
    std::string names;
    for (const PrecisionRecipe& recipe : precision_recipes()) {
        names += (names.empty() ? "" : ", ") + recipe.name;
    }
    options.add_with_default("recipe", "NAME", precision_recipes().front().name, "bytes a parameter: " + names);
    options.add("weight_bytes", "N", "bytes of a weight, in place of the recipe's; so with the next three");
    options.add("gradient_bytes", "N", "bytes of a gradient");
    options.add("master_bytes", "N", "bytes of a weight that the optimizer works with");
    options.add("moment_bytes", "N", "bytes of the optimizer's moments of a parameter");
    options.add("shard_ranks", "N", "hybrid sharding: ranks that share one set of states, at most dp times cp");
    options.add_with_default("offload", "NAME", "none",
                             "states in host memory: none, optimizer, parameters; from stage 2 on gradients too");
}

PrecisionRecipe recipe_asked_for(const Options& options) {
    PrecisionRecipe recipe = precision_recipe(options.text("recipe"));
    const auto take = [&](const char* name, double& bytes) {
        bytes = options.given(name) ? options.number(name) : bytes;
    };
    take("weight_bytes", recipe.weight_bytes);
    take("gradient_bytes", recipe.gradient_bytes);
    take("master_bytes", recipe.master_bytes);
    take("moment_bytes", recipe.moment_bytes);
    take("moment_bytes", recipe.matrix_moment_bytes);
    return recipe;
}

void declare_request(Options& options) {
    declare_layout(options);
    options.add("sequence", "N", "tokens of a sequence");
    options.add_with_default("micro_batch", "N", "1", "sequences in a micro-batch");
    options.add("micro_batches", "N", "micro-batches of a data-parallel rank in a step; left out: as many as --pp");
    options.add_flag("sequence_parallel",
                     "what tensor parallelism leaves whole is cut over its ranks by tokens; without effect at --tp 1");
    options.add_with_default("recompute", "NAME", "none", "what the backward computes again: none, selective, full");
    options.add_with_default("recompute_every", "N", "1",
                             "layers that full recomputation keeps one input for; 1 with any other");
    options.add_flag("flash", "fused attention, which keeps no scores");
    options.add_with_default("schedule", "NAME", "1f1b", "of the pipeline, as in the command pipeline");
    options.add("chunks", "N", "model parts on each stage; left out: the schedule's own");
    options.add("layers_per_part", "N,N,…", "layers of each model part; left out: as even as possible");
    options.add_with_default("zero_stage", "0..3", "0", "which states are sharded over dp and cp");
    declare_states(options);
    declare_allowances(options);
}

FootprintRequest request_asked_for(const Options& options, const TransformerShape& shape) {
    FootprintRequest request;
    request.shape = shape;
    request.layout = layout_asked_for(options);
    request.sequence = options.whole("sequence", 1);
    request.micro_batch = options.whole("micro_batch", 1);
    request.micro_batches = options.given("micro_batches") ? options.whole("micro_batches", 1) : request.layout.pp;
    request.sequence_parallel = options.given("sequence_parallel");
    request.recompute = recomputation_from_name(options.text("recompute"));
    request.recompute_every = options.whole("recompute_every", 1);
    request.flash = options.given("flash");
    request.schedule = options.text("schedule");
    if (options.given("chunks")) {
        request.chunks = options.whole("chunks", 1);
    }
    request.layers_per_part = layers_asked_for(options);
    request.zero_stage = options.whole("zero_stage", 0, 3);
    request.shard_ranks = options.given("shard_ranks") ? options.whole("shard_ranks", 1) : 0;
    request.offload = offload_from_name(options.text("offload"));
    request.recipe = recipe_asked_for(options);
    request.allowances = allowances_asked_for(options);
    return request;
}

}  // namespace shardlab::cli
