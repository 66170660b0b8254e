#include <string>

#include <shardlab/launch.hpp>

#include "catch.hpp"
#include "launch_cases.hpp"
#include "launch_texts.hpp"

using namespace shardlab;

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
