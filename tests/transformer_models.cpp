#include <string>
#include <utility>
#include <vector>

#include <shardlab/transformer.hpp>

#include "catch.hpp"
#include "refusal.hpp"
#include "table.hpp"
#include "verified.hpp"

using namespace shardlab;

namespace {

struct Model {
    std::string name;
    std::string preset;
    ModelConfig config;
    double params;
};

std::vector<Model> published_models() {
    std::vector<Model> models;
    for (const std::vector<std::string>& row : table_rows(published_csv("model_params"), 4)) {
        models.push_back({row[0], row[1], config_from_fields(row[2]), std::stod(row[3])});
    }
    return models;
}

ParameterCounts counts_of(const std::string& fields) {
    return count_parameters(shape_from_config(config_from_fields(fields)));
}

/// What a published file of weights holds that has its prediction heads, each with an embedding and a head of its own.
double with_copies(const ParameterCounts& counts) {
    return counts.total + counts.prediction_heads + counts.token_embedding + counts.output_head;
}

}  // namespace

TEST_CASE("published models have their published parameters", "[transformer][models]") {
    const auto of_column = [](const std::string& asked) {
        return [asked](const std::string&, const std::string& column) { return column == asked; };
    };
    const std::vector<Model> models = published_models();
    CHECK(models.size() >= 43);
    CHECK(agreeing_cells("model_params", of_column("parameters")) == models.size());
    CHECK(agreeing_cells("model_params", of_column("active parameters")) >= 1);
    for (const Model& model : models) {
        INFO(model.name);
        CHECK(unknown_fields(model.config).empty());
    }
}

TEST_CASE("presets are the published models", "[transformer][models]") {
    std::size_t checked = 0;
    for (const Model& model : published_models()) {
        if (!model.preset.empty()) {
            INFO(model.preset);
            const ModelPreset& preset = model_preset(model.preset);
            CHECK(preset.name == model.name);
            CHECK(count_parameters(preset.shape).total == model.params);
            CHECK(preset.shape.sequence == shape_from_config(model.config).sequence);
            ++checked;
        }
    }
    CHECK(checked == 25);
    CHECK(model_presets().size() == 30);
    for (const ModelPreset& preset : model_presets()) {
        CHECK_FALSE(preset.source.empty());
        CHECK(&model_preset(preset.id) == &preset);
    }
    const Refusal refusal = refusal_of([] { model_preset("gpt-5"); });
    CHECK(refusal.parameter == "preset");
    CHECK(refusal.value == "gpt-5");
    CHECK(refusal.rule.find("llama3-8b, ") != std::string::npos);
}

TEST_CASE("GPTs of papers have 12Lh^2 parameters and what is small beside them", "[transformer][models]") {
    // Brown et al., arXiv:2005.14165, table 2.1; Korthikanti et al., arXiv:2205.05198, table 3.
    for (const auto& [id, billions] : {std::pair{"gpt3-175b", 175.0},
                                       {"megatron-22b", 22.0},
                                       {"megatron-175b", 175.0},
                                       {"megatron-530b", 530.0},
                                       {"megatron-1t", 1008.0}}) {
        const TransformerShape& shape = model_preset(id).shape;
        const double hidden = shape.hidden;
        const double total = count_parameters(shape).total;
        CHECK(total == Approx(billions * 1e9).epsilon(0.015));
        CHECK(total == shape.layers * (12 * hidden * hidden + 13 * hidden) +
                           (static_cast<double>(shape.vocabulary) + shape.sequence + 2) * hidden);
    }
}

TEST_CASE("the published weights of models with prediction heads are counted to the last", "[transformer][models]") {
    // The files hold the heads' shared embedding and output head once more. DeepSeek-V3's README: 11.5 billion
    // parameters of its prediction head are its own.
    const ParameterCounts v3 = count_parameters(model_preset("deepseek-v3").shape);
    CHECK(v3.prediction_heads == 11610068224.0);
    CHECK(with_copies(v3) == 684489845504.0);
    const std::string glm =
        "model_type=glm4_moe num_key_value_heads=8 vocab_size=151552 head_dim=128 attention_bias=true "
        "n_shared_experts=1 "
        "num_experts_per_tok=8 num_nextn_predict_layers=1 num_attention_heads=96 ";
    // zai-org/GLM-4.5-Air and zai-org/GLM-4.5.
    const ParameterCounts air = counts_of(glm +
                                          "hidden_size=4096 num_hidden_layers=46 intermediate_size=10944 "
                                          "moe_intermediate_size=1408 n_routed_experts=128 first_k_dense_replace=1");
    CHECK(air.total == 106852251264.0);
    CHECK(with_copies(air) == 110468824832.0);
    const ParameterCounts large = counts_of(glm +
                                            "hidden_size=5120 num_hidden_layers=92 intermediate_size=12288 "
                                            "moe_intermediate_size=1536 n_routed_experts=160 first_k_dense_replace=3 "
                                            "use_qk_norm=true");
    CHECK(with_copies(large) == 358337791296.0);
}

TEST_CASE("a mixture's parts are those that its papers name", "[transformer][models]") {
    const TransformerShape v3 = model_preset("deepseek-v3").shape;
    CHECK_FALSE(has_experts(v3, 2));
    CHECK(has_experts(v3, 3));
    const ParameterCounts counts = count_parameters(v3);
    CHECK(counts.mlp == 3.0 * 3 * 7168 * 18432);
    CHECK(counts.experts == 58.0 * 256 * 3 * 7168 * 2048);
    CHECK(counts.shared_experts == 58.0 * 3 * 7168 * 2048);
    CHECK(counts.router == 58.0 * 256 * (7168 + 1));
    CHECK(counts.norms == (2 * 61 + 1) * 7168.0);
    // Every projection of arXiv:2412.19437, section 2.1.1, and the norms of the two latents.
    CHECK(counts.attention == 61.0 * (7168.0 * 1536 + 1536 + 1536.0 * 128 * 192 + 7168.0 * 576 + 512 +
                                      512.0 * 128 * 256 + 128.0 * 128 * 7168));
    CHECK(counts.active == counts.total - 58.0 * 248 * 3 * 7168 * 2048);

    const LayerParameters layer = count_layer(v3, true);
    CHECK(layer.mlp == 0);
    CHECK(58 * layer.experts == counts.experts);
    CHECK(count_layer(v3, false).mlp == 3.0 * 7168 * 18432);
    CHECK(count_layer(v3, false).total() == count_layer(v3, false).attention + 3.0 * 7168 * 18432 + 2 * 7168);
    require_refused("ffn", "0", [] { count_layer(model_preset("mixtral-8x7b").shape, false); });
    require_refused("experts.count", "0", [] { count_layer(model_preset("llama3-8b").shape, true); });
}

TEST_CASE("biases, sinks and gates of a mixture are counted", "[transformer][models]") {
    const LayerParameters oss = count_layer(model_preset("gpt-oss-20b").shape, true);
    CHECK(oss.attention == 2880.0 * 64 * (64 + 16) + 64 * (64 + 16) + 64.0 * 64 * 2880 + 2880 + 64);
    CHECK(oss.router == 32 * (2880 + 1));
    CHECK(oss.experts == 32.0 * (3 * 2880 * 2880 + 3 * 2880));
    const LayerParameters qwen =
        count_layer(shape_from_config(config_from_fields(
                        "model_type=qwen2_moe hidden_size=8 num_hidden_layers=1 num_attention_heads=2 "
                        "num_key_value_heads=1 intermediate_size=32 vocab_size=10 num_experts=4 "
                        "num_experts_per_tok=2 moe_intermediate_size=3 "
                        "shared_expert_intermediate_size=6")),
                    true);
    CHECK(qwen.shared_experts == 3 * 8 * 6 + 8);
    CHECK(qwen.attention == 8 * 16 + 16 + 8 * 8);
}
