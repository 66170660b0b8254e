#include <string>

#include <shardlab/launch.hpp>

#include "catch.hpp"
#include "launch_cases.hpp"

using namespace shardlab;

TEST_CASE("fully_shard is given a mesh, a policy and the layers", "[launch]") {
    FootprintRequest request = llama_on({.tp = 2, .dp = 8});
    request.zero_stage = 3;
    request.shard_ranks = 4;
    request.offload = Offload::parameters;
    const LaunchSettings launch = launch_settings(request, "fsdp2");
    const std::string code = launch.text.substr(launch.text.find("import torch\n"));
    CHECK(code ==
          "import torch\n"
          "from torch.distributed.device_mesh import init_device_mesh\n"
          "from torch.distributed.fsdp import CPUOffloadPolicy, MixedPrecisionPolicy, fully_shard\n"
          "\n"
          "options = dict(\n"
          "    mesh=init_device_mesh(\"cuda\", (2, 4, 2), mesh_dim_names=(\"replicate\", \"shard\", \"tp\"))"
          "[\"replicate\", \"shard\"],\n"
          "    reshard_after_forward=True,\n"
          "    mp_policy=MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32),\n"
          "    offload_policy=CPUOffloadPolicy(),\n"
          ")\n"
          "fully_shard(model.tok_embeddings, **options)\n"
          "for layer in model.layers:\n"
          "    fully_shard(layer, **options)\n"
          "fully_shard([model.norm, model.output], **options)\n"
          "fully_shard(model, **options)\n");
    CHECK(leaves_out(request, "fsdp2", "tp 2"));
}

TEST_CASE("fully_shard gathers a tied embedding and head as one, and on stages those that are there", "[launch]") {
    FootprintRequest request = llama_on({.dp = 8});
    request.zero_stage = 3;
    request.shape.tied_embeddings = true;
    const auto units = [&] {
        const std::string text = launch_settings(request, "fsdp2").text;
        return text.substr(text.find("\n)\n") + 3);
    };
    CHECK(units() ==
          "fully_shard([model.tok_embeddings, model.norm, model.output], **options)  # of one shared weight\n"
          "for layer in model.layers:\n"
          "    fully_shard(layer, **options)\n"
          "fully_shard(model, **options)\n");
    request.layout.pp = 2;
    CHECK(units() ==
          "if model.tok_embeddings is not None:\n"
          "    fully_shard(model.tok_embeddings, **options)\n"
          "for layer in model.layers:\n"
          "    fully_shard(layer, **options)\n"
          "if model.output is not None:\n"
          "    fully_shard([model.norm, model.output], **options)\n"
          "fully_shard(model, **options)\n");
}

TEST_CASE("fully_shard's mesh is what shares states, in one axis or two", "[launch]") {
    FootprintRequest request = llama_on({.dp = 4, .cp = 2});
    request.zero_stage = 2;
    request.recipe = precision_recipe("mixed-adam");
    CHECK(values(request, "fsdp2") == Values{{"mesh", "init_device_mesh(\"cuda\", (8,), mesh_dim_names=(\"shard\",))"},
                                             {"reshard_after_forward", "False"},
                                             {"mp_policy.param_dtype", "torch.bfloat16"},
                                             {"mp_policy.reduce_dtype", "torch.bfloat16"}});
    CHECK(leaves_out(request, "fsdp2", "cp 2"));
    request.layout.pp = 2;
    request.recipe = precision_recipe("fp32-adam");
    require_values(values(request, "fsdp2"),
                   {{"mesh", "init_device_mesh(\"cuda\", (2, 8), mesh_dim_names=(\"pp\", \"shard\"))[\"shard\"]"},
                    {"mp_policy.param_dtype", "torch.float32"}});
}

TEST_CASE("fully_shard leaves out what it has no setting for", "[launch]") {
    FootprintRequest request = mixture_on({.tp = 2, .pp = 2, .dp = 4, .ep = 4});
    request.sequence_parallel = true;
    request.recompute = Recomputation::selective;
    request.offload = Offload::optimizer;
    request.layers_per_part = {5, 3};
    for (const char* field : {"zero_stage 0", "offload optimizer", "weight_bytes 2", "recipe mixed-adam-fp32-gradients",
                              "tp 2", "pp 2", "sequence_parallel", "schedule 1f1b", "layers_per_part", "ep 4",
                              "recompute selective", "flash on", "sequence 4096, micro_batch 1 and micro_batches 16"}) {
        INFO(field);
        CHECK(leaves_out(request, "fsdp2", field));
    }
    request.zero_stage = 1;
    request.recipe = precision_recipe("bf16-adam");
    CHECK(leaves_out(request, "fsdp2", "zero_stage 1"));
    CHECK(leaves_out(request, "fsdp2", "master_bytes 0"));
}
