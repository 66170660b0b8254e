#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <shardlab/launch.hpp>
#include <shardlab/transformer/presets.hpp>

#include "catch.hpp"
#include "launch_cases.hpp"
#include "launch_texts.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

const std::vector<std::string> frameworks{"megatron", "deepspeed", "torchtitan", "fsdp2"};

std::string all_of(const LaunchSettings& launch) {
    std::string all;
    for (const LaunchSetting& setting : launch.settings) {
        all += setting.name + "=" + setting.value + "\n";
    }
    for (const std::string& sentence : launch.left_out) {
        all += sentence + "\n";
    }
    return all;
}

/// A change of a request, and its name.
struct Mutation {
    const char* name;
    std::function<void(FootprintRequest&)> apply;
};

void require_heard(const FootprintRequest& request, const std::string& framework, const Mutation& mutation) {
    INFO(framework << ", " << mutation.name);
    FootprintRequest changed = request;
    mutation.apply(changed);
    CHECK(all_of(launch_settings(changed, framework)) != all_of(launch_settings(request, framework)));
}

}  // namespace

TEST_CASE("uneven model parts are told as Megatron-LM's layout and torchtitan's modules", "[launch]") {
    FootprintRequest request = llama_on({.pp = 4});
    request.shape.layers = 6;
    require_values(values(request, "megatron"), {{"--pipeline-model-parallel-layout", "Et*2|t*2|t*1|t*1,L"}},
                   {"--num-layers-per-virtual-pipeline-stage"});
    CHECK(read_arguments(launch_settings(request, "megatron").text).at("--pipeline-model-parallel-layout") ==
          "Et*2|t*2|t*1|t*1,L");
    request.layers_per_part = {0, 3, 2, 1};
    request.shape.prediction_layers = 1;
    require_values(values(request, "megatron"), {{"--pipeline-model-parallel-layout", "E|t*3|t*2|t*1,m*1,L"}});
    require_values(values(request, "torchtitan"),
                   {{"parallelism.module_fqns_per_model_part",
                     R"([["tok_embeddings"], ["layers.0", "layers.1", "layers.2"], ["layers.3", "layers.4"], )"
                     R"(["layers.5", "norm", "output"]])"}},
                   {"parallelism.pipeline_parallel_layers_per_stage"});
}

TEST_CASE("a sequence beyond the model's positions is told to every framework or refused", "[launch]") {
    FootprintRequest request = llama_on({});
    for (const std::string& framework : frameworks) {
        INFO(framework);
        request.sequence = 8192;
        CHECK_FALSE(leaves_out(request, framework, "sequence beyond 8192"));
        request.sequence = 16384;
        CHECK(leaves_out(request, framework, "sequence beyond 8192"));
    }
    request.shape.learned_positions = true;
    require_refused("sequence", "16384", [&] { launch_settings(request, "megatron"); });
}

TEST_CASE("no field of a request is lost in silence", "[launch]") {
    FootprintRequest request = mixture_on({.tp = 2, .pp = 2, .dp = 4, .cp = 2});
    request.zero_stage = 3;
    request.schedule = "interleaved";
    request.chunks = 2;
    request.recompute = Recomputation::full;
    const std::vector<Mutation> mutations{
        {"tp", [](auto& changed) { changed.layout.tp = 4; }},
        {"pp", [](auto& changed) { changed.layout.pp = 4; }},
        {"dp", [](auto& changed) { changed.layout.dp = 8; }},
        {"cp", [](auto& changed) { changed.layout.cp = 4; }},
        {"ep", [](auto& changed) { changed.layout.ep = 4; }},
        {"sequence", [](auto& changed) { changed.sequence = 8192; }},
        {"micro_batch", [](auto& changed) { changed.micro_batch = 2; }},
        {"micro_batches", [](auto& changed) { changed.micro_batches = 32; }},
        {"sequence_parallel", [](auto& changed) { changed.sequence_parallel = true; }},
        {"recompute", [](auto& changed) { changed.recompute = Recomputation::none; }},
        {"recompute", [](auto& changed) { changed.recompute = Recomputation::selective; }},
        {"recompute_every", [](auto& changed) { changed.recompute_every = 2; }},
        {"flash", [](auto& changed) { changed.flash = false; }},
        {"schedule", [](auto& changed) { changed.schedule = "looped-bfs"; }},
        {"chunks", [](auto& changed) { changed.chunks = 4; }},
        {"layers_per_part",
         [](auto& changed) {
             changed.layers_per_part = {3, 1, 2, 2};
         }},
        {"zero_stage", [](auto& changed) { changed.zero_stage = 0; }},
        {"zero_stage", [](auto& changed) { changed.zero_stage = 1; }},
        {"zero_stage", [](auto& changed) { changed.zero_stage = 2; }},
        {"shard_ranks", [](auto& changed) { changed.shard_ranks = 4; }},
        {"offload", [](auto& changed) { changed.offload = Offload::optimizer; }},
        {"offload", [](auto& changed) { changed.offload = Offload::parameters; }},
    };
    for (const std::string& framework : frameworks) {
        for (const Mutation& mutation : mutations) {
            require_heard(request, framework, mutation);
        }
    }
}

TEST_CASE("no field of a shape is lost on Megatron-LM", "[launch]") {
    FootprintRequest request = mixture_on({});
    request.shape.experts.router_bias = true;
    const std::vector<Mutation> mutations{
        {"hidden", [](auto& changed) { changed.shape.hidden = 2048; }},
        {"layers", [](auto& changed) { changed.shape.layers = 16; }},
        {"heads", [](auto& changed) { changed.shape.heads = 8; }},
        {"kv_heads", [](auto& changed) { changed.shape.kv_heads = 8; }},
        {"head_size", [](auto& changed) { changed.shape.head_size = 128; }},
        {"ffn", [](auto& changed) { changed.shape.ffn = 8192; }},
        {"vocabulary", [](auto& changed) { changed.shape.vocabulary = 32001; }},
        {"sequence", [](auto& changed) { changed.shape.sequence = 16384; }},
        {"gated_mlp", [](auto& changed) { changed.shape.gated_mlp = false; }},
        {"tied_embeddings", [](auto& changed) { changed.shape.tied_embeddings = true; }},
        {"learned_positions", [](auto& changed) { changed.shape.learned_positions = true; }},
        {"qkv_bias", [](auto& changed) { changed.shape.qkv_bias = true; }},
        {"attention_output_bias", [](auto& changed) { changed.shape.attention_output_bias = true; }},
        {"attention_sinks", [](auto& changed) { changed.shape.attention_sinks = true; }},
        {"mlp_bias", [](auto& changed) { changed.shape.mlp_bias = true; }},
        {"norm_bias", [](auto& changed) { changed.shape.norm_bias = true; }},
        {"norm_inputs", [](auto& changed) { changed.shape.norm_inputs = false; }},
        {"parallel_block", [](auto& changed) { changed.shape.parallel_block = true; }},
        {"output_head_bias", [](auto& changed) { changed.shape.output_head_bias = true; }},
        {"norm_weight", [](auto& changed) { changed.shape.norm_weight = false; }},
        {"shared_norm", [](auto& changed) { changed.shape.parallel_block = changed.shape.shared_norm = true; }},
        {"alibi", [](auto& changed) { changed.shape.alibi = true; }},
        {"dropout.scores", [](auto& changed) { changed.shape.dropout.scores = true; }},
        {"dropout.attention_output", [](auto& changed) { changed.shape.dropout.attention_output = true; }},
        {"dropout.mlp_output", [](auto& changed) { changed.shape.dropout.mlp_output = true; }},
        {"dropout.embedding", [](auto& changed) { changed.shape.dropout.embedding = true; }},
        {"extra_norms.outputs", [](auto& changed) { changed.shape.extra_norms.outputs = true; }},
        {"extra_norms.heads", [](auto& changed) { changed.shape.extra_norms.heads = true; }},
        {"extra_norms.projections", [](auto& changed) { changed.shape.extra_norms.projections = true; }},
        {"latent",
         [](auto& changed) {
             changed.shape.latent = {64, 0, 32, 64, 64};
         }},
        {"experts.count", [](auto& changed) { changed.shape.experts.count = 8; }},
        {"experts.per_token", [](auto& changed) { changed.shape.experts.per_token = 2; }},
        {"experts.ffn", [](auto& changed) { changed.shape.experts.ffn = 1024; }},
        {"experts.shared_ffn", [](auto& changed) { changed.shape.experts.shared_ffn = 0; }},
        {"experts.shared_gate", [](auto& changed) { changed.shape.experts.shared_gate = true; }},
        {"experts.router_bias", [](auto& changed) { changed.shape.experts.router_bias = false; }},
        {"experts.expert_bias", [](auto& changed) { changed.shape.experts.expert_bias = true; }},
        {"experts.dense_layers", [](auto& changed) { changed.shape.experts.dense_layers = {}; }},
        {"prediction_layers", [](auto& changed) { changed.shape.prediction_layers = 1; }},
    };
    for (const Mutation& mutation : mutations) {
        require_heard(request, "megatron", mutation);
    }
}

TEST_CASE("no two recipes come to the same launch", "[launch]") {
    FootprintRequest request = llama_on({.dp = 4});
    request.zero_stage = 1;
    for (const std::string& framework : frameworks) {
        std::map<std::string, std::string> seen;
        for (const PrecisionRecipe& recipe : precision_recipes()) {
            request.recipe = recipe;
            INFO(framework << ", " << recipe.name);
            CHECK(seen.emplace(all_of(launch_settings(request, framework)), recipe.name).second);
        }
    }
}

TEST_CASE("a launch's text says that it was not run and holds every setting, and what is left out is sentences",
          "[launch]") {
    for (const ModelPreset& preset : model_presets()) {
        FootprintRequest request = llama_on({.pp = 3, .dp = 4});
        request.shape = preset.shape;
        request.sequence = 512;
        request.zero_stage = 2;
        INFO(preset.id);
        for (const std::string& framework : frameworks) {
            INFO(framework);
            const LaunchSettings launch = launch_settings(request, framework);
            if (framework != "deepspeed") {
                CHECK(launch.text.front() == '#');
                const std::string first = launch.text.substr(0, launch.text.find('\n'));
                CHECK(first.find("not run here") != std::string::npos);
                CHECK(first.find(launch.version) != std::string::npos);
            }
            for (const LaunchSetting& setting : launch.settings) {
                CHECK(launch.text.find(setting.name.substr(setting.name.rfind('.') + 1)) != std::string::npos);
                CHECK(launch.text.find(setting.value) != std::string::npos);
            }
            for (const std::string& sentence : launch.left_out) {
                CHECK(sentence.find(": ") != std::string::npos);
                CHECK(sentence.back() == '.');
                CHECK(sentence[sentence.size() - 2] != '.');
            }
        }
        const LaunchSettings megatron = launch_settings(request, "megatron");
        CHECK(read_arguments(megatron.text) == values_of(megatron));
        const LaunchSettings torchtitan = launch_settings(request, "torchtitan");
        CHECK(read_toml(torchtitan.text) == values_of(torchtitan));
    }
}

TEST_CASE("a launch refuses what a footprint refuses, and frameworks that it does not know", "[launch]") {
    const FootprintRequest good = llama_on({.dp = 4});
    require_refused("framework", "nemo", [&] { launch_settings(good, "nemo"); });
    require_refused("framework", "", [&] { launch_settings(good, ""); });
    const auto refuses = [&](const char* parameter, const char* value, void (*spoil)(FootprintRequest&)) {
        FootprintRequest request = good;
        spoil(request);
        for (const std::string& framework : frameworks) {
            require_refused(parameter, value, [&] { launch_settings(request, framework); });
        }
    };
    refuses("tp", "0", [](FootprintRequest& request) { request.layout.tp = 0; });
    refuses("sequence", "0", [](FootprintRequest& request) { request.sequence = 0; });
    refuses("zero_stage", "4", [](FootprintRequest& request) { request.zero_stage = 4; });
    refuses("schedule", "fifo", [](FootprintRequest& request) { request.schedule = "fifo"; });
    refuses("shard_ranks", "3", [](FootprintRequest& request) { request.shard_ranks = 3; });
    refuses("offload", "parameters", [](FootprintRequest& request) { request.offload = Offload::parameters; });
    refuses("layers_per_part", "2 in all", [](FootprintRequest& request) { request.layers_per_part = {2}; });
    refuses("ep", "2", [](FootprintRequest& request) { request.layout.ep = 2; });
}
