// Python that wraps a model by FSDP2's fully_shard.

#include <string>
#include <string_view>

#include <shardlab/errors.hpp>

#include "parts.hpp"

namespace shardlab::launch {
namespace {

/// A mesh's axes, the slowest first.
struct Axes {
    std::string sizes;
    std::string names;
    int count = 0;
};

void add_axis(Axes& axes, double ranks, std::string_view name) {
    axes.sizes += (axes.count > 0 ? ", " : "") + number_text(ranks);
    axes.names += (axes.count > 0 ? ", " : "") + quoted(name);
    ++axes.count;
}

std::string tuple(const std::string& items, int count) {
    return "(" + items + (count == 1 ? ",)" : ")");
}

/// Ranks that share states, and the groups of them; pipeline and tensor parallelism around.
std::string mesh(const FootprintRequest& request) {
    const double sharing = sharing_ranks(request);
    Axes own;
    if (is_hybrid(request)) {
        add_axis(own, request.layout.replicas() / sharing, "replicate");
    }
    add_axis(own, sharing, "shard");
    Axes all;
    if (request.layout.pp > 1) {
        add_axis(all, request.layout.pp, "pp");
    }
    if (is_hybrid(request)) {
        add_axis(all, request.layout.replicas() / sharing, "replicate");
    }
    add_axis(all, sharing, "shard");
    if (request.layout.tp > 1) {
        add_axis(all, request.layout.tp, "tp");
    }
    std::string text = "init_device_mesh(\"cuda\", " + tuple(all.sizes, all.count) +
                       ", mesh_dim_names=" + tuple(all.names, all.count) + ")";
    return all.count == own.count ? text : text + "[" + own.names + "]";
}

void add_settings(LaunchSettings& launch, const FootprintRequest& request) {
    set(launch, "mesh", mesh(request),
        is_hybrid(request) ? "the last axis shares one set of states, and the one before it has copies of it"
                           : "the ranks that share one set of states, dp and cp");
    const bool again = request.zero_stage == 3;
    set(launch, "reshard_after_forward", again ? "True" : "False",
        again ? "weights are gathered for the forward, and once more for the backward"
              : "gathered weights are kept from forward to backward");
    const bool half = request.recipe.weight_bytes == 2;
    set(launch, "mp_policy.param_dtype", half ? "torch.bfloat16" : "torch.float32",
        "numbers that gathered weights and activations have; the shards keep those of the model");
    const bool narrow = request.recipe.gradient_bytes == 2;
    set(launch, "mp_policy.reduce_dtype", narrow ? "torch.bfloat16" : "torch.float32",
        "numbers that gradients are reduced in");
    if (request.offload == Offload::parameters) {
        set(launch, "offload_policy", "CPUOffloadPolicy()",
            "shards of weights, gradients and optimizer states are in host memory, where the optimizer works");
    }
}

void leave_out_states(LaunchSettings& launch, const FootprintRequest& request) {
    if (request.zero_stage == 0) {
        leave_out(launch, "zero_stage 0",
                  "fully_shard shards all states; torch.nn.parallel.DistributedDataParallel keeps them whole.");
    }
    if (request.zero_stage == 1) {
        leave_out(launch, "zero_stage 1", "gradients are sharded with the optimizer states, as at stage 2.");
    }
    if (request.offload == Offload::optimizer) {
        leave_out(launch, "offload optimizer", "states go to host memory together, weights and gradients too, or not.");
    }
    const PrecisionRecipe& recipe = request.recipe;
    if (recipe.weight_bytes == 2 && recipe.master_bytes > 0) {
        leave_out(launch, "weight_bytes 2",
                  "a model made in 32 bits keeps its weights once, and they are 16 bits wide where they are gathered.");
    } else if (recipe.weight_bytes == 2) {
        leave_out(launch, "master_bytes 0", "shards are as wide as the model was made: make it in 16 bits.");
    }
    leave_out(launch, "recipe " + recipe.name, "the optimizer is made in Python, after the model is wrapped.");
}

void leave_out_parallelism(LaunchSettings& launch, const FootprintRequest& request) {
    const Layout& layout = request.layout;
    if (layout.tp > 1) {
        leave_out(launch, "tp", layout.tp,
                  "torch.distributed.tensor.parallel.parallelize_module cuts the layers before they are wrapped.");
    }
    if (request.sequence_parallel) {
        leave_out(launch, "sequence_parallel", "it belongs to the plan of parallelize_module.");
    }
    if (layout.pp > 1) {
        leave_out(launch, "pp", layout.pp, "torch.distributed.pipelining makes the stages; each is wrapped by itself.");
    }
    if (request.schedule != "1f1b" || layout.pp > 1) {
        leave_out(launch, schedule_field(request), "it is a class of torch.distributed.pipelining.");
    }
    if (!request.layers_per_part.empty()) {
        leave_out(launch, "layers_per_part", "they are how the stages are made.");
    }
    if (layout.cp > 1) {
        leave_out(launch, "cp", layout.cp, "its ranks share states with dp; attention over them is another module's.");
    }
    if (layout.ep > 1) {
        leave_out(launch, "ep", layout.ep,
                  "experts are dealt to ranks, and wrapped over the rest, by the model's code.");
    }
}

void leave_out_model(LaunchSettings& launch, const Plan& plan) {
    const FootprintRequest& request = plan.request;
    leave_out_shape(launch, plan, "the model is made before it is wrapped.");
    const std::string batch = "sequence " + std::to_string(request.sequence) + ", micro_batch " +
                              std::to_string(request.micro_batch) + " and micro_batches " +
                              std::to_string(request.micro_batches);
    leave_out(launch, batch, "they are the loop around the model, which a step goes through for each micro-batch.");
    leave_out_recomputation(launch, request, "torch.utils.checkpoint is called in the model.");
    leave_out(launch, request.flash ? "flash on" : "flash off", "the kind of attention is the model's own.");
}

/// The layers, and the embedding and the output head, are each gathered by themselves: what is sized is the largest.
std::string units(const FootprintRequest& request) {
    const bool staged = request.layout.pp > 1;
    const auto unit = [&](std::string_view condition, std::string_view modules) {
        std::string text = staged ? "if " + std::string(condition) + ":\n    " : "";
        text += "fully_shard(" + std::string(modules) + ", **options)\n";
        return text;
    };
    const std::string layers = "for layer in model.layers:\n    fully_shard(layer, **options)\n";
    if (request.shape.tied_embeddings && !staged) {
        return "fully_shard([model.tok_embeddings, model.norm, model.output], **options)  # of one shared weight\n" +
               layers;
    }
    return unit("model.tok_embeddings is not None", "model.tok_embeddings") + layers +
           unit("model.output is not None", "[model.norm, model.output]");
}

std::string python(const LaunchSettings& launch, const FootprintRequest& request) {
    const bool offloaded = request.offload == Offload::parameters;
    std::string dtypes;
    std::string mesh_value;
    std::string reshard;
    for (const LaunchSetting& setting : launch.settings) {
        constexpr std::string_view policy = "mp_policy.";
        if (setting.name.compare(0, policy.size(), policy) == 0) {
            dtypes += (dtypes.empty() ? "" : ", ") + setting.name.substr(policy.size()) + "=" + setting.value;
        } else if (setting.name == "mesh") {
            mesh_value = setting.value;
        } else if (setting.name == "reshard_after_forward") {
            reshard = setting.value;
        }
    }
    std::string text = "# Python for FSDP2 that was not run here; names: " + launch.version;
    text += ".\n# For " + number_text(request.layout.ranks()) +
            " ranks; `model` is yours, with its parts tok_embeddings, layers, norm and output" +
            (request.layout.pp > 1 ? ",\n# None where a stage has none of them" : "") +
            ".\n"
            "import torch\nfrom torch.distributed.device_mesh import init_device_mesh\n"
            "from torch.distributed.fsdp import ";
    text += offloaded ? "CPUOffloadPolicy, " : "";
    text += "MixedPrecisionPolicy, fully_shard\n\noptions = dict(\n    mesh=" + mesh_value;
    text += ",\n    reshard_after_forward=" + reshard;
    text += ",\n    mp_policy=MixedPrecisionPolicy(" + dtypes + "),\n";
    text += offloaded ? "    offload_policy=CPUOffloadPolicy(),\n" : "";
    return text + ")\n" + units(request) + "fully_shard(model, **options)\n";
}

}  // namespace

LaunchSettings fsdp2(const Plan& plan) {
    LaunchSettings launch;
    launch.version = "pytorch/pytorch at 0257dd1c, torch/distributed/fsdp/_fully_shard/_fully_shard.py";
    add_settings(launch, plan.request);
    leave_out_states(launch, plan.request);
    leave_out_parallelism(launch, plan.request);
    leave_out_model(launch, plan);
    launch.text = python(launch, plan.request);
    return launch;
}

}  // namespace shardlab::launch
