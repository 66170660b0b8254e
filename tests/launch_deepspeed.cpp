#include <string>

#include <shardlab/launch.hpp>

#include "catch.hpp"
#include "launch_cases.hpp"

using namespace shardlab;

TEST_CASE("DeepSpeed is given batches, precision and ZeRO", "[launch]") {
    FootprintRequest request = llama_on({.dp = 8});
    request.micro_batch = 2;
    request.zero_stage = 3;
    request.offload = Offload::parameters;
    request.shard_ranks = 4;
    const LaunchSettings launch = launch_settings(request, "deepspeed");
    CHECK(values_of(launch) == Values{{"train_batch_size", "256"},
                                      {"train_micro_batch_size_per_gpu", "2"},
                                      {"gradient_accumulation_steps", "16"},
                                      {"bf16.enabled", "true"},
                                      {"data_types.grad_accum_dtype", "\"fp32\""},
                                      {"zero_optimization.stage", "3"},
                                      {"zero_optimization.offload_optimizer.device", "\"cpu\""},
                                      {"zero_optimization.offload_param.device", "\"cpu\""},
                                      {"zero_optimization.mics_shard_size", "4"}});
    CHECK(launch.text ==
          "{\n"
          "  \"train_batch_size\": 256,\n"
          "  \"train_micro_batch_size_per_gpu\": 2,\n"
          "  \"gradient_accumulation_steps\": 16,\n"
          "  \"bf16\": {\n"
          "    \"enabled\": true\n"
          "  },\n"
          "  \"data_types\": {\n"
          "    \"grad_accum_dtype\": \"fp32\"\n"
          "  },\n"
          "  \"zero_optimization\": {\n"
          "    \"stage\": 3,\n"
          "    \"offload_optimizer\": {\n"
          "      \"device\": \"cpu\"\n"
          "    },\n"
          "    \"offload_param\": {\n"
          "      \"device\": \"cpu\"\n"
          "    },\n"
          "    \"mics_shard_size\": 4\n"
          "  }\n"
          "}\n");
    request.offload = Offload::none;
    request.zero_stage = 1;
    request.recipe = precision_recipe("bf16-adam");
    require_values(values(request, "deepspeed"),
                   {{"bf16.bf16_master_weights_and_grads", "true"},
                    {"bf16.bf16_optimizer_states", "true"},
                    {"data_types.grad_accum_dtype", "\"bf16\""}},
                   {"zero_optimization.offload_optimizer.device", "zero_optimization.mics_shard_size"});
    for (const int stage : {1, 2}) {
        request.zero_stage = stage;
        CHECK(leaves_out(request, "deepspeed", "shard_ranks 4"));
    }
}

TEST_CASE("DeepSpeed's offload takes gradients along where the footprint has them in host memory", "[launch]") {
    FootprintRequest request = llama_on({.dp = 8});
    request.offload = Offload::optimizer;
    const auto meaning = [&](int stage) {
        request.zero_stage = stage;
        for (const LaunchSetting& setting : launch_settings(request, "deepspeed").settings) {
            if (setting.name == "zero_optimization.offload_optimizer.device") {
                return setting.meaning;
            }
        }
        return std::string();
    };
    CHECK(meaning(1) == "master weights and moments are in host memory");
    for (const int stage : {2, 3}) {
        CHECK(meaning(stage) == "master weights, moments and a rank's gradients are in host memory");
    }
}

TEST_CASE("DeepSpeed's JSON leaves the model and its cuts to Python", "[launch]") {
    FootprintRequest request = mixture_on({.tp = 2, .pp = 2, .dp = 4, .cp = 2, .ep = 4});
    request.schedule = "interleaved";
    request.layers_per_part = {2, 2, 2, 2};
    request.sequence_parallel = true;
    request.recompute = Recomputation::full;
    request.recompute_every = 2;
    request.zero_stage = 2;
    request.recipe = precision_recipe("muon");
    for (const char* field :
         {"tp 2", "sequence_parallel", "pp 2", "pp and zero_stage 2", "schedule interleaved", "layers_per_part", "cp 2",
          "ep 4", "recompute full, recompute_every 2", "flash on", "sequence 4096", "recipe muon",
          "layers 8, hidden 1024, vocabulary 32000 and the rest of the model's shape"}) {
        INFO(field);
        CHECK(leaves_out(request, "deepspeed", field));
    }
    const FootprintRequest plain = llama_on({.dp = 4});
    for (const char* field : {"tp 1", "pp 1", "cp 1", "ep 1", "schedule 1f1b", "recompute none"}) {
        INFO(field);
        CHECK_FALSE(leaves_out(plain, "deepspeed", field));
    }
    request.recipe = precision_recipe("adam-8bit");
    CHECK(leaves_out(request, "deepspeed", "moment_bytes 2"));
    request.zero_stage = 0;
    request.offload = Offload::optimizer;
    CHECK(leaves_out(request, "deepspeed", "offload optimizer"));
    request.recipe = precision_recipe("bf16-adam");
    CHECK(leaves_out(request, "deepspeed", "master_bytes 0"));
}
