#include <algorithm>
#include <string>
#include <vector>

#include <shardlab/activations.hpp>
#include <shardlab/transformer.hpp>

#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"
#include "shapes.hpp"

using namespace shardlab;

namespace {

double layer_bytes(const TransformerShape& shape, const ActivationSetting& setting, bool with_experts = false) {
    return total_bytes(layer_activations(shape, with_experts, setting));
}

double term(const std::vector<ActivationTerm>& terms, const std::string& name) {
    const auto found = std::find_if(terms.begin(), terms.end(), [&](const auto& term) { return term.name == name; });
    return found == terms.end() ? 0 : found->bytes;
}

/// A shape and a setting that fit each other.
struct Case {
    TransformerShape shape;
    ActivationSetting setting;
};

Case random_case(Random& random) {
    const int heads = 8 << random.whole(0, 3);
    const int kv_heads = heads >> random.whole(0, 3);
    const int hidden = heads * 32 * random.whole(1, 4);
    Case drawn{llama_shape(hidden, 4, heads, kv_heads, 64 * random.whole(1, 64), random.whole(100, 200000)), {}};
    drawn.shape.gated_mlp = random.whole(0, 1) == 1;
    drawn.shape.dropout = random.whole(0, 1) == 1 ? dropout_everywhere : Dropout{};
    drawn.setting.sequence = 256 * random.whole(1, 64);
    drawn.setting.micro_batch = random.whole(1, 8);
    drawn.setting.tp = 1 << random.whole(0, 3);
    drawn.setting.cp = 1 << random.whole(0, 2);
    drawn.setting.sequence_parallel = random.whole(0, 1) == 1;
    drawn.setting.flash = random.whole(0, 1) == 1;
    drawn.setting.recompute = static_cast<Recomputation>(random.whole(0, 2));
    return drawn;
}

}  // namespace

TEST_CASE("a GPT layer's terms add up to Korthikanti's closed form", "[activations]") {
    for (const int tp : {1, 2, 4, 8, 16}) {
        for (const bool sequence_parallel : {false, true}) {
            for (const Recomputation recompute : {Recomputation::none, Recomputation::selective}) {
                CAPTURE(tp, sequence_parallel, static_cast<int>(recompute));
                const ActivationShape closed{.sequence = 2048,
                                             .micro_batch = 4,
                                             .hidden = 6144,
                                             .heads = 64,
                                             .tp = tp,
                                             .sequence_parallel = sequence_parallel,
                                             .recompute = recompute};
                const ActivationSetting setting{.sequence = 2048,
                                                .micro_batch = 4,
                                                .tp = tp,
                                                .sequence_parallel = sequence_parallel,
                                                .recompute = recompute};
                CHECK(layer_bytes(gpt_shape(6144, 48, 64, 51200, 2048), setting) == activation_memory_bytes(closed));
            }
        }
    }
}

TEST_CASE("sequence parallelism never raises memory: the GELU layer of 8192 features on 8 ranks", "[activations]") {
    const TransformerShape shape = gpt_shape(8192, 1, 64, 50000, 4096);
    ActivationSetting setting{.sequence = 4096, .micro_batch = 1, .tp = 8};
    CHECK(layer_bytes(shape, setting) == 1107296256.0);
    setting.sequence_parallel = true;
    CHECK(layer_bytes(shape, setting) == 813694976.0);
}

TEST_CASE("the input that full recomputation keeps is cut by sequence parallelism", "[activations]") {
    const TransformerShape shape = gpt_shape(8192, 1, 64, 50000, 4096);
    ActivationSetting setting{.sequence = 4096, .micro_batch = 1, .tp = 8, .recompute = Recomputation::full};
    CHECK(layer_bytes(shape, setting) == 2.0 * 4096 * 8192);
    setting.sequence_parallel = true;
    CHECK(layer_bytes(shape, setting) == 2.0 * 4096 * 8192 / 8);
}

TEST_CASE("a gated MLP keeps three inner tensors, grouped queries keep fewer keys and values", "[activations]") {
    const std::vector<ActivationTerm> terms =
        layer_activations(llama_3_70b(), false, {.sequence = 8192, .micro_batch = 1, .tp = 8});
    CHECK(term(terms, "mlp_gate") == 2.0 * 8192 * 28672 / 8);
    CHECK(term(terms, "mlp_up") == term(terms, "mlp_gate"));
    CHECK(term(terms, "mlp_product") == term(terms, "mlp_gate"));
    CHECK(term(terms, "queries") == 2.0 * 8192 * 8192 / 8);
    CHECK(term(terms, "keys") == 2.0 * 8192 * 128);
    CHECK(term(terms, "attention_scores") == 2.0 * 8192 * 8192 * 64 / 8);
    CHECK(term(terms, "attention_scores_dropout_mask") == 0);
    CHECK(term(terms, "mlp_dropout_mask") == 0);
}

TEST_CASE("key and value heads fewer than the ranks are held by several, which is said", "[activations]") {
    const TransformerShape shape = llama_shape(4096, 2, 32, 4, 14336, 1000);
    const ActivationSetting setting{.sequence = 1024, .micro_batch = 1, .tp = 8};
    CHECK(term(layer_activations(shape, false, setting), "keys") == 2.0 * 1024 * 128);
    REQUIRE(setting_notes(shape, setting).size() == 1);
    CHECK(setting_notes(shape, setting).front() == "kv_heads, 4, are fewer than tp, 8: each is held by 2 ranks");
    CHECK(setting_notes(shape, {.sequence = 1024, .micro_batch = 1, .tp = 4}).empty());
}

TEST_CASE("fused attention keeps a logarithm for each row in place of the scores", "[activations]") {
    const TransformerShape shape = gpt_shape(1024, 1, 16, 1000, 512);
    const std::vector<ActivationTerm> terms =
        layer_activations(shape, false, {.sequence = 512, .micro_batch = 2, .flash = true});
    CHECK(term(terms, "attention_scores") == 0);
    CHECK(term(terms, "attention_logarithms") == 4.0 * 16 * 512 * 2);
    CHECK(total_bytes(terms) == 34.0 * 512 * 2 * 1024 + 4.0 * 16 * 512 * 2);
}

TEST_CASE("with experts a token is kept once for each expert that it goes to, on whatever expert ranks",
          "[activations]") {
    const TransformerShape shape = mixture_shape();
    const ActivationSetting setting{.sequence = 256, .micro_batch = 1};
    const std::vector<ActivationTerm> terms = layer_activations(shape, true, setting);
    CHECK(term(terms, "expert_inputs") == 2.0 * 256 * 4 * 1024);
    CHECK(term(terms, "expert_inner") == 3 * 2.0 * 256 * 4 * 512);
    CHECK(term(terms, "shared_expert_inner") == 3 * 2.0 * 256 * 512);
    CHECK(term(terms, "router_probabilities") == 4.0 * 256 * 16);
    CHECK(term(terms, "mlp_gate") == 0);
    CHECK(term(layer_activations(shape, false, setting), "mlp_gate") == 2.0 * 256 * 4096);
}

TEST_CASE("latent attention keeps the latents of queries and of keys and values", "[activations]") {
    TransformerShape shape = llama_shape(1024, 2, 8, 8, 4096, 1000);
    shape.latent = {
        .kv_rank = 512, .query_rank = 768, .rope_head_size = 64, .plain_head_size = 128, .value_head_size = 96};
    const std::vector<ActivationTerm> terms =
        layer_activations(shape, false, {.sequence = 16, .micro_batch = 1, .tp = 2});
    CHECK(term(terms, "query_latent") == 2.0 * 16 * 768);
    CHECK(term(terms, "kv_latent") == 2.0 * 16 * 512);
    CHECK(term(terms, "kv_latent_norm_input") == 2.0 * 16 * (512 + 64));
    CHECK(term(terms, "queries") == 2.0 * 16 * 8 * (64 + 128) / 2);
    CHECK(term(terms, "keys") == term(terms, "queries"));
    CHECK(term(terms, "values") == 2.0 * 16 * 8 * 96 / 2);
}

TEST_CASE("before the first layer stands a mask, after the last 4sbh(1 + V/h)/t", "[activations]") {
    const TransformerShape shape = gpt_shape(12288, 96, 96, 51200, 2048);
    const ActivationSetting setting{.sequence = 2048, .micro_batch = 1, .tp = 8, .sequence_parallel = true};
    CHECK(total_bytes(embedding_activations(shape, setting)) == 2048.0 * 12288 / 8);
    CHECK(total_bytes(head_activations(shape, setting)) == 4.0 * 2048 * 12288 / 8 + 4.0 * 2048 * 51200 / 8);
    CHECK(total_bytes(embedding_activations(llama_3_70b(), setting)) == 0);
}

TEST_CASE("each place of dropout keeps its own masks", "[activations]") {
    const double tokens_by_hidden = 2048.0 * 1024;
    const double scores = 2048.0 * 2048 * 16;
    const ActivationSetting setting{.sequence = 2048};
    TransformerShape shape = gpt_shape(1024, 1, 16, 1000, 2048);
    shape.dropout = {};
    const double without = layer_bytes(shape, setting);
    CHECK(without == 32 * tokens_by_hidden + 2 * scores);
    CHECK(embedding_activations(shape, setting).empty());
    const auto more = [&](const Dropout& dropout) {
        shape.dropout = dropout;
        return layer_bytes(shape, setting) - without;
    };
    CHECK(more({.scores = true}) == 3 * scores);
    CHECK(more({.attention_output = true}) == tokens_by_hidden);
    CHECK(more({.mlp_output = true}) == tokens_by_hidden);
    CHECK(more({.embedding = true}) == 0);
    CHECK(total_bytes(embedding_activations(shape, setting)) == tokens_by_hidden);
}

TEST_CASE("a norm that attention and MLP share is kept once", "[activations]") {
    TransformerShape shape = gpt_shape(1024, 1, 16, 1000, 512);
    const ActivationSetting setting{.sequence = 512};
    const double in_turn = layer_bytes(shape, setting);
    const double waiting = weight_gradient_bytes(shape, false, setting);
    shape.parallel_block = true;
    CHECK(in_turn - layer_bytes(shape, setting) == 2.0 * 512 * 1024);
    shape.shared_norm = true;
    CHECK(in_turn - layer_bytes(shape, setting) == 4.0 * 512 * 1024);
    CHECK(waiting - weight_gradient_bytes(shape, false, setting) == 2.0 * 512 * 1024);
}

TEST_CASE("a sequence beyond learned positions is refused, beyond rotary ones it is noted", "[activations]") {
    const TransformerShape learned = gpt_shape(1024, 1, 16, 1000, 512);
    const auto kept = [&](int sequence) { layer_activations(learned, false, {.sequence = sequence}); };
    kept(512);
    require_refused("sequence", "513", [&] { kept(513); });
    require_refused("sequence", "513", [&] { flops_per_token(learned, 513); });
    TransformerShape rotary = llama_shape(1024, 1, 16, 16, 4096, 1000);
    CHECK(setting_notes(rotary, {.sequence = 8192}).empty());
    REQUIRE(setting_notes(rotary, {.sequence = 16384}).size() == 1);
    CHECK(setting_notes(rotary, {.sequence = 16384}).front() ==
          "sequence, 16384, is longer than the 8192 tokens that the model is made for: its rotary positions must be "
          "scaled, which changes no size");
    rotary.alibi = true;
    CHECK(setting_notes(rotary, {.sequence = 16384}).empty());
}

TEST_CASE("the rank with most of a vocabulary that does not divide keeps one row more of logits", "[activations]") {
    const std::vector<ActivationTerm> terms =
        head_activations(gpt_shape(768, 1, 12, 50257, 1024), {.sequence = 1024, .micro_batch = 1, .tp = 4});
    CHECK(term(terms, "logits") == 4.0 * 1024 * 12565);
}

TEST_CASE("a GPT layer keeps 32sbh for its weight gradients", "[activations]") {
    for (const int tp : {1, 8}) {
        const ActivationSetting setting{.sequence = 2048, .micro_batch = 1, .tp = tp, .sequence_parallel = true};
        CHECK(weight_gradient_bytes(gpt_shape(4096, 1, 32, 50000, 2048), false, setting) == 32.0 * 2048 * 4096 / tp);
    }
}

TEST_CASE("more tensor parallelism, sequence parallelism or recomputation never keeps more", "[activations]") {
    Random random(7001);
    for (int trial = 0; trial < 3000; ++trial) {
        const Case drawn = random_case(random);
        const double before = layer_bytes(drawn.shape, drawn.setting);
        CAPTURE(drawn.shape.hidden, drawn.shape.heads, drawn.shape.kv_heads, drawn.setting.tp, drawn.setting.cp,
                drawn.setting.sequence_parallel, static_cast<int>(drawn.setting.recompute), drawn.setting.flash);
        ActivationSetting more = drawn.setting;
        more.sequence_parallel = true;
        REQUIRE(layer_bytes(drawn.shape, more) <= before);
        more = drawn.setting;
        more.tp = 8;
        REQUIRE(layer_bytes(drawn.shape, more) <= before);
        more = drawn.setting;
        more.cp = 4;
        REQUIRE(layer_bytes(drawn.shape, more) <= before);
        for (int step = static_cast<int>(drawn.setting.recompute); step <= 2; ++step) {
            more = drawn.setting;
            more.recompute = static_cast<Recomputation>(step);
            REQUIRE(layer_bytes(drawn.shape, more) <= before);
        }
    }
}

TEST_CASE("a setting that a shape does not allow is refused by name", "[activations]") {
    const TransformerShape shape = llama_shape(3584, 28, 28, 4, 18944, 152064);
    const auto kept = [&](const ActivationSetting& setting) { layer_activations(shape, false, setting); };
    require_refused("heads", "28", [&] { kept({.sequence = 64, .tp = 8}); });
    require_refused("tp", "0", [&] { kept({.sequence = 64, .tp = 0}); });
    require_refused("sequence", "0", [&] { kept({}); });
    require_refused("micro_batch", "-1", [&] { kept({.sequence = 64, .micro_batch = -1}); });
    require_refused("cp", "0", [&] { kept({.sequence = 64, .cp = 0}); });
    require_refused("sequence", "63", [&] { kept({.sequence = 63, .cp = 2}); });
    require_refused("sequence", "63", [&] { kept({.sequence = 63, .tp = 2, .sequence_parallel = true}); });
    const TransformerShape odd = llama_shape(96, 1, 12, 6, 100, 10);
    require_refused("kv_heads", "6", [&] { layer_activations(odd, false, {.sequence = 8, .tp = 4}); });
    require_refused("ffn", "100", [&] { layer_activations(odd, false, {.sequence = 8, .tp = 6}); });
}
