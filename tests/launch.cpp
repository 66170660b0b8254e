#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <shardlab/errors.hpp>
#include <shardlab/launch.hpp>
#include <shardlab/transformer/presets.hpp>

#include "catch.hpp"
#include "refusal.hpp"
#include "shapes.hpp"

using namespace shardlab;

namespace {

using Values = std::map<std::string, std::string>;

const std::vector<std::string> frameworks{"megatron", "deepspeed", "torchtitan", "fsdp2"};

FootprintRequest llama_on(const Layout& layout) {
    FootprintRequest request;
    request.shape = llama_3_70b();
    request.layout = layout;
    request.sequence = 4096;
    request.micro_batches = 16;
    request.recipe = precision_recipe("mixed-adam-fp32-gradients");
    request.flash = true;
    return request;
}

FootprintRequest mixture_on(const Layout& layout) {
    FootprintRequest request = llama_on(layout);
    request.shape = mixture_shape();
    return request;
}

Values values_of(const LaunchSettings& launch) {
    Values values;
    for (const LaunchSetting& setting : launch.settings) {
        CHECK(values.emplace(setting.name, setting.value).second);
        CHECK_FALSE(setting.meaning.empty());
    }
    return values;
}

Values values(const FootprintRequest& request, const std::string& framework) {
    return values_of(launch_settings(request, framework));
}

bool leaves_out(const FootprintRequest& request, const std::string& framework, const std::string& beginning) {
    const LaunchSettings launch = launch_settings(request, framework);
    return std::any_of(launch.left_out.begin(), launch.left_out.end(),
                       [&](const std::string& sentence) { return sentence.rfind(beginning + ": ", 0) == 0; });
}

/// Holds that values has these, and none of the absent.
void require_values(const Values& values, const Values& expected, const std::vector<std::string>& absent = {}) {
    for (const auto& [name, value] : expected) {
        INFO(name);
        REQUIRE(values.count(name) == 1);
        CHECK(values.at(name) == value);
    }
    for (const std::string& name : absent) {
        INFO(name);
        CHECK(values.count(name) == 0);
    }
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// Arguments as a shell reads them: all lines but comments go on in the next, but for the last.
Values read_arguments(const std::string& text) {
    Values values;
    bool open = true;
    for (const std::string& whole : lines_of(text)) {
        if (whole.front() == '#') {
            continue;
        }
        CHECK(open);
        open = whole.back() == '\\';
        const std::string line = open ? whole.substr(0, whole.rfind(' ')) : whole;
        const std::size_t blank = line.find(' ');
        std::string value = blank == std::string::npos ? "" : line.substr(blank + 1);
        if (!value.empty() && value.front() == '\'') {
            CHECK(value.back() == '\'');
            value = value.substr(1, value.size() - 2);
        } else {
            CHECK(value.find_first_of(" |*()[],'\"") == std::string::npos);
        }
        CHECK(values.emplace(line.substr(0, blank), value).second);
    }
    CHECK_FALSE(open);
    return values;
}

/// A TOML file of tables, each of which stands once, and of values on one line.
Values read_toml(const std::string& text) {
    Values values;
    std::vector<std::string> tables;
    for (const std::string& line : lines_of(text)) {
        if (line.empty() || line.front() == '#') {
            continue;
        }
        if (line.front() == '[') {
            REQUIRE(line.back() == ']');
            const std::string table = line.substr(1, line.size() - 2);
            CHECK(std::find(tables.begin(), tables.end(), table) == tables.end());
            tables.push_back(table);
            continue;
        }
        const std::size_t equals = line.find(" = ");
        REQUIRE(equals != std::string::npos);
        REQUIRE_FALSE(tables.empty());
        CHECK(values.emplace(tables.back() + "." + line.substr(0, equals), line.substr(equals + 3)).second);
    }
    return values;
}

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

TEST_CASE("torchtitan is given Llama 3 70B on 128 ranks", "[launch]") {
    FootprintRequest request = llama_on({.tp = 8, .pp = 4, .dp = 2, .cp = 2});
    request.micro_batch = 2;
    request.schedule = "interleaved";
    request.sequence_parallel = true;
    request.recompute = Recomputation::full;
    request.zero_stage = 3;
    const LaunchSettings launch = launch_settings(request, "torchtitan");
    CHECK(values_of(launch) == Values{{"model.name", "\"llama3\""},
                                      {"model.flavor", "\"70B\""},
                                      {"training.local_batch_size", "32"},
                                      {"training.global_batch_size", "64"},
                                      {"training.seq_len", "4096"},
                                      {"training.mixed_precision_param", "\"bfloat16\""},
                                      {"training.mixed_precision_reduce", "\"float32\""},
                                      {"parallelism.data_parallel_replicate_degree", "1"},
                                      {"parallelism.data_parallel_shard_degree", "2"},
                                      {"parallelism.fsdp_reshard_after_forward", "\"always\""},
                                      {"parallelism.tensor_parallel_degree", "8"},
                                      {"parallelism.context_parallel_degree", "2"},
                                      {"parallelism.pipeline_parallel_degree", "4"},
                                      {"parallelism.pipeline_parallel_microbatch_size", "2"},
                                      {"parallelism.pipeline_parallel_schedule", "\"Interleaved1F1B\""},
                                      {"parallelism.pipeline_parallel_layers_per_stage", "10"},
                                      {"parallelism.pipeline_parallel_first_stage_less_layers", "0"},
                                      {"parallelism.pipeline_parallel_last_stage_less_layers", "0"},
                                      {"activation_checkpoint.mode", "\"full\""}});
    CHECK(read_toml(launch.text) == values_of(launch));
    CHECK(launch.left_out.size() == 1);
    CHECK(leaves_out(request, "torchtitan", "weight_bytes 2"));
}

TEST_CASE("torchtitan's sharding, whole, in groups and not at all", "[launch]") {
    FootprintRequest request = llama_on({.dp = 8, .cp = 2});
    const auto degrees = [&](const char* replicate, const char* shard) {
        require_values(values(request, "torchtitan"), {{"parallelism.data_parallel_replicate_degree", replicate},
                                                       {"parallelism.data_parallel_shard_degree", shard}});
    };
    degrees("8", "1");
    CHECK(leaves_out(request, "torchtitan", "zero_stage 0"));
    require_values(values(request, "torchtitan"), {{"training.local_batch_size", "1"}},
                   {"parallelism.fsdp_reshard_after_forward", "parallelism.pipeline_parallel_schedule"});
    request.zero_stage = 1;
    degrees("1", "8");
    CHECK(leaves_out(request, "torchtitan", "zero_stage 1"));
    request.zero_stage = 2;
    require_values(values(request, "torchtitan"), {{"parallelism.fsdp_reshard_after_forward", "\"never\""}});
    CHECK_FALSE(leaves_out(request, "torchtitan", "zero_stage 2"));
    request.shard_ranks = 4;
    degrees("4", "2");
    CHECK_FALSE(leaves_out(request, "torchtitan", "shard_ranks 4"));
    request.shard_ranks = 1;
    degrees("1", "8");
    CHECK(leaves_out(request, "torchtitan", "shard_ranks 1"));
}

TEST_CASE("torchtitan leaves out what it has no setting for", "[launch]") {
    FootprintRequest request = mixture_on({.tp = 2, .pp = 4, .dp = 4, .cp = 2});
    request.recompute = Recomputation::selective;
    request.flash = false;
    request.recipe = precision_recipe("muon");
    for (const char* field :
         {"sequence_parallel off", "recompute selective", "flash off", "gradient_bytes 2", "recipe muon",
          "layers 8, hidden 1024, vocabulary 32000 and the rest of the model's "
          "shape"}) {
        INFO(field);
        CHECK(leaves_out(request, "torchtitan", field));
    }
    for (const char* schedule : {"dualpipe", "zb-h1", "zb-h2", "zb-1p", "zb-2p"}) {
        request.schedule = schedule;
        CHECK(leaves_out(request, "torchtitan", std::string("schedule ") + schedule));
        require_values(values(request, "torchtitan"), {}, {"parallelism.pipeline_parallel_schedule"});
    }
    request.schedule = "1f1b";
    request.micro_batches = 2;
    CHECK(leaves_out(request, "torchtitan", "schedule 1f1b"));
    request.layout.pp = 1;
    CHECK_FALSE(leaves_out(request, "torchtitan", "schedule 1f1b"));
    request.schedule = "gpipe";
    CHECK(leaves_out(request, "torchtitan", "schedule gpipe"));
}

TEST_CASE("torchtitan's pipeline schedules go by PyTorch's names", "[launch]") {
    FootprintRequest request = llama_on({.pp = 4});
    const auto named = [&](const char* schedule) {
        request.schedule = schedule;
        return values(request, "torchtitan").at("parallelism.pipeline_parallel_schedule");
    };
    CHECK(named("gpipe") == "\"GPipe\"");
    CHECK(named("1f1b") == "\"1F1B\"");
    CHECK(named("looped-bfs") == "\"LoopedBFS\"");
    CHECK(named("zb-v") == "\"ZBVZeroBubble\"");
    CHECK(named("dualpipe-v") == "\"DualPipeV\"");
}

TEST_CASE("torchtitan bounds expert parallelism by the ranks that share states", "[launch]") {
    FootprintRequest request = mixture_on({.dp = 4, .cp = 2, .ep = 8});
    request.zero_stage = 3;
    require_values(values(request, "torchtitan"), {{"parallelism.expert_parallel_degree", "8"}});
    request.zero_stage = 0;
    CHECK(leaves_out(request, "torchtitan", "ep 8"));
    require_values(values(request, "torchtitan"), {}, {"parallelism.expert_parallel_degree"});
    request.layout = {.dp = 2, .cp = 4, .ep = 2};
    request.zero_stage = 3;
    CHECK(leaves_out(request, "torchtitan", "ep 2"));
}

TEST_CASE("torchtitan's offload takes all states", "[launch]") {
    FootprintRequest request = llama_on({.dp = 4});
    request.zero_stage = 3;
    request.offload = Offload::parameters;
    require_values(values(request, "torchtitan"), {{"training.enable_cpu_offload", "true"}});
    request.offload = Offload::optimizer;
    require_values(values(request, "torchtitan"), {}, {"training.enable_cpu_offload"});
    CHECK(leaves_out(request, "torchtitan", "offload optimizer"));
    request.recompute = Recomputation::full;
    request.recompute_every = 2;
    CHECK(leaves_out(request, "torchtitan", "recompute_every 2"));
}

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
