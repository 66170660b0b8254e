#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <shardlab/accelerators.hpp>
#include <shardlab/errors.hpp>
#include <shardlab/footprint.hpp>
#include <shardlab/transformer/count.hpp>
#include <shardlab/transformer/presets.hpp>

#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"
#include "shapes.hpp"
#include "verified.hpp"

using namespace shardlab;

namespace {

constexpr double gibibyte = 1073741824;

/// States and activations alone.
Allowances nothing_on_top() {
    return {.context_bytes = 0,
            .communication_bytes = 0,
            .bucket_bytes = 0,
            .prefetched_layers = 0,
            .logit_gradients = false,
            .fragmentation = 0};
}

FootprintRequest request_for(const TransformerShape& shape, int sequence) {
    FootprintRequest request;
    request.shape = shape;
    request.sequence = sequence;
    request.recipe = precision_recipe("mixed-adam");
    request.allowances = nothing_on_top();
    return request;
}

Footprint sized(const FootprintRequest& request) {
    InFlightCache cache;
    return footprint(request, cache);
}

const StageFootprint& most_loaded(const Footprint& whole) {
    return whole.per_stage[static_cast<std::size_t>(whole.most_loaded_stage)];
}

/// A layout that a Llama of 32 layers and 32 heads allows, at random.
FootprintRequest random_request(Random& random) {
    FootprintRequest request = request_for(llama_shape(32 * 64, 32, 32, 8, 8192, 1000 * random.whole(1, 200)), 0);
    request.shape.tied_embeddings = random.whole(0, 1) == 1;
    request.shape.dropout = random.whole(0, 1) == 1 ? dropout_everywhere : Dropout{};
    request.sequence = 512 << random.whole(0, 5);
    request.layout = {.tp = 1 << random.whole(0, 2),
                      .pp = 1 << random.whole(0, 3),
                      .dp = 1 << random.whole(0, 6),
                      .cp = 1 << random.whole(0, 1)};
    request.micro_batch = random.whole(1, 4);
    request.micro_batches = random.whole(1, 24);
    request.sequence_parallel = random.whole(0, 1) == 1;
    request.recompute = static_cast<Recomputation>(random.whole(0, 2));
    request.flash = random.whole(0, 1) == 1;
    request.zero_stage = random.whole(0, 3);
    const char* schedules[] = {"1f1b", "gpipe", "zb-h1", "interleaved"};
    request.schedule = schedules[random.whole(0, 3)];
    return request;
}

double most_kept(const Footprint& whole) {
    double most = 0;
    for (const StageFootprint& stage : whole.per_stage) {
        most = std::max(most, stage.kept_bytes() + stage.logit_bytes);
    }
    return most;
}

}  // namespace

TEST_CASE("a footprint on one card holds what the parts hold", "[footprint]") {
    const TransformerShape shape = llama_3_70b();
    FootprintRequest request = request_for(shape, 4096);
    const Footprint whole = sized(request);
    REQUIRE(whole.per_stage.size() == 1);
    const StageFootprint& only = whole.per_stage.front();
    CHECK(only.parameters == 70553706496.0);
    CHECK(only.parameters == count_parameters(shape).total);
    CHECK(only.states.total() == 16 * 70553706496.0);
    const ActivationSetting setting{.sequence = 4096};
    const double layers = 80 * total_bytes(layer_activations(shape, false, setting));
    CHECK(only.activation_bytes == layers + 2 * 2.0 * 4096 * 8192);
    CHECK(only.logit_bytes == 4.0 * 4096 * 128256);
    CHECK(only.layers == 80);
    CHECK(only.total_bytes() == only.states.total() + only.activation_bytes + only.logit_bytes);
}

TEST_CASE("uneven stages: the answer is the heaviest stage, never the average", "[footprint]") {
    TransformerShape shape = gpt_shape(16, 8, 4, 32, 8);
    shape.tied_embeddings = false;
    shape.learned_positions = false;
    shape.qkv_bias = shape.attention_output_bias = shape.mlp_bias = false;
    FootprintRequest request = request_for(shape, 8);
    request.layout = {.pp = 4, .dp = 4};
    request.layers_per_part = {1, 2, 2, 3};
    request.recipe = precision_recipe("mixed-adam-fp32-gradients");
    request.zero_stage = 1;
    request.micro_batches = 4;
    const Footprint whole = sized(request);
    const StageFootprint& last = whole.per_stage.back();
    CHECK(last.parameters == 9952);
    CHECK(last.states.total() == 89568);
    for (const StageFootprint& stage : whole.per_stage) {
        CHECK(stage.states.total() <= 89568);
    }
    CHECK(whole.per_stage.front().layers == 1);
}

TEST_CASE("stages hold all parameters between them, a tied head twice", "[footprint]") {
    for (const bool tied : {false, true}) {
        TransformerShape shape = llama_shape(1024, 10, 16, 16, 4096, 5000);
        shape.tied_embeddings = tied;
        FootprintRequest request = request_for(shape, 128);
        request.layout.pp = 4;
        request.micro_batches = 8;
        const Footprint whole = sized(request);
        double sum = 0;
        for (const StageFootprint& stage : whole.per_stage) {
            sum += stage.parameters;
        }
        CHECK(sum == count_parameters(shape).total + (tied ? 5000.0 * 1024 : 0));
        CHECK(whole.per_stage[0].layers == 3);
        CHECK(whole.per_stage[3].layers == 2);
    }
}

TEST_CASE("in a V the first stage has the head too, and shares a tied embedding with it", "[footprint]") {
    TransformerShape shape = llama_shape(1024, 8, 16, 16, 4096, 5000);
    shape.tied_embeddings = true;
    FootprintRequest request = request_for(shape, 128);
    request.layout.pp = 4;
    request.micro_batches = 8;
    request.schedule = "zb-v";
    const Footprint whole = sized(request);
    CHECK(whole.per_stage[0].parameters == 2 * count_layer(shape, false).total() + 5000.0 * 1024 + 1024);
    CHECK(whole.per_stage[1].parameters == 2 * count_layer(shape, false).total());
    CHECK(whole.per_stage[0].logit_bytes > 0);
    CHECK(whole.per_stage[3].logit_bytes == 0);
}

TEST_CASE("two replicas of a model are held twice", "[footprint]") {
    FootprintRequest request = request_for(llama_shape(1024, 8, 16, 16, 4096, 5000), 128);
    request.layout.pp = 4;
    request.micro_batches = 8;
    request.schedule = "dualpipe";
    double sum = 0;
    for (const StageFootprint& stage : sized(request).per_stage) {
        sum += stage.parameters;
    }
    CHECK(sum == 2 * count_parameters(request.shape).total);
}

TEST_CASE("tensor parallelism cuts matrices and leaves norms, and holds a key head at least", "[footprint]") {
    const TransformerShape shape = llama_shape(1024, 4, 16, 2, 4096, 1001);
    FootprintRequest request = request_for(shape, 128);
    request.layout.tp = 8;
    const double attention = 1024.0 * (2 * 64 + 2 * 64) + 2 * 64 * 1024.0;
    const double mlp = 3 * 1024.0 * 4096 / 8;
    const double vocabulary = 126.0 * 1024;
    CHECK(sized(request).per_stage.front().parameters == 4 * (attention + mlp + 2 * 1024) + 2 * vocabulary + 1024);
    CHECK(sized(request).notes.size() == 1);
}

TEST_CASE("experts are cut by expert parallelism and sharded over what is left of the replicas", "[footprint]") {
    const TransformerShape shape = mixture_shape();
    FootprintRequest request = request_for(shape, 256);
    request.layout = {.dp = 8, .ep = 4};
    request.zero_stage = 1;
    const StageFootprint only = sized(request).per_stage.front();
    const double experts = count_parameters(shape).experts;
    const double dense = count_parameters(shape).total - experts;
    CHECK(only.dense_parameters == dense);
    CHECK(only.parameters == dense + experts / 4);
    CHECK(only.states.optimizer_bytes == 12 * dense / 8 + 12 * experts / 4 / 2);
    request.layout = {.dp = 8};
    CHECK(sized(request).per_stage.front().activation_bytes == only.activation_bytes);
}

TEST_CASE("activations in flight are those of the simulated schedule", "[footprint]") {
    FootprintRequest request = request_for(llama_shape(1024, 8, 16, 16, 4096, 5000), 128);
    request.layout.pp = 4;
    request.micro_batches = 8;
    const double one = 2 * total_bytes(layer_activations(request.shape, false, {.sequence = 128}));
    const Footprint whole = sized(request);
    for (std::size_t stage = 0; stage < 3; ++stage) {
        CHECK(whole.per_stage[stage].activation_bytes == (4 - static_cast<double>(stage)) * one);
        CHECK(whole.per_stage[stage].micro_batches_in_flight == 4 - static_cast<double>(stage));
    }
    request.schedule = "gpipe";
    CHECK(sized(request).per_stage[1].activation_bytes == 8 * one);
    CHECK(sized(request).per_stage[3].logit_bytes == 8 * 4.0 * 128 * 5000);
}

TEST_CASE("interleaving multiplies the first stage's activations by 1 + (P-1)/(PV)", "[footprint]") {
    // Korthikanti et al., arXiv:2205.05198, section 4.2.3, for their models of 175 and 530 billion parameters.
    const struct {
        int hidden, heads, layers, pp, chunks;
    } models[] = {{12288, 96, 96, 8, 3}, {20480, 128, 105, 35, 3}};
    for (const auto& model : models) {
        FootprintRequest request = request_for(gpt_shape(model.hidden, model.layers, model.heads, 51200, 2048), 2048);
        request.layout = {.tp = 8, .pp = model.pp};
        request.schedule = "interleaved";
        request.chunks = model.chunks;
        request.micro_batches = 3 * model.pp;
        request.sequence_parallel = true;
        request.recompute = Recomputation::selective;
        const double layer = 34.0 * 2048 * model.hidden / 8;
        const double factor = 1 + (model.pp - 1.0) / (model.pp * model.chunks);
        const StageFootprint first = sized(request).per_stage.front();
        CAPTURE(model.hidden, first.micro_batches_in_flight);
        // The first chunk, which has the embedding, holds 2P micro-batches at the worst moment.
        const double embedding = 2.0 * model.pp * 2048.0 * model.hidden / 8;
        CHECK(first.activation_bytes == Approx(model.layers * factor * layer + embedding).epsilon(1e-12));
    }
}

TEST_CASE("kept stage outputs of a pipeline of 35 stages are 2sbhp: 2.73 GiB", "[footprint]") {
    // Korthikanti et al., arXiv:2205.05198, appendix B.
    FootprintRequest request = request_for(gpt_shape(20480, 105, 128, 51200, 2048), 2048);
    request.layout = {.tp = 8, .pp = 35};
    request.micro_batches = 280;
    const double freed = sized(request).per_stage.front().activation_bytes;
    request.allowances.stage_outputs = true;
    const double kept = sized(request).per_stage.front().activation_bytes;
    CHECK((kept - freed) / gibibyte == Approx(2.7344).margin(0.00005));
}

TEST_CASE("the tables of the Ultra-Scale Playbook by its own assumptions: 32-bit Adam, a GPT with dropout",
          "[footprint]") {
    CHECK(agreeing_cells("ultrascale_memory", [](const std::string& row, const std::string&) {
              return row.rfind("memusage_activations", 0) == 0 || row.rfind("memory_recomputation", 0) == 0;
          }) == 116);
}

TEST_CASE("70 billion parameters at stage 3 on 8 cards do not fit 80 GB", "[footprint]") {
    FootprintRequest request = request_for(llama_3_70b(), 4096);
    request.layout.dp = 8;
    request.zero_stage = 3;
    const Footprint whole = sized(request);
    CHECK(most_loaded(whole).states.total() / gibibyte == Approx(131.42).margin(0.005));
    CHECK(whole.most_loaded_rank_bytes() > accelerator_from_name("h100-80gb").usable_bytes);
}

TEST_CASE("working sets: what is recomputed, what stage 3 gathers", "[footprint]") {
    FootprintRequest request = request_for(llama_shape(1024, 8, 16, 16, 4096, 5000), 128);
    request.layout.dp = 4;
    request.recompute = Recomputation::full;
    request.recompute_every = 2;
    const double layer = total_bytes(layer_activations(request.shape, false, {.sequence = 128}));
    StageFootprint only = sized(request).per_stage.front();
    CHECK(only.recomputed_bytes == 2 * layer);
    CHECK(only.activation_bytes == 4 * 2.0 * 128 * 1024 + 2 * 2.0 * 128 * 1024);
    CHECK(only.gathered_bytes == 0);

    request.zero_stage = 3;
    request.allowances.prefetched_layers = 1;
    only = sized(request).per_stage.front();
    const double parameters = count_layer(request.shape, false).total();
    CHECK(only.gathered_bytes == 2 * 2 * parameters + 2 * parameters);
}

TEST_CASE("stage 3 gathers layers behind the embedding and the head as behind a layer", "[footprint]") {
    FootprintRequest request = request_for(llama_shape(1024, 8, 16, 16, 4096, 50000), 128);
    request.layout = {.pp = 4, .dp = 4};
    request.zero_stage = 3;
    const double layer = count_layer(request.shape, false).total();
    const double vocabulary = 50000.0 * 1024;
    REQUIRE(vocabulary > 2 * layer);
    for (const int ahead : {0, 1, 2, 5}) {
        request.allowances.prefetched_layers = ahead;
        const Footprint whole = sized(request);
        // A stage has two layers, and no more can be gathered.
        const double behind = std::min(ahead, 2) * layer;
        CAPTURE(ahead);
        CHECK(whole.per_stage[0].gathered_bytes == 2 * (vocabulary + behind) + 2 * vocabulary);
        CHECK(whole.per_stage[1].gathered_bytes == 2 * std::min(1 + ahead, 2) * layer + 2 * layer);
        CHECK(whole.per_stage[3].gathered_bytes == whole.per_stage[0].gathered_bytes);
    }
    // A small embedding is less than the layer that is at work in its place.
    request.shape.vocabulary = 1000;
    request.layout.pp = 1;
    request.allowances.prefetched_layers = 1;
    CHECK(sized(request).per_stage[0].gathered_bytes == 2 * 2 * layer + 2 * layer);
}

TEST_CASE("stage 3 gathers what is shared with other ranks alone", "[footprint]") {
    const auto gathered = [](const char* preset, Layout layout, int shard_ranks, Offload offload = Offload::none) {
        FootprintRequest request = request_for(model_preset(preset).shape, 1024);
        request.allowances.prefetched_layers = 1;
        request.layout = layout;
        request.zero_stage = 3;
        request.shard_ranks = shard_ranks;
        request.offload = offload;
        return sized(request).per_stage.front().gathered_bytes;
    };
    // Mixtral's layer: attention, two norms and router, and 8 experts of three matrices.
    const double dense = 4096.0 * (2 * 4096 + 2 * 1024 + 2 + 8);
    const double expert = 3.0 * 4096 * 14336;
    const double vocabulary = 32000.0 * 4096;
    // With a rank for each expert no other has the same.
    const double whole = 2 * (vocabulary + dense) + 2 * vocabulary;
    CHECK(whole == 608256000);
    CHECK(gathered("mixtral-8x7b", {.dp = 8, .ep = 8}, 0) == whole);
    CHECK(gathered("mixtral-8x7b", {.dp = 8, .ep = 8}, 4) == whole);
    CHECK(gathered("mixtral-8x7b", {.dp = 8, .ep = 4}, 0) == (2 * 2 + 2) * (dense + 2 * expert));
    CHECK(gathered("mixtral-8x7b", {.dp = 4, .cp = 2, .ep = 4}, 2) == (2 * 2 + 2) * (dense + 2 * expert));
    CHECK(gathered("mixtral-8x7b", {.dp = 8, .ep = 4}, 1) == 0);
    CHECK(gathered("llama3-8b", {.dp = 8}, 1) == 0);
    // What is in host memory comes from there: gradients alone, and weights too.
    CHECK(gathered("mixtral-8x7b", {.dp = 8, .ep = 8}, 0, Offload::optimizer) ==
          2 * (vocabulary + dense) + 2 * (dense + expert));
    CHECK(gathered("mixtral-8x7b", {.dp = 8, .ep = 8}, 1, Offload::optimizer) == 2 * (dense + expert));
    CHECK(gathered("mixtral-8x7b", {.dp = 8, .ep = 8}, 1, Offload::parameters) == (2 * 2 + 2) * (dense + expert));
}

TEST_CASE("learned positions are gathered with the embedding, and the output's bias with the head", "[footprint]") {
    FootprintRequest request = request_for(model_preset("gpt2").shape, 1024);
    request.allowances.prefetched_layers = 1;
    request.layout.dp = 8;
    request.zero_stage = 3;
    const double layer = count_layer(request.shape, false).total();
    const double vocabulary = 50257.0 * 768;
    const double positions = 1024.0 * 768;
    const double gathered = 2 * (vocabulary + positions + layer) + 2 * (vocabulary + positions);
    CHECK(gathered == 171710976);
    CHECK(sized(request).per_stage.front().gathered_bytes == gathered);

    request.layout.pp = 2;
    request.shape.output_head_bias = true;
    const double head = vocabulary + 50257;
    CHECK(sized(request).per_stage.front().gathered_bytes == gathered);
    CHECK(sized(request).per_stage.back().gathered_bytes == 2 * (head + layer) + 2 * head);
}

TEST_CASE("what is offloaded comes to the card as it is needed, on one rank too", "[footprint]") {
    FootprintRequest request = request_for(llama_shape(1024, 8, 16, 16, 4096, 5000), 128);
    request.allowances.bucket_bytes = 100;
    request.allowances.prefetched_layers = 1;
    const double layer = count_layer(request.shape, false).total();
    const auto only = [&](int stage, Offload offload) {
        request.zero_stage = stage;
        request.offload = offload;
        return sized(request).per_stage.front();
    };
    CHECK(only(2, Offload::none).bucket_bytes == 0);
    CHECK(only(1, Offload::optimizer).bucket_bytes == 0);
    CHECK(only(2, Offload::optimizer).bucket_bytes == 100);
    CHECK(only(2, Offload::optimizer).states.gradient_bytes == 0);
    CHECK(only(3, Offload::none).gathered_bytes == 0);
    CHECK(only(3, Offload::optimizer).gathered_bytes == 2 * layer);
    CHECK(only(3, Offload::parameters).gathered_bytes == 2 * 2 * layer + 2 * layer);
    CHECK(only(3, Offload::parameters).states.total() == 0);
}

TEST_CASE("what comes on top is counted where it is needed, and fragmentation of what the allocator has",
          "[footprint]") {
    FootprintRequest request = request_for(llama_shape(1024, 2, 16, 16, 4096, 500), 128);
    request.allowances = {};
    request.allowances.fragmentation = 0.5;
    StageFootprint only = sized(request).per_stage.front();
    CHECK(only.context_bytes == request.allowances.context_bytes);
    CHECK(only.communication_bytes == 0);
    CHECK(only.bucket_bytes == 0);
    CHECK(only.fragmentation_bytes == 0.5 * (only.kept_bytes() + only.logit_bytes));
    CHECK(only.logit_bytes == 2 * 4.0 * 128 * 500);
    request.layout.dp = 2;
    only = sized(request).per_stage.front();
    CHECK(only.communication_bytes == request.allowances.communication_bytes);
    CHECK(only.bucket_bytes == request.allowances.bucket_bytes);
    request.zero_stage = 3;
    CHECK(sized(request).per_stage.front().bucket_bytes == 0);
}

TEST_CASE("more tp, more dp from stage 1, sequence parallelism or more recomputation never keep more", "[footprint]") {
    Random random(7004);
    InFlightCache cache;
    for (int trial = 0; trial < 10000; ++trial) {
        const FootprintRequest drawn = random_request(random);
        const double before = most_kept(footprint(drawn, cache));
        CAPTURE(trial, drawn.layout.tp, drawn.layout.pp, drawn.layout.dp, drawn.layout.cp, drawn.zero_stage,
                drawn.schedule, static_cast<int>(drawn.recompute), drawn.sequence_parallel, drawn.flash);
        FootprintRequest more = drawn;
        more.layout.tp *= 2;
        REQUIRE(most_kept(footprint(more, cache)) <= before);
        more = drawn;
        more.layout.dp *= 2;
        REQUIRE(most_kept(footprint(more, cache)) <= before);
        more = drawn;
        more.layout.dp += random.whole(1, 100);
        REQUIRE(most_kept(footprint(more, cache)) <= before);
        more = drawn;
        more.sequence_parallel = true;
        REQUIRE(most_kept(footprint(more, cache)) <= before);
        more = drawn;
        more.recompute = static_cast<Recomputation>(std::min(2, static_cast<int>(drawn.recompute) + 1));
        REQUIRE(most_kept(footprint(more, cache)) <= before);
        more = drawn;
        more.zero_stage = std::min(3, drawn.zero_stage + 1);
        REQUIRE(most_kept(footprint(more, cache)) <= before);
    }
}

TEST_CASE("with all that comes on top, more than two replicas never hold more than two", "[footprint]") {
    Random random(7006);
    InFlightCache cache;
    for (int trial = 0; trial < 2000; ++trial) {
        FootprintRequest drawn = random_request(random);
        drawn.allowances = {};
        drawn.zero_stage = random.whole(1, 3);
        drawn.offload = random.whole(0, 1) == 1 ? Offload::optimizer : Offload::none;
        drawn.layout.dp = random.whole(2, 50);
        FootprintRequest more = drawn;
        more.layout.dp += random.whole(1, 100);
        CAPTURE(trial, drawn.layout.dp, more.layout.dp, drawn.zero_stage);
        REQUIRE(footprint(more, cache).most_loaded_rank_bytes() <= footprint(drawn, cache).most_loaded_rank_bytes());
    }
}

TEST_CASE("a footprint refuses what does not go together", "[footprint]") {
    const FootprintRequest good = request_for(llama_shape(1024, 8, 16, 4, 4096, 5000), 128);
    const auto with = [&](auto change) {
        FootprintRequest request = good;
        change(request);
        return [request] { sized(request); };
    };
    require_refused("ep", "2", with([](auto& request) { request.layout = {.dp = 2, .ep = 2}; }));
    require_refused("layers_per_part", "2 numbers", with([](auto& request) { request.layers_per_part = {4, 4}; }));
    require_refused("layers_per_part", "7 in all", with([](auto& request) { request.layers_per_part = {7}; }));
    require_refused("micro_batches", "0", with([](auto& request) { request.micro_batches = 0; }));
    require_refused("zero_stage", "4", with([](auto& request) { request.zero_stage = 4; }));
    require_refused("recompute_every", "0", with([](auto& request) { request.recompute_every = 0; }));
    require_refused("fragmentation", "2", with([](auto& request) { request.allowances.fragmentation = 2; }));
    require_refused("heads", "16", with([](auto& request) { request.layout.tp = 32; }));
    require_refused("schedule", "fifo", with([](auto& request) { request.schedule = "fifo"; }));
    require_refused("shard_ranks", "3", with([](auto& request) {
                        request.layout.dp = 4;
                        request.shard_ranks = 3;
                    }));
    require_refused("shard_ranks", "4", with([](auto& request) {
                        request.shape = mixture_shape();
                        request.layout = {.dp = 12, .ep = 2};
                        request.shard_ranks = 4;
                    }));
    require_refused("pp", "3", with([](auto& request) {
                        request.layout.pp = 3;
                        request.micro_batches = 12;
                        request.schedule = "dualpipe";
                    }));
    require_refused("shard_ranks", "8", with([](auto& request) {
                        request.layout = {.dp = 2, .cp = 2};
                        request.shard_ranks = 8;
                    }));
    for (const Recomputation recompute : {Recomputation::none, Recomputation::selective}) {
        require_refused("recompute_every", "2", with([&](auto& request) {
                            request.recompute = recompute;
                            request.recompute_every = 2;
                        }));
    }
    require_refused("hidden", "0", with([](auto& request) { request.shape.hidden = 0; }));
}
