#include <limits>

#include <shardlab/transformer.hpp>

#include "catch.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

ModelConfig llama(double hidden, double layers, double heads, double kv_heads, double ffn, double vocabulary) {
    return {{"model_type", std::string("llama")}, {"hidden_size", hidden},           {"num_hidden_layers", layers},
            {"num_attention_heads", heads},       {"num_key_value_heads", kv_heads}, {"intermediate_size", ffn},
            {"vocab_size", vocabulary},           {"tie_word_embeddings", false}};
}

ModelConfig llama_3_8b() {
    return llama(4096, 32, 32, 8, 14336, 128256);
}

ModelConfig gpt2_124m() {
    return {{"model_type", std::string("gpt2")},
            {"n_embd", 768.0},
            {"n_layer", 12.0},
            {"n_head", 12.0},
            {"n_positions", 1024.0},
            {"vocab_size", 50257.0}};
}

double parameters(const ModelConfig& config) {
    return count_parameters(shape_from_config(config)).total;
}

void require_config_refused(const std::string& field, const std::string& value, const ModelConfig& config) {
    require_refused(field, value, [&] { parameters(config); });
}

}  // namespace

TEST_CASE("parameters of public models are exact", "[transformer]") {
    CHECK(parameters(llama_3_8b()) == 8030261248.0);
    CHECK(parameters(llama(8192, 80, 64, 8, 28672, 128256)) == 70553706496.0);
    CHECK(parameters(llama(4096, 32, 32, 32, 11008, 32000)) == 6738415616.0);
    CHECK(parameters(gpt2_124m()) == 124439808.0);
}

TEST_CASE("parameters by part add up to the total", "[transformer]") {
    const ParameterCounts counts = count_parameters(shape_from_config(llama_3_8b()));
    CHECK(counts.token_embedding == 128256.0 * 4096);
    CHECK(counts.position_embedding == 0);
    CHECK(counts.attention == 32.0 * (2 * 4096 * 4096 + 2 * 4096 * 1024));
    CHECK(counts.mlp == 32.0 * 3 * 4096 * 14336);
    CHECK(counts.norms == 65.0 * 4096);
    CHECK(counts.output_head == counts.token_embedding);
    CHECK(counts.total == counts.token_embedding + counts.attention + counts.mlp + counts.norms + counts.output_head);
}

TEST_CASE("GPT-2 equals its closed form Vh + sh + L(12h^2 + 13h) + 2h", "[transformer]") {
    for (const double hidden : {768.0, 1024.0, 1280.0, 1600.0}) {
        ModelConfig config = gpt2_124m();
        config["n_embd"] = hidden;
        config["n_head"] = hidden / 64;
        CHECK(parameters(config) == (50257 + 1024) * hidden + 12 * (12 * hidden * hidden + 13 * hidden) + 2 * hidden);
    }
}

TEST_CASE("fields that a family defaults change the count when they are given", "[transformer]") {
    const double plain = parameters(llama_3_8b());
    ModelConfig config = llama_3_8b();
    config["tie_word_embeddings"] = true;
    CHECK(parameters(config) == plain - 128256.0 * 4096);
    config = llama_3_8b();
    config["attention_bias"] = true;
    CHECK(parameters(config) == plain + 32.0 * (4096 + 2 * 1024 + 4096));
    config = llama_3_8b();
    config["mlp_bias"] = true;
    CHECK(parameters(config) == plain + 32.0 * (2 * 14336 + 4096));
    config = llama_3_8b();
    config["head_dim"] = 256.0;
    CHECK(parameters(config) == plain + 32.0 * (2 * 4096 * 4096 + 2 * 4096 * 1024));
    config = llama_3_8b();
    config.erase("num_key_value_heads");
    CHECK(parameters(config) == plain + 32.0 * 2 * 4096 * (4096 - 1024));
    ModelConfig gpt2 = gpt2_124m();
    gpt2["n_inner"] = 1000.0;
    CHECK(parameters(gpt2) == 124439808.0 - 12.0 * (3072 - 1000) * (2 * 768 + 1));
}

TEST_CASE("a configuration that is missing a field or has a wrong one is refused by that field", "[transformer]") {
    ModelConfig config = llama_3_8b();
    config.erase("hidden_size");
    require_config_refused("hidden_size", "missing", config);
    config["hidden_size"] = std::string("4096");
    require_config_refused("hidden_size", "\"4096\"", config);
    config["hidden_size"] = 40.5;
    require_config_refused("hidden_size", "40.5", config);
    config["hidden_size"] = 0.0;
    require_config_refused("hidden_size", "0", config);
    config["hidden_size"] = 4097.0;
    require_config_refused("num_attention_heads", "32", config);
    config = llama_3_8b();
    config["num_key_value_heads"] = 5.0;
    require_config_refused("num_key_value_heads", "5", config);
    config["tie_word_embeddings"] = 1.0;
    config["num_key_value_heads"] = 8.0;
    require_config_refused("tie_word_embeddings", "1", config);
    config["num_key_value_heads"] = NestedField{};
    require_config_refused("num_key_value_heads", "a list or an object", config);
    config = gpt2_124m();
    config["add_cross_attention"] = true;
    require_config_refused("add_cross_attention", "true", config);
    require_config_refused("model_type", "missing", {});
    require_config_refused("model_type", "mamba", {{"model_type", std::string("mamba")}});
    require_config_refused("model_type", "3", {{"model_type", 3.0}});
}

TEST_CASE("a model beyond 2^53 parameters is refused and never rounded", "[transformer]") {
    ModelConfig config = llama_3_8b();
    config["num_hidden_layers"] = 2000000000.0;
    const Refusal refusal = refusal_of([&] { parameters(config); });
    CHECK(refusal.parameter == "params");
    config = gpt2_124m();
    config["n_embd"] = 2147483640.0;
    require_config_refused("n_embd", "2147483640", config);
}

TEST_CASE("a shape of one's own is checked field by field", "[transformer]") {
    TransformerShape shape{.hidden = 8,
                           .layers = 1,
                           .heads = 2,
                           .kv_heads = 2,
                           .head_size = 4,
                           .ffn = 16,
                           .vocabulary = 10,
                           .sequence = 4};
    CHECK(count_parameters(shape).total == 10 * 8 + (4 * 8 * 8) + 2 * 8 * 16 + 3 * 8 + 10 * 8);
    shape.kv_heads = 0;
    require_refused("kv_heads", "0", [&] { count_parameters(shape); });
    shape.kv_heads = 3;
    require_refused("kv_heads", "3", [&] { count_parameters(shape); });
}

TEST_CASE("what is said of experts that a model does not have decides nothing and overflows nothing", "[transformer]") {
    TransformerShape shape{.hidden = 8,
                           .layers = 1,
                           .heads = 2,
                           .kv_heads = 2,
                           .head_size = 4,
                           .ffn = 16,
                           .vocabulary = 10,
                           .sequence = 4};
    const double plain = count_parameters(shape).active;
    shape.experts.per_token = std::numeric_limits<int>::min();
    CHECK(count_parameters(shape).active == plain);
}
