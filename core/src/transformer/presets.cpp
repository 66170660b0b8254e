#include <array>

#include <shardlab/errors.hpp>
#include <shardlab/transformer/config.hpp>
#include <shardlab/transformer/presets.hpp>

namespace shardlab {
namespace {

/// A model as it is written down here: the fields of its configuration that decide its shape.
struct Published {
    const char* id;
    const char* name;
    const char* source;
    const char* fields;
};

constexpr const char* gpt3 = "Brown et al., arXiv:2005.14165, table 2.1; the vocabulary is GPT-2's";
constexpr const char* korthikanti = "Korthikanti et al., arXiv:2205.05198, table 3 and section 6";

constexpr std::array models = {
    Published{"gpt2", "GPT-2", "openai-community/gpt2, config.json",
              "model_type=gpt2 n_embd=768 n_layer=12 n_head=12 n_positions=1024 vocab_size=50257"},
    Published{"gpt2-xl", "GPT-2 XL", "openai-community/gpt2-xl, config.json",
              "model_type=gpt2 n_embd=1600 n_layer=48 n_head=25 n_positions=1024 vocab_size=50257"},
    Published{"gpt3-175b", "GPT-3 175B", gpt3,
              "model_type=gpt2 n_embd=12288 n_layer=96 n_head=96 n_positions=2048 vocab_size=50257"},
    Published{"megatron-22b", "Megatron 22B", korthikanti,
              "model_type=gpt2 n_embd=6144 n_layer=48 n_head=64 n_positions=2048 vocab_size=51200"},
    Published{"megatron-175b", "Megatron 175B", korthikanti,
              "model_type=gpt2 n_embd=12288 n_layer=96 n_head=96 n_positions=2048 vocab_size=51200"},
    Published{"megatron-530b", "Megatron 530B", korthikanti,
              "model_type=gpt2 n_embd=20480 n_layer=105 n_head=128 n_positions=2048 vocab_size=51200"},
    Published{"megatron-1t", "Megatron 1T", korthikanti,
              "model_type=gpt2 n_embd=25600 n_layer=128 n_head=160 n_positions=2048 vocab_size=51200"},
    Published{"gpt-neox-20b", "GPT-NeoX 20B", "EleutherAI/gpt-neox-20b, config.json",
              "model_type=gpt_neox hidden_size=6144 num_hidden_layers=44 num_attention_heads=64 "
              "intermediate_size=24576 vocab_size=50432 max_position_embeddings=2048"},
    Published{"llama2-7b", "Llama 2 7B", "meta-llama/Llama-2-7b-hf, config.json",
              "model_type=llama hidden_size=4096 num_hidden_layers=32 num_attention_heads=32 num_key_value_heads=32 "
              "intermediate_size=11008 vocab_size=32000 max_position_embeddings=4096"},
    Published{"llama2-13b", "Llama 2 13B", "meta-llama/Llama-2-13b-hf, config.json",
              "model_type=llama hidden_size=5120 num_hidden_layers=40 num_attention_heads=40 num_key_value_heads=40 "
              "intermediate_size=13824 vocab_size=32000 max_position_embeddings=4096"},
    Published{"llama2-70b", "Llama 2 70B", "meta-llama/Llama-2-70b-hf, config.json",
              "model_type=llama hidden_size=8192 num_hidden_layers=80 num_attention_heads=64 num_key_value_heads=8 "
              "intermediate_size=28672 vocab_size=32000 max_position_embeddings=4096"},
    Published{"llama3-8b", "Llama 3 8B", "meta-llama/Meta-Llama-3-8B, config.json",
              "model_type=llama hidden_size=4096 num_hidden_layers=32 num_attention_heads=32 num_key_value_heads=8 "
              "intermediate_size=14336 vocab_size=128256 max_position_embeddings=8192"},
    Published{"llama3-70b", "Llama 3 70B", "meta-llama/Meta-Llama-3-70B, config.json",
              "model_type=llama hidden_size=8192 num_hidden_layers=80 num_attention_heads=64 num_key_value_heads=8 "
              "intermediate_size=28672 vocab_size=128256 max_position_embeddings=8192"},
    Published{"llama3-405b", "Llama 3.1 405B", "meta-llama/Llama-3.1-405B, config.json",
              "model_type=llama hidden_size=16384 num_hidden_layers=126 num_attention_heads=128 num_key_value_heads=8 "
              "intermediate_size=53248 vocab_size=128256 max_position_embeddings=131072"},
    Published{"mistral-7b", "Mistral 7B", "mistralai/Mistral-7B-v0.1, config.json",
              "model_type=mistral hidden_size=4096 num_hidden_layers=32 num_attention_heads=32 num_key_value_heads=8 "
              "intermediate_size=14336 vocab_size=32000 max_position_embeddings=32768"},
    Published{"mixtral-8x7b", "Mixtral 8x7B", "mistralai/Mixtral-8x7B-v0.1, config.json",
              "model_type=mixtral hidden_size=4096 num_hidden_layers=32 num_attention_heads=32 num_key_value_heads=8 "
              "intermediate_size=14336 vocab_size=32000 max_position_embeddings=32768 num_local_experts=8 "
              "num_experts_per_tok=2"},
    Published{"mixtral-8x22b", "Mixtral 8x22B", "mistralai/Mixtral-8x22B-v0.1, config.json",
              "model_type=mixtral hidden_size=6144 num_hidden_layers=56 num_attention_heads=48 num_key_value_heads=8 "
              "intermediate_size=16384 vocab_size=32000 max_position_embeddings=65536 num_local_experts=8 "
              "num_experts_per_tok=2"},
    Published{"qwen2.5-7b", "Qwen2.5 7B", "Qwen/Qwen2.5-7B, config.json",
              "model_type=qwen2 hidden_size=3584 num_hidden_layers=28 num_attention_heads=28 num_key_value_heads=4 "
              "intermediate_size=18944 vocab_size=152064 max_position_embeddings=131072"},
    Published{"qwen2.5-72b", "Qwen2.5 72B", "Qwen/Qwen2.5-72B, config.json",
              "model_type=qwen2 hidden_size=8192 num_hidden_layers=80 num_attention_heads=64 num_key_value_heads=8 "
              "intermediate_size=29568 vocab_size=152064 max_position_embeddings=131072"},
    Published{"qwen3-8b", "Qwen3 8B", "Qwen/Qwen3-8B, config.json",
              "model_type=qwen3 hidden_size=4096 num_hidden_layers=36 num_attention_heads=32 num_key_value_heads=8 "
              "intermediate_size=12288 vocab_size=151936 max_position_embeddings=40960 head_dim=128"},
    Published{"qwen3-32b", "Qwen3 32B", "Qwen/Qwen3-32B, config.json",
              "model_type=qwen3 hidden_size=5120 num_hidden_layers=64 num_attention_heads=64 num_key_value_heads=8 "
              "intermediate_size=25600 vocab_size=151936 max_position_embeddings=40960 head_dim=128"},
    Published{"qwen3-30b-a3b", "Qwen3 30B-A3B", "Qwen/Qwen3-30B-A3B, config.json",
              "model_type=qwen3_moe hidden_size=2048 num_hidden_layers=48 num_attention_heads=32 "
              "num_key_value_heads=4 intermediate_size=6144 vocab_size=151936 max_position_embeddings=40960 "
              "head_dim=128 num_experts=128 num_experts_per_tok=8 moe_intermediate_size=768"},
    Published{"qwen3-235b-a22b", "Qwen3 235B-A22B", "Qwen/Qwen3-235B-A22B, config.json",
              "model_type=qwen3_moe hidden_size=4096 num_hidden_layers=94 num_attention_heads=64 "
              "num_key_value_heads=4 intermediate_size=12288 vocab_size=151936 max_position_embeddings=40960 "
              "head_dim=128 num_experts=128 num_experts_per_tok=8 moe_intermediate_size=1536"},
    Published{"gemma2-9b", "Gemma 2 9B", "google/gemma-2-9b, config.json",
              "model_type=gemma2 hidden_size=3584 num_hidden_layers=42 num_attention_heads=16 num_key_value_heads=8 "
              "intermediate_size=14336 vocab_size=256000 max_position_embeddings=8192 head_dim=256"},
    Published{"gemma2-27b", "Gemma 2 27B", "google/gemma-2-27b, config.json",
              "model_type=gemma2 hidden_size=4608 num_hidden_layers=46 num_attention_heads=32 num_key_value_heads=16 "
              "intermediate_size=36864 vocab_size=256000 max_position_embeddings=8192 head_dim=128"},
    Published{"deepseek-v2-lite", "DeepSeek-V2-Lite", "deepseek-ai/DeepSeek-V2-Lite, config.json",
              "model_type=deepseek_v2 hidden_size=2048 num_hidden_layers=27 num_attention_heads=16 "
              "intermediate_size=10944 vocab_size=102400 max_position_embeddings=163840 kv_lora_rank=512 "
              "qk_rope_head_dim=64 qk_nope_head_dim=128 v_head_dim=128 n_routed_experts=64 n_shared_experts=2 "
              "num_experts_per_tok=6 moe_intermediate_size=1408 first_k_dense_replace=1"},
    Published{"deepseek-v2", "DeepSeek-V2", "deepseek-ai/DeepSeek-V2, config.json",
              "model_type=deepseek_v2 hidden_size=5120 num_hidden_layers=60 num_attention_heads=128 "
              "intermediate_size=12288 vocab_size=102400 max_position_embeddings=163840 kv_lora_rank=512 "
              "q_lora_rank=1536 qk_rope_head_dim=64 qk_nope_head_dim=128 v_head_dim=128 n_routed_experts=160 "
              "n_shared_experts=2 num_experts_per_tok=6 moe_intermediate_size=1536 first_k_dense_replace=1"},
    Published{"deepseek-v3", "DeepSeek-V3", "deepseek-ai/DeepSeek-V3, config.json",
              "model_type=deepseek_v3 hidden_size=7168 num_hidden_layers=61 num_attention_heads=128 "
              "intermediate_size=18432 vocab_size=129280 max_position_embeddings=163840 kv_lora_rank=512 "
              "q_lora_rank=1536 qk_rope_head_dim=64 qk_nope_head_dim=128 v_head_dim=128 n_routed_experts=256 "
              "n_shared_experts=1 num_experts_per_tok=8 moe_intermediate_size=2048 first_k_dense_replace=3 "
              "num_nextn_predict_layers=1"},
    Published{"gpt-oss-20b", "gpt-oss-20b", "openai/gpt-oss-20b, config.json",
              "model_type=gpt_oss hidden_size=2880 num_hidden_layers=24 num_attention_heads=64 num_key_value_heads=8 "
              "intermediate_size=2880 vocab_size=201088 max_position_embeddings=131072 head_dim=64 "
              "num_local_experts=32 num_experts_per_tok=4"},
    Published{"gpt-oss-120b", "gpt-oss-120b", "openai/gpt-oss-120b, config.json",
              "model_type=gpt_oss hidden_size=2880 num_hidden_layers=36 num_attention_heads=64 num_key_value_heads=8 "
              "intermediate_size=2880 vocab_size=201088 max_position_embeddings=131072 head_dim=64 "
              "num_local_experts=128 num_experts_per_tok=4"},
};

}  // namespace

const std::vector<ModelPreset>& model_presets() {
    static const std::vector<ModelPreset> presets = [] {
        std::vector<ModelPreset> all;
        all.reserve(models.size());
        for (const Published& model : models) {
            all.push_back({model.id, model.name, model.source, shape_from_config(config_from_fields(model.fields))});
        }
        return all;
    }();
    return presets;
}

const ModelPreset& model_preset(std::string_view id) {
    std::string known;
    for (const ModelPreset& preset : model_presets()) {
        if (preset.id == id) {
            return preset;
        }
        known += (known.empty() ? "" : ", ") + preset.id;
    }
    throw invalid_argument("preset", std::string(id), "be one of " + known);
}

}  // namespace shardlab
