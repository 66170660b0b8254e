#include <string>

#include <shardlab/launch.hpp>
#include <shardlab/transformer/presets.hpp>

#include "catch.hpp"
#include "launch_cases.hpp"
#include "launch_texts.hpp"
#include "shapes.hpp"

using namespace shardlab;

TEST_CASE("Megatron-LM is given Llama 3 70B on 64 ranks, interleaved", "[launch]") {
    FootprintRequest request = llama_on({.tp = 8, .pp = 4, .dp = 2});
    request.micro_batch = 2;
    request.schedule = "interleaved";
    request.chunks = 5;
    request.sequence_parallel = true;
    request.recompute = Recomputation::selective;
    request.zero_stage = 1;
    const LaunchSettings launch = launch_settings(request, "megatron");
    CHECK(launch.framework == "megatron");
    CHECK(launch.left_out.empty());
    require_values(values_of(launch),
                   {{"--tensor-model-parallel-size", "8"},
                    {"--pipeline-model-parallel-size", "4"},
                    {"--context-parallel-size", "1"},
                    {"--sequence-parallel", ""},
                    {"--num-layers-per-virtual-pipeline-stage", "4"},
                    {"--num-layers", "80"},
                    {"--hidden-size", "8192"},
                    {"--num-attention-heads", "64"},
                    {"--group-query-attention", ""},
                    {"--num-query-groups", "8"},
                    {"--ffn-hidden-size", "28672"},
                    {"--swiglu", ""},
                    {"--normalization", "RMSNorm"},
                    {"--disable-bias-linear", ""},
                    {"--untie-embeddings-and-output-weights", ""},
                    {"--position-embedding-type", "rope"},
                    {"--padded-vocab-size", "128256"},
                    {"--seq-length", "4096"},
                    {"--max-position-embeddings", "8192"},
                    {"--attention-dropout", "0.0"},
                    {"--hidden-dropout", "0.0"},
                    {"--micro-batch-size", "2"},
                    {"--global-batch-size", "64"},
                    {"--recompute-granularity", "selective"},
                    {"--recompute-modules", "core_attn"},
                    {"--attention-backend", "flash"},
                    {"--use-distributed-optimizer", ""},
                    {"--bf16", ""},
                    {"--accumulate-allreduce-grads-in-fp32", ""},
                    {"--optimizer", "adam"}},
                   {"--kv-channels", "--add-qkv-bias", "--num-experts", "--recompute-method", "--use-megatron-fsdp",
                    "--pipeline-model-parallel-layout", "--num-distributed-optimizer-instances"});
    CHECK(launch.text.find("# For 64 ranks, which leave dp 2;") != std::string::npos);
}

TEST_CASE("Megatron-LM is given a GPT with its biases, dropout, learned positions and tied embeddings", "[launch]") {
    FootprintRequest request = llama_on({.tp = 4});
    request.shape = gpt_shape(1024, 24, 16, 50257, 2048);
    request.flash = false;
    request.recompute = Recomputation::full;
    request.recompute_every = 3;
    request.sequence = 2048;
    request.recipe = precision_recipe("fp32-adam");
    require_values(values(request, "megatron"),
                   {{"--padded-vocab-size", "50260"},
                    {"--position-embedding-type", "learned_absolute"},
                    {"--max-position-embeddings", "2048"},
                    {"--normalization", "LayerNorm"},
                    {"--attention-backend", "unfused"},
                    {"--recompute-granularity", "full"},
                    {"--recompute-method", "uniform"},
                    {"--recompute-num-layers", "3"}},
                   {"--disable-bias-linear", "--attention-dropout", "--swiglu", "--group-query-attention", "--bf16",
                    "--untie-embeddings-and-output-weights", "--use-distributed-optimizer", "--sequence-parallel"});
    CHECK(launch_settings(request, "megatron").left_out.empty());
    request.shape.mlp_bias = false;
    require_values(values(request, "megatron"), {{"--disable-bias-linear", ""}, {"--add-qkv-bias", ""}});
    CHECK(leaves_out(request, "megatron", "attention_output_bias"));
    CHECK_FALSE(leaves_out(request, "megatron", "mlp_bias"));
}

TEST_CASE("Megatron-LM is given experts and their layers", "[launch]") {
    FootprintRequest request = mixture_on({.tp = 2, .dp = 8, .ep = 4});
    request.shape.experts.dense_layers = {0, 1, 5};
    const LaunchSettings launch = launch_settings(request, "megatron");
    require_values(values_of(launch), {{"--num-experts", "16"},
                                       {"--moe-router-topk", "4"},
                                       {"--moe-ffn-hidden-size", "512"},
                                       {"--moe-shared-expert-intermediate-size", "512"},
                                       {"--moe-layer-freq", "([0]*2+[1]*3+[0]*1+[1]*2)"},
                                       {"--expert-model-parallel-size", "4"}});
    CHECK(read_arguments(launch.text) == values_of(launch));
}

TEST_CASE("Megatron-LM is given latent attention and further predictions", "[launch]") {
    FootprintRequest request = llama_on({});
    request.shape = model_preset("deepseek-v3").shape;
    require_values(values(request, "megatron"),
                   {{"--multi-latent-attention", ""},
                    {"--kv-lora-rank", "512"},
                    {"--q-lora-rank", "1536"},
                    {"--qk-head-dim", "128"},
                    {"--qk-pos-emb-head-dim", "64"},
                    {"--v-head-dim", "128"},
                    {"--mtp-num-layers", "1"},
                    {"--moe-layer-freq", "([0]*3+[1]*58)"}},
                   {"--num-query-groups", "--kv-channels"});
    CHECK(leaves_out(request, "megatron", "experts.router_bias"));
}

TEST_CASE("Megatron-LM's ZeRO stages, and groups of them", "[launch]") {
    FootprintRequest request = llama_on({.dp = 8, .cp = 2});
    require_values(values(request, "megatron"), {}, {"--use-distributed-optimizer"});
    request.shard_ranks = 4;
    require_values(values(request, "megatron"), {}, {"--num-distributed-optimizer-instances"});
    request.zero_stage = 1;
    require_values(values(request, "megatron"),
                   {{"--use-distributed-optimizer", ""}, {"--num-distributed-optimizer-instances", "4"}},
                   {"--use-megatron-fsdp"});
    request.zero_stage = 2;
    require_values(values(request, "megatron"), {{"--data-parallel-sharding-strategy", "optim_grads"}});
    request.zero_stage = 3;
    require_values(values(request, "megatron"), {{"--use-megatron-fsdp", ""},
                                                 {"--ckpt-format", "fsdp_dtensor"},
                                                 {"--data-parallel-sharding-strategy", "optim_grads_params"}});
    request.recipe = precision_recipe("muon");
    CHECK(leaves_out(request, "megatron", "zero_stage 3"));
    require_values(values(request, "megatron"), {{"--optimizer", "muon"}}, {"--use-distributed-optimizer"});
}

TEST_CASE("Megatron-LM's bytes of a parameter", "[launch]") {
    FootprintRequest request = llama_on({.dp = 2});
    request.zero_stage = 1;
    const auto with = [&](const char* recipe) {
        request.recipe = precision_recipe(recipe);
        return values(request, "megatron");
    };
    require_values(with("mixed-adam"), {{"--bf16", ""}, {"--grad-reduce-in-bf16", ""}},
                   {"--accumulate-allreduce-grads-in-fp32", "--use-precision-aware-optimizer"});
    require_values(
        with("adam-8bit"),
        {{"--exp-avg-dtype", "fp8"}, {"--exp-avg-sq-dtype", "fp8"}, {"--use-precision-aware-optimizer", ""}});
    require_values(with("bf16-adam"), {{"--exp-avg-dtype", "bf16"}});
    CHECK(leaves_out(request, "megatron", "master_bytes 0"));
    require_values(with("sgd-momentum"), {{"--optimizer", "sgd"}}, {"--exp-avg-dtype"});
    with("mixed-adam-both-gradients");
    CHECK(leaves_out(request, "megatron", "gradient_bytes 6"));
    request.offload = Offload::optimizer;
    require_values(with("mixed-adam"), {{"--optimizer-cpu-offload", ""}, {"--use-precision-aware-optimizer", ""}});
    CHECK_FALSE(leaves_out(request, "megatron", "offload optimizer and zero_stage 1"));
    request.zero_stage = 2;
    CHECK(leaves_out(request, "megatron", "offload optimizer and zero_stage 2"));
    request.zero_stage = 0;
    require_values(with("adam-8bit"), {}, {"--optimizer-cpu-offload", "--exp-avg-dtype"});
    CHECK(leaves_out(request, "megatron", "offload optimizer"));
    CHECK(leaves_out(request, "megatron", "moment_bytes 2"));
    request.zero_stage = 3;
    request.offload = Offload::parameters;
    CHECK(leaves_out(request, "megatron", "offload parameters"));
}

TEST_CASE("Megatron-LM leaves out the schedules that it does not run", "[launch]") {
    FootprintRequest request = llama_on({.pp = 4});
    CHECK(launch_settings(request, "megatron").left_out.empty());
    for (const char* schedule : {"gpipe", "looped-bfs", "zb-h1", "zb-v", "dualpipe", "dualpipe-v"}) {
        request.schedule = schedule;
        CHECK(leaves_out(request, "megatron", std::string("schedule ") + schedule));
    }
    request.schedule = "interleaved";
    request.micro_batches = 6;
    CHECK(leaves_out(request, "megatron", "schedule interleaved"));
    require_values(values(request, "megatron"), {}, {"--num-layers-per-virtual-pipeline-stage"});
    request.layers_per_part.assign(8, 10);
    CHECK(leaves_out(request, "megatron", "layers_per_part"));
    request.micro_batches = 8;
    require_values(values(request, "megatron"), {{"--num-layers-per-virtual-pipeline-stage", "10"}});
}

TEST_CASE("Megatron-LM's context parallelism has fused attention alone", "[launch]") {
    FootprintRequest request = llama_on({.cp = 2});
    CHECK_FALSE(leaves_out(request, "megatron", "flash off"));
    request.flash = false;
    require_values(values(request, "megatron"), {{"--attention-backend", "flash"}});
    CHECK(leaves_out(request, "megatron", "flash off"));
    request.layout.cp = 1;
    require_values(values(request, "megatron"), {{"--attention-backend", "unfused"}});
    CHECK_FALSE(leaves_out(request, "megatron", "flash off"));
}

TEST_CASE("Megatron-LM's dropout is one number for the scores and one for the rest", "[launch]") {
    FootprintRequest request = llama_on({});
    request.shape.dropout = {.scores = true};
    require_values(values(request, "megatron"), {{"--hidden-dropout", "0.0"}}, {"--attention-dropout"});
    request.shape.dropout = dropout_everywhere;
    request.shape.dropout.scores = false;
    require_values(values(request, "megatron"), {{"--attention-dropout", "0.0"}}, {"--hidden-dropout"});
    CHECK_FALSE(leaves_out(request, "megatron", "dropout"));
    request.shape.dropout.embedding = false;
    CHECK(leaves_out(request, "megatron", "dropout"));
}
