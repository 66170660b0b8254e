// Megatron-LM's arguments.

#include <array>
#include <cstddef>
#include <string>

#include <shardlab/errors.hpp>

#include "parts.hpp"

namespace shardlab::launch {
namespace {

void add_ranks(LaunchSettings& launch, const FootprintRequest& request) {
    set(launch, "--tensor-model-parallel-size", request.layout.tp, "ranks that every matrix is cut over");
    set(launch, "--pipeline-model-parallel-size", request.layout.pp, "pipeline stages");
    set(launch, "--context-parallel-size", request.layout.cp, "ranks that every sequence is cut over");
    if (request.sequence_parallel && request.layout.tp > 1) {
        set(launch, "--sequence-parallel", "", "what tensor parallelism leaves whole is cut by tokens");
    } else if (request.sequence_parallel) {
        leave_out(launch, "sequence_parallel", "with tp 1 there is nothing to cut, and Megatron-LM turns it off.");
    }
}

/// `Et*3|t*2|t*2,L`: embedding, layers of each part, prediction heads, loss.
std::string stage_layout(const Plan& plan) {
    std::string layout = "E";
    for (std::size_t part = 0; part < plan.layers_per_part.size(); ++part) {
        const int layers = plan.layers_per_part[part];
        layout += part == 0 ? "" : "|";
        layout += layers > 0 ? "t*" + std::to_string(layers) : "";
    }
    const int predicting = plan.request.shape.prediction_layers;
    layout += predicting > 0 ? ",m*" + std::to_string(predicting) : "";
    return layout + ",L";
}

void add_parts(LaunchSettings& launch, const Plan& plan) {
    if (plan.layers_per_part.size() == 1) {
        return;
    }
    if (!even(plan)) {
        set(launch, "--pipeline-model-parallel-layout", stage_layout(plan),
            "model parts in order: E embedding, t layer, m prediction head, L loss");
    } else if (plan.chunks > 1) {
        set(launch, "--num-layers-per-virtual-pipeline-stage", plan.layers_per_part.front(),
            "layers of a model part, of which a stage has " + std::to_string(plan.chunks));
    }
}

void add_schedule(LaunchSettings& launch, const Plan& plan) {
    const FootprintRequest& request = plan.request;
    if (request.schedule == "1f1b") {
        add_parts(launch, plan);
        return;
    }
    const std::string field = schedule_field(request);
    if (request.schedule != "interleaved") {
        leave_out(launch, field, "Megatron-LM runs 1f1b, or interleaved where a stage has several model parts.");
    } else if (const auto refused = refused_schedule(request, FrameworkRules::megatron)) {
        leave_out(launch, field, *refused);
    } else {
        add_parts(launch, plan);
        return;
    }
    if (!request.layers_per_part.empty()) {
        leave_out(launch, "layers_per_part", "they are the parts of a schedule that is not run.");
    }
}

void add_batch(LaunchSettings& launch, const FootprintRequest& request) {
    set(launch, "--micro-batch-size", request.micro_batch, "sequences in a micro-batch");
    set(launch, "--global-batch-size", global_batch(request),
        "sequences of a step: dp times micro-batches times those");
}

void add_recomputation(LaunchSettings& launch, const FootprintRequest& request) {
    if (request.recompute == Recomputation::selective) {
        set(launch, "--recompute-granularity", "selective", "a part of each layer is computed again");
        set(launch, "--recompute-modules", "core_attn", "the part: scores, softmax, and their product with the values");
    }
    if (request.recompute == Recomputation::full) {
        set(launch, "--recompute-granularity", "full", "whole layers are computed again");
        set(launch, "--recompute-method", "uniform", "all of them, in units of as many");
        set(launch, "--recompute-num-layers", request.recompute_every, "layers of a unit, whose input alone is kept");
    }
}

void add_zero(LaunchSettings& launch, const FootprintRequest& request) {
    if (request.zero_stage == 0) {
        return;
    }
    if (optimizer_of(request.recipe) == Optimizer::muon) {
        leave_out(launch, "zero_stage", request.zero_stage, "Muon does not go with the distributed optimizer.");
        return;
    }
    set(launch, "--use-distributed-optimizer", "", "optimizer states are sharded over dp and cp");
    if (request.zero_stage > 1) {
        set(launch, "--use-megatron-fsdp", "", "the code that shards more than optimizer states");
        set(launch, "--data-parallel-sharding-strategy", request.zero_stage == 2 ? "optim_grads" : "optim_grads_params",
            request.zero_stage == 2 ? "gradients are sharded too" : "gradients and weights are sharded too");
        set(launch, "--ckpt-format", "fsdp_dtensor", "the one format of checkpoints that goes with it");
    }
    if (is_hybrid(request)) {
        set(launch, "--num-distributed-optimizer-instances", request.layout.replicas() / request.shard_ranks,
            "whole sets of states, each on a group of the ranks");
    }
}

void add_weights_and_gradients(LaunchSettings& launch, const PrecisionRecipe& recipe) {
    const bool half = recipe.weight_bytes == 2;
    if (half) {
        set(launch, "--bf16", "", "weights and activations of 16 bits, with a 32-bit copy for the optimizer");
    }
    if (half && recipe.gradient_bytes == 4) {
        set(launch, "--accumulate-allreduce-grads-in-fp32", "", "gradients of 32 bits");
    } else if (half && recipe.gradient_bytes == 2) {
        set(launch, "--grad-reduce-in-bf16", "", "gradients of 16 bits");
    } else if (half || recipe.gradient_bytes != 4) {
        leave_out(launch, "gradient_bytes", recipe.gradient_bytes,
                  "gradients have one buffer, of 2 or 4 bytes beside 16-bit weights and of 4 beside 32-bit ones.");
    }
    if (!half && recipe.weight_bytes != 4) {
        leave_out(launch, "weight_bytes", recipe.weight_bytes, "weights have 2 or 4 bytes.");
    }
    if (recipe.master_bytes != (half ? 4 : 0)) {
        leave_out(launch, "master_bytes", recipe.master_bytes,
                  "the optimizer works with a 32-bit copy of 16-bit weights, and with 32-bit weights themselves.");
    }
}

/// @return whether the moments are narrower than 32 bits
bool add_moments(LaunchSettings& launch, const FootprintRequest& request) {
    const PrecisionRecipe& recipe = request.recipe;
    if (has_wide_moments(recipe)) {
        return false;
    }
    const bool known = recipe.moment_bytes == 4 || recipe.moment_bytes == 2;
    if (optimizer_of(recipe) != Optimizer::adam || !known || request.zero_stage == 0) {
        leave_out(launch, "moment_bytes", recipe.moment_bytes,
                  "moments have 32 bits; Adam's may have 16 or 8 where optimizer states are sharded.");
        return false;
    }
    const char* type = recipe.moment_bytes == 4 ? "bf16" : "fp8";
    set(launch, "--exp-avg-dtype", type, "numbers that Adam's mean of gradients is kept in");
    set(launch, "--exp-avg-sq-dtype", type, "numbers that its mean of squares is kept in");
    return true;
}

/// @return whether states of the optimizer are in host memory
bool add_offload(LaunchSettings& launch, const FootprintRequest& request) {
    if (request.offload == Offload::parameters) {
        leave_out(launch, "offload parameters", "weights stay on the card; optimizer states alone can leave it.");
    }
    if (request.offload != Offload::optimizer) {
        return false;
    }
    if (optimizer_of(request.recipe) != Optimizer::adam || request.zero_stage == 0) {
        leave_out(launch, "offload optimizer", "it is for Adam, where optimizer states are sharded.");
        return false;
    }
    set(launch, "--optimizer-cpu-offload", "", "master weights and moments are in host memory");
    if (gradients_leave_card(request.zero_stage, request.offload)) {
        leave_out(launch, "offload optimizer and zero_stage", request.zero_stage,
                  "gradients stay on the card; optimizer states alone can leave it.");
    }
    return true;
}

void add_optimizer(LaunchSettings& launch, const FootprintRequest& request) {
    static constexpr std::array<const char*, 3> names{"adam", "sgd", "muon"};
    set(launch, "--optimizer", names.at(static_cast<std::size_t>(optimizer_of(request.recipe))),
        "whose moments are kept");
    const bool narrow = add_moments(launch, request);
    const bool offloaded = add_offload(launch, request);
    if (narrow || offloaded) {
        set(launch, "--use-precision-aware-optimizer", "", "the optimizer that the options before it belong to");
    }
}

/// As a shell reads it as one word.
std::string word(const std::string& value) {
    constexpr const char* plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    if (value.find_first_not_of(plain) == std::string::npos) {
        return value;
    }
    std::string text = "'";
    text += value;
    text += '\'';
    return text;
}

std::string arguments(const LaunchSettings& launch, const FootprintRequest& request) {
    std::string text = "# Arguments of Megatron-LM's pretrain_gpt.py that were not run here; names: " + launch.version;
    text += ".\n# For " + number_text(request.layout.ranks()) + " ranks, which leave dp ";
    text += std::to_string(request.layout.dp) + "; data, learning rate and steps come on top.\n";
    for (const LaunchSetting& setting : launch.settings) {
        text += setting.name;
        if (!setting.value.empty()) {
            text += ' ';
            text += word(setting.value);
        }
        text += &setting == &launch.settings.back() ? "\n" : " \\\n";
    }
    return text;
}

}  // namespace

LaunchSettings megatron(const Plan& plan) {
    LaunchSettings launch;
    launch.version = "NVIDIA/Megatron-LM at 000c4ac2, megatron/training/arguments.py";
    add_ranks(launch, plan.request);
    add_schedule(launch, plan);
    add_megatron_shape(launch, plan.request);
    add_batch(launch, plan.request);
    add_recomputation(launch, plan.request);
    add_zero(launch, plan.request);
    add_weights_and_gradients(launch, plan.request.recipe);
    add_optimizer(launch, plan.request);
    launch.text = arguments(launch, plan.request);
    return launch;
}

}  // namespace shardlab::launch
