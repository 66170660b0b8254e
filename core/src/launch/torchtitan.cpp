// torchtitan's TOML.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <shardlab/errors.hpp>
#include <shardlab/transformer/presets.hpp>

#include "parts.hpp"

namespace shardlab::launch {
namespace {

bool same_sizes(const TransformerShape& one, const TransformerShape& other) {
    return one.hidden == other.hidden && one.layers == other.layers && one.heads == other.heads &&
           one.kv_heads == other.kv_heads && one.ffn == other.ffn && one.vocabulary == other.vocabulary &&
           one.gated_mlp == other.gated_mlp && one.tied_embeddings == other.tied_embeddings &&
           one.experts.count == other.experts.count;
}

/// A model that torchtitan has by name.
struct Flavor {
    std::string_view preset;
    std::string_view flavor;
};

void add_model(LaunchSettings& launch, const Plan& plan) {
    static constexpr std::array<Flavor, 3> llamas{
        {{"llama3-8b", "8B"}, {"llama3-70b", "70B"}, {"llama3-405b", "405B"}}};
    for (const Flavor& llama : llamas) {
        if (same_sizes(plan.request.shape, model_preset(llama.preset).shape)) {
            set(launch, "model.name", quoted("llama3"), "the family of models");
            set(launch, "model.flavor", quoted(llama.flavor), "its member with these layers, heads and sizes");
            return;
        }
    }
    leave_out_shape(launch, plan, "sizes are those of a flavor of the model, which is written in Python.");
}

void add_batch(LaunchSettings& launch, const FootprintRequest& request) {
    const bool pipelined = request.layout.pp > 1;
    set(launch, "training.local_batch_size", 1.0 * request.micro_batch * (pipelined ? request.micro_batches : 1),
        pipelined ? "sequences of a data-parallel rank in a step, which the pipeline cuts into micro-batches"
                  : "sequences in a micro-batch; as many are added up as the global batch needs");
    set(launch, "training.global_batch_size", global_batch(request), "sequences of a step");
    set(launch, "training.seq_len", request.sequence, "tokens of a sequence");
}

void leave_out_bytes(LaunchSettings& launch, const PrecisionRecipe& recipe) {
    if (recipe.weight_bytes != 4) {
        leave_out(launch, "weight_bytes", recipe.weight_bytes,
                  "weights are kept once, in 32 bits, and made 16 bits wide where they are gathered.");
    }
    if (recipe.gradient_bytes != 4) {
        leave_out(launch, "gradient_bytes", recipe.gradient_bytes, "gradients are reduced and kept in 32 bits.");
    }
    if (optimizer_of(recipe) != Optimizer::adam || !has_wide_moments(recipe)) {
        leave_out(launch, "recipe " + recipe.name, "optimizers are Adam and AdamW, with moments as wide as weights.");
    }
}

void add_precision(LaunchSettings& launch, const FootprintRequest& request) {
    const bool half = request.recipe.weight_bytes == 2;
    set(launch, "training.mixed_precision_param", quoted(half ? "bfloat16" : "float32"),
        "numbers that the passes work with");
    set(launch, "training.mixed_precision_reduce", quoted("float32"), "numbers that gradients are reduced in");
    leave_out_bytes(launch, request.recipe);
    if (request.offload == Offload::parameters) {
        set(launch, "training.enable_cpu_offload", "true",
            "weights, gradients and optimizer states are in host memory, where the optimizer works");
    } else if (request.offload == Offload::optimizer) {
        leave_out(launch, "offload optimizer", "states go to host memory together, weights and gradients too, or not.");
    }
}

/// Ranks of dp that share one set of states; context-parallel ranks always do.
int sharding_ranks(const FootprintRequest& request) {
    if (request.zero_stage == 0) {
        return 1;
    }
    const int sharing = static_cast<int>(sharing_ranks(request));
    return sharing % request.layout.cp == 0 ? sharing / request.layout.cp : request.layout.dp;
}

void leave_out_of_zero(LaunchSettings& launch, const FootprintRequest& request) {
    const int cp = request.layout.cp;
    if (request.zero_stage == 0 && cp > 1) {
        leave_out(launch, "zero_stage 0", "states are sharded over context-parallel ranks all the same.");
    }
    if (request.zero_stage == 1) {
        leave_out(launch, "zero_stage 1", "gradients are sharded with the optimizer states, as at stage 2.");
    }
    if (is_hybrid(request) && request.shard_ranks % cp != 0) {
        leave_out(launch, "shard_ranks", request.shard_ranks,
                  "all context-parallel ranks share one set of states, so that it would be a multiple of cp.");
    }
}

void add_ranks(LaunchSettings& launch, const FootprintRequest& request) {
    const Layout& layout = request.layout;
    const int sharding = sharding_ranks(request);
    set(launch, "parallelism.data_parallel_replicate_degree", 1.0 * layout.dp / sharding,
        "whole sets of states, or groups that have one");
    set(launch, "parallelism.data_parallel_shard_degree", sharding, "ranks of dp that share one set of states");
    if (request.zero_stage > 0) {
        const bool gathered_twice = request.zero_stage == 3;
        set(launch, "parallelism.fsdp_reshard_after_forward", quoted(gathered_twice ? "always" : "never"),
            gathered_twice ? "weights are gathered for the forward, and once more for the backward"
                           : "gathered weights are kept from forward to backward");
    }
    leave_out_of_zero(launch, request);
    set(launch, "parallelism.tensor_parallel_degree", layout.tp,
        "ranks that every matrix is cut over, and what lies between them by tokens");
    if (layout.tp > 1 && !request.sequence_parallel) {
        leave_out(launch, "sequence_parallel off", "it comes with tensor parallelism.");
    }
    set(launch, "parallelism.context_parallel_degree", layout.cp, "ranks that every sequence is cut over");
}

void add_expert_ranks(LaunchSettings& launch, const FootprintRequest& request) {
    const Layout& layout = request.layout;
    if (layout.ep == 1) {
        return;
    }
    const int most = sharding_ranks(request) * layout.cp;
    if (layout.ep < layout.cp || layout.ep > most) {
        leave_out(launch, "ep", layout.ep,
                  "it is at least cp, and at most the ranks that share one set of states: from " +
                      std::to_string(layout.cp) + " to " + std::to_string(most) + ".");
        return;
    }
    set(launch, "parallelism.expert_parallel_degree", layout.ep, "ranks that a layer's experts are dealt to");
}

std::string_view pytorch_schedule(std::string_view name) {
    static constexpr std::array<std::array<std::string_view, 2>, 6> names{{{"gpipe", "GPipe"},
                                                                           {"1f1b", "1F1B"},
                                                                           {"interleaved", "Interleaved1F1B"},
                                                                           {"looped-bfs", "LoopedBFS"},
                                                                           {"zb-v", "ZBVZeroBubble"},
                                                                           {"dualpipe-v", "DualPipeV"}}};
    for (const auto& [own, pytorch] : names) {
        if (own == name) {
            return pytorch;
        }
    }
    return {};
}

/// `[["tok_embeddings", "layers.0"], ["layers.1", "norm", "output"]]`.
std::string modules(const Plan& plan) {
    std::string text = "[";
    int layer = 0;
    for (std::size_t part = 0; part < plan.layers_per_part.size(); ++part) {
        std::string names = part == 0 ? quoted("tok_embeddings") : "";
        const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + quoted(name); };
        for (const int end = layer + plan.layers_per_part[part]; layer < end; ++layer) {
            add("layers." + std::to_string(layer));
        }
        if (part + 1 == plan.layers_per_part.size()) {
            add("norm");
            add("output");
        }
        text += (part == 0 ? "[" : ", [") + names + "]";
    }
    return text + "]";
}

void add_parts(LaunchSettings& launch, const Plan& plan) {
    if (!even(plan)) {
        set(launch, "parallelism.module_fqns_per_model_part", modules(plan), "what each model part has, in order");
        return;
    }
    set(launch, "parallelism.pipeline_parallel_layers_per_stage", plan.layers_per_part.front(),
        "layers of a model part");
    set(launch, "parallelism.pipeline_parallel_first_stage_less_layers", "0",
        "the part with the embedding has as many as the others");
    set(launch, "parallelism.pipeline_parallel_last_stage_less_layers", "0",
        "and so has the part with the output head");
}

/// @return whether torchtitan runs the request's schedule
bool takes_schedule(LaunchSettings& launch, const FootprintRequest& request) {
    const std::string field = schedule_field(request);
    if (request.layout.pp == 1) {
        if (request.schedule != "1f1b") {
            leave_out(launch, field, "with pp 1 one micro-batch follows the other, as in 1f1b.");
        }
        return false;
    }
    if (pytorch_schedule(request.schedule).empty()) {
        leave_out(launch, field,
                  "PyTorch has none of that name, and 1F1B is run; one of your own goes into a file, "
                  "parallelism.pipeline_parallel_schedule_csv.");
        return false;
    }
    if (const auto refused = refused_schedule(request, FrameworkRules::pytorch)) {
        leave_out(launch, field, *refused);
        return false;
    }
    return true;
}

void add_pipeline(LaunchSettings& launch, const Plan& plan) {
    const FootprintRequest& request = plan.request;
    set(launch, "parallelism.pipeline_parallel_degree", request.layout.pp, "pipeline stages");
    if (request.layout.pp > 1) {
        set(launch, "parallelism.pipeline_parallel_microbatch_size", request.micro_batch, "sequences in a micro-batch");
    }
    if (takes_schedule(launch, request)) {
        set(launch, "parallelism.pipeline_parallel_schedule", quoted(pytorch_schedule(request.schedule)),
            "the order of a stage's work, by PyTorch's name");
        add_parts(launch, plan);
    } else if (!request.layers_per_part.empty()) {
        leave_out(launch, "layers_per_part", "they are the parts of a schedule that is not run.");
    }
}

void add_recomputation(LaunchSettings& launch, const FootprintRequest& request) {
    const bool full = request.recompute == Recomputation::full;
    set(launch, "activation_checkpoint.mode", quoted(full ? "full" : "none"),
        full ? "each layer is computed again from its input" : "nothing is computed again");
    if (full && request.recompute_every > 1) {
        leave_out(launch, "recompute_every", request.recompute_every, "every layer's input is kept.");
    }
    if (request.recompute == Recomputation::selective) {
        leave_out(launch, "recompute selective",
                  "torchtitan's mode of that name computes other operations again; attention's scores alone need no "
                  "mode, since fused attention never keeps them.");
    }
    if (!request.flash) {
        leave_out(launch, "flash off", "attention is PyTorch's fused one.");
    }
}

/// The settings as tables. Those of one table follow each other.
std::string toml(const LaunchSettings& launch, const FootprintRequest& request) {
    std::string text = "# Settings for torchtitan that were not run here; names: " + launch.version;
    text += ".\n# For " + number_text(request.layout.ranks()) + " ranks; data, learning rate and steps come on top.\n";
    std::string_view open;
    for (const LaunchSetting& setting : launch.settings) {
        const std::string_view name = setting.name;
        const std::size_t dot = name.find('.');
        if (name.substr(0, dot) != open) {
            open = name.substr(0, dot);
            text += "\n[" + std::string(open) + "]\n";
        }
        text += std::string(name.substr(dot + 1)) + " = " + setting.value + "\n";
    }
    return text;
}

}  // namespace

LaunchSettings torchtitan(const Plan& plan) {
    LaunchSettings launch;
    launch.version = "pytorch/torchtitan at 6404b932, torchtitan/config/job_config.py";
    add_model(launch, plan);
    add_batch(launch, plan.request);
    add_precision(launch, plan.request);
    add_ranks(launch, plan.request);
    add_expert_ranks(launch, plan.request);
    add_pipeline(launch, plan);
    add_recomputation(launch, plan.request);
    launch.text = toml(launch, plan.request);
    return launch;
}

}  // namespace shardlab::launch
