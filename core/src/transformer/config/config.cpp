#include <array>
#include <string_view>

#include "families.hpp"
#include "other_fields.hpp"

namespace shardlab {
namespace {

using transformer::Fields;

struct Family {
    const char* model_type;
    TransformerShape (*shape)(const Fields& fields);
};

/// In alphabetical order.
constexpr std::array families = {
    Family{"cohere", transformer::cohere},
    Family{"deepseek_v2", transformer::deepseek_v2},
    Family{"deepseek_v3", transformer::deepseek_v3},
    Family{"falcon", transformer::falcon},
    Family{"gemma", transformer::gemma},
    Family{"gemma2", transformer::gemma2},
    Family{"gemma3", transformer::gemma3},
    Family{"gemma3_text", transformer::gemma3_text},
    Family{"glm4_moe", transformer::glm4_moe},
    Family{"gpt2", transformer::gpt2},
    Family{"gpt_neox", transformer::gpt_neox},
    Family{"gpt_oss", transformer::gpt_oss},
    Family{"kimi_k2", transformer::deepseek_v3},
    Family{"llama", transformer::llama},
    Family{"mistral", transformer::mistral},
    Family{"mixtral", transformer::mixtral},
    Family{"olmo", transformer::olmo},
    Family{"olmo2", transformer::olmo2},
    Family{"olmoe", transformer::olmoe},
    Family{"phi", transformer::phi},
    Family{"phi3", transformer::phi3},
    Family{"qwen2", transformer::qwen2},
    Family{"qwen2_moe", transformer::qwen2_moe},
    Family{"qwen3", transformer::qwen3},
    Family{"qwen3_moe", transformer::qwen3_moe},
    Family{"stablelm", transformer::stablelm},
    Family{"starcoder2", transformer::starcoder2},
    Family{"transformer", transformer::own_words},
};

TransformerShape read(const Fields& fields) {
    const std::string model_type = fields.word("model_type");
    std::string known;
    for (const Family& family : families) {
        if (family.model_type == model_type) {
            return family.shape(fields);
        }
        known += (known.empty() ? "" : ", ") + std::string(family.model_type);
    }
    throw fields.refusal("model_type", model_type, "be one of " + known);
}

/// Whether the object that a field stands in is judged as a whole.
bool stands_for_itself(const std::string& field, const ModelConfig& config, const std::set<std::string>& asked) {
    const std::string object = field.substr(0, field.find('.'));
    return object == field || config.count(object) == 0 || asked.count(object) != 0;
}

}  // namespace

const std::vector<std::string>& known_model_types() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        all.reserve(families.size());
        for (const Family& family : families) {
            all.emplace_back(family.model_type);
        }
        return all;
    }();
    return names;
}

TransformerShape shape_from_config(const ModelConfig& config) {
    std::set<std::string> asked;
    return require_shape(read(Fields(config, asked)));
}

std::vector<std::string> unknown_fields(const ModelConfig& config) {
    std::set<std::string> asked;
    read(Fields(config, asked));
    std::vector<std::string> unknown;
    for (const auto& [field, value] : config) {
        const std::string_view name = std::string_view(field).substr(field.rfind('.') + 1);
        if (asked.count(field) == 0 && !transformer::changes_no_shape(name) &&
            stands_for_itself(field, config, asked)) {
            unknown.push_back(field);
        }
    }
    return unknown;
}

}  // namespace shardlab
