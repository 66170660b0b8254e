// DeepSpeed's JSON.

#include <string>
#include <string_view>
#include <vector>

#include <shardlab/errors.hpp>

#include "parts.hpp"

namespace shardlab::launch {
namespace {

void add_batch(LaunchSettings& launch, const FootprintRequest& request) {
    set(launch, "train_batch_size", global_batch(request), "sequences of a step: dp times the two numbers after it");
    set(launch, "train_micro_batch_size_per_gpu", request.micro_batch, "sequences in a micro-batch");
    set(launch, "gradient_accumulation_steps", request.micro_batches,
        "micro-batches of a data-parallel rank in a step");
}

/// All states of 16 bits.
bool is_all_half(const PrecisionRecipe& recipe) {
    return recipe.weight_bytes == 2 && recipe.gradient_bytes == 2 && recipe.master_bytes == 0 &&
           recipe.moment_bytes == 4 && optimizer_of(recipe) == Optimizer::adam;
}

void leave_out_bytes(LaunchSettings& launch, const PrecisionRecipe& recipe) {
    const bool half = recipe.weight_bytes == 2;
    if (!half && recipe.weight_bytes != 4) {
        leave_out(launch, "weight_bytes", recipe.weight_bytes, "weights have 2 or 4 bytes.");
    }
    if (recipe.master_bytes != (half ? 4 : 0)) {
        leave_out(launch, "master_bytes", recipe.master_bytes,
                  "a 32-bit copy of 16-bit weights is kept, unless all states have 16 bits and are sharded.");
    }
    if (!has_wide_moments(recipe)) {
        leave_out(launch, "moment_bytes", recipe.moment_bytes,
                  "the width of moments is the optimizer's, unless all states have 16 bits and are sharded.");
    }
}

void add_precision(LaunchSettings& launch, const FootprintRequest& request) {
    const PrecisionRecipe& recipe = request.recipe;
    if (recipe.weight_bytes == 2) {
        set(launch, "bf16.enabled", "true", "weights and activations of 16 bits");
    }
    if (is_all_half(recipe) && request.zero_stage > 0) {
        set(launch, "bf16.bf16_master_weights_and_grads", "true", "no 32-bit copy of weights or gradients");
        set(launch, "bf16.bf16_optimizer_states", "true", "moments of 16 bits");
    } else {
        leave_out_bytes(launch, recipe);
    }
    const bool narrow = recipe.gradient_bytes == 2;
    set(launch, "data_types.grad_accum_dtype", quoted(narrow ? "bf16" : "fp32"),
        narrow ? "gradients are added up in 16 bits" : "gradients are added up in 32 bits");
}

void add_zero(LaunchSettings& launch, const FootprintRequest& request) {
    set(launch, "zero_optimization.stage", request.zero_stage,
        "which states are sharded: from 1 on the optimizer's, from 2 gradients, from 3 weights");
    if (request.offload != Offload::none && request.zero_stage > 0) {
        set(launch, "zero_optimization.offload_optimizer.device", quoted("cpu"),
            gradients_leave_card(request.zero_stage, request.offload)
                ? "master weights, moments and a rank's gradients are in host memory"
                : "master weights and moments are in host memory");
    } else if (request.offload != Offload::none) {
        leave_out(launch, "offload optimizer", "it goes with a ZeRO stage from 1 on.");
    }
    if (request.offload == Offload::parameters) {
        set(launch, "zero_optimization.offload_param.device", quoted("cpu"), "weights are in host memory too");
    }
    if (is_hybrid(request) && request.zero_stage == 3) {
        set(launch, "zero_optimization.mics_shard_size", request.shard_ranks,
            "ranks that share one set of states; the model is made under deepspeed.zero.MiCS_Init");
    } else if (is_hybrid(request)) {
        leave_out(launch, "shard_ranks", request.shard_ranks, "groups of ranks share states at stage 3 alone.");
    }
}

void leave_out_pipeline(LaunchSettings& launch, const Plan& plan) {
    const FootprintRequest& request = plan.request;
    if (request.layout.pp > 1) {
        leave_out(launch, "pp", request.layout.pp, "stages are made in Python, by deepspeed.pipe.PipelineModule.");
    }
    if (request.layout.pp > 1 && request.zero_stage > 1) {
        leave_out(launch, "pp and zero_stage", request.zero_stage,
                  "DeepSpeed's pipeline shards optimizer states alone, so that the two do not go together.");
    }
    if (request.schedule != "1f1b") {
        leave_out(launch, schedule_field(request), "DeepSpeed's pipeline runs 1f1b.");
    }
    if (!request.layers_per_part.empty()) {
        leave_out(launch, "layers_per_part", "how layers are dealt to stages is an argument of PipelineModule.");
    }
}

void leave_out_parallelism(LaunchSettings& launch, const Plan& plan) {
    const Layout& layout = plan.request.layout;
    if (layout.tp > 1) {
        leave_out(launch, "tp", layout.tp,
                  "layers are cut by the model's own code, as Megatron-LM's is, and DeepSpeed is given its groups of "
                  "ranks; DeepSpeed's own cut (AutoTP) is by other rules than what is sized here.");
    }
    if (plan.request.sequence_parallel) {
        leave_out(launch, "sequence_parallel", "it belongs to the code that cuts the layers.");
    }
    leave_out_pipeline(launch, plan);
    if (layout.cp > 1) {
        leave_out(launch, "cp", layout.cp, "attention over parts of a sequence is the model's own code.");
    }
    if (layout.ep > 1) {
        leave_out(launch, "ep", layout.ep, "it is ep_size of deepspeed.moe.layer.MoE, in Python.");
    }
}

void leave_out_model(LaunchSettings& launch, const Plan& plan) {
    const FootprintRequest& request = plan.request;
    leave_out_shape(launch, plan, "the model is made in Python.");
    leave_out(launch, "sequence", request.sequence, "the data and the model have it.");
    leave_out_recomputation(launch, request,
                            "the model's code calls deepspeed.checkpointing.checkpoint; the JSON's "
                            "activation_checkpointing only says how.");
    leave_out(launch, request.flash ? "flash on" : "flash off", "the kind of attention is the model's own.");
    leave_out(launch, "recipe " + request.recipe.name,
              "the optimizer is made in Python, or named as optimizer.type beside its learning rate.");
}

std::vector<std::string_view> steps_of(std::string_view path) {
    std::vector<std::string_view> steps;
    for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
        steps.push_back(path.substr(0, dot));
        path.remove_prefix(dot + 1);
    }
    steps.push_back(path);
    return steps;
}

std::string line(std::size_t depth, std::string_view words) {
    std::string text = "\n";
    text.append(2 * depth, ' ');
    text += words;
    return text;
}

/// The settings as nested objects. Those of one object follow each other.
std::string json(const LaunchSettings& launch) {
    std::string text = "{";
    std::vector<std::string_view> open;
    bool first = true;
    for (const LaunchSetting& setting : launch.settings) {
        const std::vector<std::string_view> steps = steps_of(setting.name);
        std::size_t shared = 0;
        while (shared < open.size() && shared + 1 < steps.size() && open[shared] == steps[shared]) {
            ++shared;
        }
        for (; open.size() > shared; open.pop_back()) {
            text += line(open.size(), "}");
        }
        text += first ? "" : ",";
        for (; open.size() + 1 < steps.size(); open.push_back(steps[open.size()])) {
            text += line(open.size() + 1, quoted(steps[open.size()]) + ": {");
        }
        text += line(open.size() + 1, quoted(steps.back()) + ": " + setting.value);
        first = false;
    }
    for (; !open.empty(); open.pop_back()) {
        text += line(open.size(), "}");
    }
    return text + "\n}\n";
}

}  // namespace

LaunchSettings deepspeed(const Plan& plan) {
    LaunchSettings launch;
    launch.version =
        "deepspeedai/DeepSpeed at da9b7738, docs/_pages/config-json.md; mics_shard_size in "
        "deepspeed/runtime/zero/config.py";
    add_batch(launch, plan.request);
    add_precision(launch, plan.request);
    add_zero(launch, plan.request);
    leave_out_parallelism(launch, plan);
    leave_out_model(launch, plan);
    launch.text = json(launch);
    return launch;
}

}  // namespace shardlab::launch
