#include <algorithm>
#include <limits>
#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/transformer.hpp>

#include "catch.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

const std::string dense =
    "hidden_size=64 num_hidden_layers=4 num_attention_heads=4 num_key_value_heads=2 intermediate_size=100 "
    "vocab_size=50 ";
const std::string mixture = dense + "num_experts=4 num_experts_per_tok=2 moe_intermediate_size=8 ";
const std::string deepseek =
    dense +
    "kv_lora_rank=8 qk_rope_head_dim=2 qk_nope_head_dim=4 v_head_dim=3 n_routed_experts=4 num_experts_per_tok=2 "
    "moe_intermediate_size=8 ";
const std::string gpt = "n_embd=64 n_layer=4 n_head=4 n_positions=16 vocab_size=50 ";

/// A small model of each family.
std::string small_model(const std::string& family) {
    const std::string type = "model_type=" + family + " ";
    if (family == "gpt2") {
        return type + gpt;
    }
    if (family == "deepseek_v2" || family == "deepseek_v3" || family == "kimi_k2" || family == "glm4_moe") {
        return type + deepseek;
    }
    if (family == "mixtral" || family == "gpt_oss") {
        return type + dense + "num_local_experts=4 num_experts_per_tok=2 ";
    }
    if (family == "gemma3") {
        return type + "text_config={} text_config.hidden_size=64 text_config.num_hidden_layers=4 ";
    }
    if (family == "transformer") {
        return type + "hidden=64 layers=4 heads=4 ffn=100 vocabulary=50 sequence=16 ";
    }
    return type + mixture + "shared_expert_intermediate_size=8 ";
}

/// The configuration with some fields changed.
ModelConfig changed(const std::string& fields, const std::string& changes) {
    ModelConfig config = config_from_fields(fields);
    for (const auto& [name, value] : config_from_fields(changes)) {
        config[name] = value;
    }
    return config;
}

TransformerShape shape_of(const std::string& fields) {
    return shape_from_config(config_from_fields(fields));
}

void check_refused(const std::string& field, const std::string& value, const ModelConfig& config) {
    require_refused(field, value, [&] { count_parameters(shape_from_config(config)); });
}

/// The field with the hidden size, the layers, or the heads of a family.
std::string field_named(const std::string& family, const std::string& what) {
    if (family == "gpt2") {
        return what == "hidden" ? "n_embd" : what == "layers" ? "n_layer" : "n_head";
    }
    if (family == "transformer") {
        return what;
    }
    const std::string field = what == "hidden"   ? "hidden_size"
                              : what == "layers" ? "num_hidden_layers"
                                                 : "num_attention_heads";
    return (family == "gemma3" ? "text_config." : "") + field;
}

}  // namespace

TEST_CASE("every family reads a small model, and refuses what is absurd by its own field", "[transformer][config]") {
    CHECK(known_model_types().size() == 28);
    CHECK(std::is_sorted(known_model_types().begin(), known_model_types().end()));
    for (const std::string& family : known_model_types()) {
        INFO(family);
        const std::string fields = small_model(family);
        const TransformerShape shape = shape_of(fields);
        CHECK(shape.hidden == 64);
        CHECK(shape.layers == 4);
        CHECK(count_parameters(shape).total > 0);
        for (const std::string what : {"hidden", "layers", "heads"}) {
            const std::string field = field_named(family, what);
            check_refused(field, "0", changed(fields, field + "=0"));
            check_refused(field, "-1", changed(fields, field + "=-1"));
            check_refused(field, "0.5", changed(fields, field + "=0.5"));
            check_refused(field, "1.152921504606847e+18", changed(fields, field + "=1152921504606846976"));
            check_refused(field, "a list or an object", changed(fields, field + "={}"));
            check_refused(field, "a list or an object", changed(fields, field + "=1,2,"));
            check_refused(field, "\"NaN?\"", changed(fields, field + "=NaN?"));
            check_refused(field, "true", changed(fields, field + "=true"));
            ModelConfig config = config_from_fields(fields);
            config[field] = std::numeric_limits<double>::quiet_NaN();
            check_refused(field, "nan", config);
        }
    }
}

TEST_CASE("a model of two billion layers is counted or refused, and its layers are never listed",
          "[transformer][config]") {
    for (const std::string& family : known_model_types()) {
        INFO(family);
        const std::string field = field_named(family, "layers");
        const ModelConfig config = changed(small_model(family), field + "=2147483647");
        CHECK(count_parameters(shape_from_config(config)).total > 2147483647.0 * 64 * 64);
    }
    for (const std::string family : {"qwen2_moe", "qwen3_moe", "deepseek_v2", "deepseek_v3", "kimi_k2", "glm4_moe"}) {
        INFO(family);
        const ModelConfig config = changed(small_model(family),
                                           "num_hidden_layers=2147483647 first_k_dense_replace=2147483647 "
                                           "decoder_sparse_step=2147483647");
        check_refused("num_hidden_layers", "2147483647", config);
    }
}

TEST_CASE("an unknown family is refused with those that are known", "[transformer][config]") {
    const Refusal refusal = refusal_of([] { shape_of("model_type=mamba"); });
    CHECK(refusal.parameter == "model_type");
    CHECK(refusal.value == "mamba");
    for (const std::string& family : known_model_types()) {
        CHECK(refusal.rule.find(family) != std::string::npos);
    }
}

TEST_CASE("a family has the biases and norms that its file does not name", "[transformer][config]") {
    const TransformerShape qwen2 = shape_of("model_type=qwen2 " + dense);
    CHECK(qwen2.qkv_bias);
    CHECK_FALSE(qwen2.attention_output_bias);
    const TransformerShape qwen3 = shape_of("model_type=qwen3 " + dense);
    CHECK(qwen3.extra_norms.heads);
    CHECK(qwen3.head_size == 128);
    const TransformerShape gemma = shape_of("model_type=gemma " + dense + "num_attention_heads=16");
    CHECK(gemma.head_size == 256);
    CHECK(gemma.tied_embeddings);
    CHECK(gemma.gated_mlp);
    CHECK_FALSE(gemma.extra_norms.outputs);
    const TransformerShape gemma3 = shape_of("model_type=gemma3_text " + dense);
    CHECK(gemma3.extra_norms.outputs);
    CHECK(gemma3.extra_norms.heads);
    const TransformerShape olmo2 = shape_of("model_type=olmo2 " + dense);
    CHECK_FALSE(olmo2.norm_inputs);
    CHECK(olmo2.extra_norms.projections);
    const TransformerShape neox = shape_of("model_type=gpt_neox " + dense);
    CHECK(neox.qkv_bias);
    CHECK(neox.mlp_bias);
    CHECK(neox.norm_bias);
    CHECK(neox.parallel_block);
    CHECK_FALSE(neox.tied_embeddings);
    CHECK(shape_of("model_type=deepseek_v3 " + deepseek).experts.router_bias);
    CHECK_FALSE(shape_of("model_type=deepseek_v2 " + deepseek).experts.router_bias);
    CHECK(shape_of("model_type=llama attention_bias=true " + dense).attention_output_bias);
}

TEST_CASE("dropout is read place by place, as each family has it", "[transformer][config]") {
    const auto places = [](const std::string& fields) {
        const Dropout dropout = shape_of(fields).dropout;
        return std::string(dropout.scores ? "s" : "-") + (dropout.attention_output ? "a" : "-") +
               (dropout.mlp_output ? "m" : "-") + (dropout.embedding ? "e" : "-");
    };
    const std::string gpt2 = "model_type=gpt2 " + gpt;
    CHECK(places(gpt2) == "same");
    CHECK(places(gpt2 + "attn_pdrop=0") == "-ame");
    CHECK(places(gpt2 + "resid_pdrop=0") == "s--e");
    CHECK(places(gpt2 + "embd_pdrop=0") == "sam-");
    CHECK(places("model_type=gpt_neox " + dense) == "----");
    CHECK(places("model_type=gpt_neox hidden_dropout=0.1 " + dense) == "-ame");
    CHECK(places("model_type=gpt_neox attention_dropout=0.1 " + dense) == "s---");
    for (const std::string family : {"llama", "mistral", "qwen2", "qwen3", "gemma2", "olmo", "olmo2", "mixtral",
                                     "glm4_moe", "deepseek_v3", "phi", "phi3", "cohere", "stablelm", "starcoder2"}) {
        INFO(family);
        CHECK(places(small_model(family)) == "----");
        CHECK(places(small_model(family) + "attention_dropout=0.1") == "s---");
    }
    for (const std::string family : {"phi", "phi3"}) {
        INFO(family);
        CHECK(places(small_model(family) + "resid_pdrop=0.1") == "-am-");
    }
    CHECK(places(small_model("phi") + "embd_pdrop=0.1") == "---e");
    CHECK(places(small_model("stablelm") + "hidden_dropout=0.1") == "--m-");
    CHECK(places(small_model("starcoder2") + "residual_dropout=0.1") == "-am-");
    CHECK(places(small_model("starcoder2") + "embedding_dropout=0.1") == "---e");
    CHECK(places(small_model("falcon") + "attention_dropout=0.1 hidden_dropout=0.1") == "s-m-");
    CHECK(places(small_model("falcon") + "parallel_attn=false attention_dropout=0.1") == "sa--");
    const std::string own = small_model("transformer");
    CHECK(places(own) == "----");
    CHECK(places(own + "dropout=true") == "same");
    CHECK(places(own + "dropout={} dropout.scores=true dropout.mlp_output=true") == "s-m-");
}

TEST_CASE("a probability of dropout is a number from 0 to 1", "[transformer][config]") {
    const std::string gpt2 = "model_type=gpt2 " + gpt;
    for (const std::string field : {"attn_pdrop", "resid_pdrop", "embd_pdrop"}) {
        check_refused(field, "-0.1", config_from_fields(gpt2 + field + "=-0.1"));
        check_refused(field, "2", config_from_fields(gpt2 + field + "=2"));
        check_refused(field, "\"x\"", config_from_fields(gpt2 + field + "=x"));
        check_refused(field, "true", config_from_fields(gpt2 + field + "=true"));
        CHECK(shape_of(gpt2 + field + "=1").hidden == 64);
    }
    check_refused("attention_dropout", "2", config_from_fields("model_type=llama attention_dropout=2 " + dense));
    check_refused("hidden_dropout", "-1", config_from_fields("model_type=gpt_neox hidden_dropout=-1 " + dense));
    check_refused("embd_pdrop", "3", config_from_fields("model_type=phi3 embd_pdrop=3 " + dense));
    check_refused("dropout", "0.1", config_from_fields(small_model("transformer") + "dropout=0.1"));
}

TEST_CASE("Phi is a parallel block behind one norm, with biases everywhere", "[transformer][config]") {
    const TransformerShape phi = shape_of("model_type=phi " + dense);
    CHECK((phi.parallel_block && phi.shared_norm && phi.norm_bias && phi.output_head_bias));
    CHECK((phi.qkv_bias && phi.attention_output_bias && phi.mlp_bias));
    CHECK_FALSE((phi.gated_mlp || phi.tied_embeddings));
    const double layer = 64 * 64 + 64 + 2 * (64 * 32 + 32) + 64 * 64 + 64 + 2 * 64 * 100 + 100 + 64 + 2 * 64;
    CHECK(count_parameters(phi).total == 4 * layer + 50 * 64 + 2 * 64 + 50 * 64 + 50);
    check_refused("qk_layernorm", "true", config_from_fields("model_type=phi qk_layernorm=true " + dense));
}

TEST_CASE("the first OLMo's norms have no parameters", "[transformer][config]") {
    const ParameterCounts counts = count_parameters(shape_of("model_type=olmo clip_qkv=8 " + dense));
    CHECK(counts.norms == 0);
    CHECK(counts.total == 2 * 50 * 64 + 4 * (2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 100));
}

TEST_CASE("Falcon's three architectures", "[transformer][config]") {
    const std::string falcon =
        "model_type=falcon hidden_size=64 num_hidden_layers=2 num_attention_heads=4 vocab_size=50 ";
    const auto norms = [](const std::string& fields) { return count_parameters(shape_of(fields)).norms; };
    const TransformerShape first = shape_of(falcon + "num_kv_heads=2");
    CHECK((first.kv_heads == 1 && first.ffn == 256 && first.tied_embeddings && first.shared_norm));
    CHECK_FALSE((first.qkv_bias || first.mlp_bias || first.gated_mlp || first.alibi));
    CHECK(norms(falcon) == (2 + 1) * 2 * 64);
    CHECK(shape_of(falcon + "multi_query=false").kv_heads == 4);

    const std::string grouped = falcon + "new_decoder_architecture=true num_kv_heads=2 ";
    CHECK(shape_of(grouped).kv_heads == 2);
    CHECK((shape_of(grouped).parallel_block && !shape_of(grouped).shared_norm));
    CHECK(norms(grouped) == (2 * 2 + 1) * 2 * 64);
    CHECK(norms(grouped + "num_ln_in_parallel_attn=1") == (2 + 1) * 2 * 64);
    CHECK(shape_of(falcon + "new_decoder_architecture=true").kv_heads == 4);
    CHECK(shape_of(grouped + "ffn_hidden_size=96").ffn == 96);

    const TransformerShape in_turn = shape_of(falcon + "parallel_attn=false alibi=true bias=true");
    CHECK_FALSE((in_turn.parallel_block || in_turn.shared_norm));
    CHECK((in_turn.alibi && in_turn.qkv_bias && in_turn.attention_output_bias && in_turn.mlp_bias));
    CHECK(norms(falcon + "parallel_attn=false") == (2 * 2 + 1) * 2 * 64);

    check_refused("parallel_attn", "false", config_from_fields(grouped + "parallel_attn=false"));
    check_refused("num_kv_heads", "3", config_from_fields(falcon + "new_decoder_architecture=true num_kv_heads=3"));
    check_refused("num_ln_in_parallel_attn", "3", config_from_fields(grouped + "num_ln_in_parallel_attn=3"));
}

TEST_CASE("StarCoder 2, Command R and StableLM are counted tensor by tensor", "[transformer][config]") {
    const double attention = 2 * 64 * 64 + 2 * 64 * 32;
    CHECK(count_parameters(shape_of("model_type=starcoder2 " + dense)).total ==
          50 * 64 + 4 * (attention + 64 + 2 * 32 + 64 + 2 * 64 * 100 + 100 + 64 + 4 * 64) + 2 * 64);
    const TransformerShape plain = shape_of("model_type=starcoder2 use_bias=false " + dense);
    CHECK_FALSE((plain.qkv_bias || plain.attention_output_bias || plain.mlp_bias));
    CHECK(count_parameters(shape_of("model_type=cohere " + dense)).total ==
          50 * 64 + 4 * (attention + 3 * 64 * 100 + 64) + 64);
    CHECK(count_parameters(shape_of("model_type=cohere use_qk_norm=true " + dense)).total ==
          50 * 64 + 4 * (attention + 3 * 64 * 100 + 64 + (4 + 2) * 16) + 64);
    CHECK(count_parameters(
              shape_of("model_type=stablelm use_qkv_bias=true use_parallel_residual=true qk_layernorm=true " + dense))
              .total == 2 * 50 * 64 + 4 * (attention + 64 + 2 * 32 + 3 * 64 * 100 + 2 * 64 + (4 + 2) * 16) + 2 * 64);
}

TEST_CASE("what a shape cannot have together is refused", "[transformer][config]") {
    const std::string own = small_model("transformer");
    check_refused("shared_norm", "true", config_from_fields(own + "shared_norm=true"));
    CHECK(shape_of(own + "shared_norm=true parallel_block=true").shared_norm);
    check_refused("alibi", "true", config_from_fields(own + "alibi=true learned_positions=true"));
    CHECK_FALSE(shape_of(own + "norm_weight=false").norm_weight);
    CHECK(shape_of(own + "output_head_bias=true").output_head_bias);
}

TEST_CASE("Gemma 3 with pictures is counted by its text's configuration", "[transformer][config]") {
    // google/gemma-3-4b-pt: 4 heads of keys, 8 of queries and the vocabulary are the family's defaults.
    const ModelConfig config = config_from_fields(
        "model_type=gemma3 text_config={} text_config.hidden_size=2560 text_config.intermediate_size=10240 "
        "text_config.num_hidden_layers=34 text_config.rope_theta=10000 vision_config={} vision_config.hidden_size=1152 "
        "text_config.speed=3 boi_token_index=255999");
    CHECK(count_parameters(shape_from_config(config)).total == 3880263168.0);
    CHECK(unknown_fields(config) == std::vector<std::string>{"text_config.speed", "vision_config"});
    check_refused("text_config", "missing", config_from_fields("model_type=gemma3 hidden_size=2560"));
    check_refused("text_config", "3", config_from_fields("model_type=gemma3 text_config=3"));
    check_refused("text_config", "a list or an object", config_from_fields("model_type=gemma3 text_config={}"));
}

TEST_CASE("layers without experts are those that the file says", "[transformer][config]") {
    const std::string qwen = "model_type=qwen3_moe " + mixture;
    CHECK(shape_of(qwen).experts.dense_layers.empty());
    CHECK(shape_of(qwen).ffn == 0);
    CHECK(shape_of(qwen + "mlp_only_layers=3,0,3,").experts.dense_layers == std::vector<int>{0, 3});
    CHECK(shape_of(qwen + "mlp_only_layers=3,0,").ffn == 100);
    CHECK(shape_of(qwen + "decoder_sparse_step=2").experts.dense_layers == std::vector<int>{0, 2});
    CHECK(shape_of(qwen + "decoder_sparse_step=2 mlp_only_layers=1,").experts.dense_layers ==
          std::vector<int>{0, 1, 2});
    check_refused("mlp_only_layers", "4", config_from_fields(qwen + "mlp_only_layers=4,"));
    check_refused("mlp_only_layers", "0.5", config_from_fields(qwen + "mlp_only_layers=0.5,"));
    check_refused("mlp_only_layers", "3", config_from_fields(qwen + "mlp_only_layers=3"));
    const std::string v2 = "model_type=deepseek_v2 " + deepseek;
    CHECK(shape_of(v2 + "first_k_dense_replace=2").experts.dense_layers == std::vector<int>{0, 1});
    CHECK(shape_of(v2 + "moe_layer_freq=2").experts.dense_layers == std::vector<int>{1, 3});
    check_refused("num_hidden_layers", "1000000",
                  changed(v2, "num_hidden_layers=1000000 first_k_dense_replace=1000000"));
}

TEST_CASE("a mixture's fields are checked against each other", "[transformer][config]") {
    const std::string v3 = "model_type=deepseek_v3 " + deepseek;
    check_refused("num_experts_per_tok", "5", config_from_fields(v3 + "num_experts_per_tok=5"));
    check_refused("n_shared_experts", "1000000000", config_from_fields(v3 + "n_shared_experts=1000000000"));
    check_refused("kv_lora_rank", "0", config_from_fields(v3 + "kv_lora_rank=0"));
    CHECK(shape_of(v3).latent.query_rank == 0);
    CHECK(shape_of(v3 + "q_lora_rank=5").latent.query_rank == 5);
    CHECK(shape_of(v3 + "n_shared_experts=3").experts.shared_ffn == 24);
    check_refused("num_local_experts", "missing",
                  config_from_fields("model_type=mixtral " + dense + "num_experts_per_tok=2"));
}

TEST_CASE("a shape of one's own is written in the library's words", "[transformer][config]") {
    const std::string fields = small_model("transformer");
    CHECK(count_parameters(shape_of(fields)).total == 2 * 50 * 64 + 4 * (4 * 64 * 64 + 2 * 64 * 100 + 2 * 64) + 64);
    const TransformerShape shape = shape_of(
        fields +
        "kv_heads=1 head_size=8 gated_mlp=true tied_embeddings=true learned_positions=true norm_bias=true "
        "experts={} experts.count=4 experts.per_token=1 experts.ffn=10 experts.dense_layers=0,1, extra_norms={} "
        "extra_norms.heads=true prediction_layers=1");
    CHECK(shape.experts.dense_layers == std::vector<int>{0, 1});
    CHECK(shape.extra_norms.heads);
    const double attention = 64 * 8 * (4 + 2) + 32 * 64;
    const double norms = 2 * 2 * 64 + 2 * 8;
    const double mixture_layer = attention + norms + 4 * 3 * 64 * 10 + 64 * 4;
    const ParameterCounts counts = count_parameters(shape);
    CHECK(counts.total == (50 + 16) * 64 + 2 * (attention + norms + 3 * 64 * 100) + 2 * mixture_layer + 2 * 64);
    CHECK(counts.active == counts.total - 2 * 3 * 3 * 64 * 10);
    CHECK(counts.prediction_heads == mixture_layer + 2 * 64 * 64 + 3 * 2 * 64);

    check_refused("kv_heads", "3", config_from_fields(fields + "kv_heads=3"));
    check_refused("experts.per_token", "5",
                  config_from_fields(fields + "experts={} experts.count=4 experts.per_token=5 experts.ffn=10"));
    check_refused("experts.dense_layers", "4", config_from_fields(fields + "experts={} experts.dense_layers=4,"));
    check_refused("experts", "8", config_from_fields(fields + "experts=8"));
    check_refused("latent.plain_head_size", "0", config_from_fields(fields + "latent={} latent.kv_rank=4"));
    CHECK(shape_of(fields + "latent={} latent.kv_rank=4 latent.plain_head_size=2 latent.value_head_size=3")
              .latent.kv_rank == 4);
}

TEST_CASE("fields that nothing is known of are reported, and those that change no shape are not",
          "[transformer][config]") {
    CHECK(unknown_fields(
              config_from_fields("model_type=llama rope_theta=500000 torch_dtype=bfloat16 bos_token_id=1 " + dense))
              .empty());
    CHECK(unknown_fields(config_from_fields(
              "model_type=llama num_key_value_head=8 rope_scaling={} rope_scaling.factor=8 " + dense)) ==
          std::vector<std::string>{"num_key_value_head"});
    CHECK(unknown_fields(config_from_fields("model_type=mistral resid_pdrop=0.1 " + dense)) ==
          std::vector<std::string>{"resid_pdrop"});
    CHECK(unknown_fields(config_from_fields("model_type=mistral mlp_bias=true " + dense)) ==
          std::vector<std::string>{"mlp_bias"});
    require_refused("model_type", "mamba", [] { unknown_fields(config_from_fields("model_type=mamba")); });
}
