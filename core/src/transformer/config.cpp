#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/transformer.hpp>

namespace shardlab {
namespace {

/// Reads fields of a configuration by their own names, so that errors name what stands in the file.
class Fields {
public:
    explicit Fields(const ModelConfig& config) : config_(config) {}

    bool has(const std::string& field) const { return config_.count(field) != 0; }

    int size(const std::string& field) const {
        const auto found = config_.find(field);
        if (found == config_.end()) {
            throw invalid_argument(field, "missing", "be in the configuration of this family");
        }
        if (const double* value = std::get_if<double>(&found->second)) {
            return require_int(field, *value, 1);
        }
        throw invalid_argument(field, shown(found->second), "be a whole number");
    }

    int size(const std::string& field, int otherwise) const { return has(field) ? size(field) : otherwise; }

    bool flag(const std::string& field, bool otherwise) const {
        const auto found = config_.find(field);
        if (found == config_.end()) {
            return otherwise;
        }
        if (const bool* value = std::get_if<bool>(&found->second)) {
            return *value;
        }
        throw invalid_argument(field, shown(found->second), "be true or false");
    }

    std::string word(const std::string& field) const {
        const auto found = config_.find(field);
        if (found == config_.end()) {
            throw invalid_argument(field, "missing", "be in the configuration");
        }
        if (const std::string* value = std::get_if<std::string>(&found->second)) {
            return *value;
        }
        throw invalid_argument(field, shown(found->second), "be text");
    }

private:
    static std::string shown(const ModelConfig::mapped_type& value) {
        if (const double* number = std::get_if<double>(&value)) {
            return number_text(*number);
        }
        if (const bool* flag = std::get_if<bool>(&value)) {
            return *flag ? "true" : "false";
        }
        if (const std::string* word = std::get_if<std::string>(&value)) {
            return '"' + *word + '"';
        }
        return "a list or an object";
    }

    const ModelConfig& config_;
};

void require_divides(const std::string& parameter, int value, const std::string& of, int whole) {
    if (whole % value != 0) {
        throw invalid_argument(parameter, std::to_string(value),
                               "divide " + of + ", which is " + std::to_string(whole));
    }
}

TransformerShape llama_shape(const Fields& fields) {
    TransformerShape shape;
    shape.hidden = fields.size("hidden_size");
    shape.layers = fields.size("num_hidden_layers");
    shape.heads = fields.size("num_attention_heads");
    shape.kv_heads = fields.size("num_key_value_heads", shape.heads);
    shape.ffn = fields.size("intermediate_size");
    shape.vocabulary = fields.size("vocab_size");
    shape.sequence = fields.size("max_position_embeddings", 2048);
    require_divides("num_key_value_heads", shape.kv_heads, "num_attention_heads", shape.heads);
    if (!fields.has("head_dim")) {
        require_divides("num_attention_heads", shape.heads, "hidden_size", shape.hidden);
    }
    shape.head_size = fields.size("head_dim", shape.hidden / shape.heads);
    shape.gated_mlp = true;
    shape.tied_embeddings = fields.flag("tie_word_embeddings", false);
    shape.qkv_bias = fields.flag("attention_bias", false);
    shape.attention_output_bias = shape.qkv_bias;
    shape.mlp_bias = fields.flag("mlp_bias", false);
    return shape;
}

TransformerShape gpt2_shape(const Fields& fields) {
    TransformerShape shape;
    shape.hidden = fields.size("n_embd");
    shape.layers = fields.size("n_layer");
    shape.heads = fields.size("n_head");
    shape.kv_heads = shape.heads;
    require_divides("n_head", shape.heads, "n_embd", shape.hidden);
    shape.head_size = shape.hidden / shape.heads;
    constexpr int usual_ffn_factor = 4;
    constexpr int widest = 536870911;  // four times as much is still an int
    require_int("n_embd", shape.hidden, 1, widest);
    shape.ffn = fields.size("n_inner", usual_ffn_factor * shape.hidden);
    if (fields.flag("add_cross_attention", false)) {
        throw invalid_argument("add_cross_attention", "true", "be false: a decoder alone is counted");
    }
    shape.vocabulary = fields.size("vocab_size");
    shape.sequence = fields.size("n_positions");
    shape.tied_embeddings = fields.flag("tie_word_embeddings", true);
    shape.learned_positions = true;
    shape.qkv_bias = true;
    shape.attention_output_bias = true;
    shape.mlp_bias = true;
    shape.norm_bias = true;
    return shape;
}

}  // namespace

TransformerShape shape_from_config(const ModelConfig& config) {
    const Fields fields(config);
    const std::string family = fields.word("model_type");
    if (family == "llama") {
        return llama_shape(fields);
    }
    if (family == "gpt2") {
        return gpt2_shape(fields);
    }
    throw invalid_argument("model_type", family, "be llama or gpt2");
}

}  // namespace shardlab
