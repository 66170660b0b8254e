// Any text as a config.json, once as the command `zero --config FILE` reads it and once straight into the core: both
// refuse it with one line, or both count the same parameters, whose parts add up.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <shardlab/transformer.hpp>

#include "../../bindings/cli/src/model_config.hpp"
#include "command_line.hpp"
#include "fuzz.hpp"

namespace {

using fuzz::require;

/// A file of one's own in memory where the system has such a place, removed at the end.
class ScratchFile {
public:
    ScratchFile() {
        const std::filesystem::path memory = "/dev/shm";
        const std::filesystem::path folder =
            std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
        path_ = folder / ("shardlab-fuzz-config-" + std::to_string(getpid()) + ".json");
    }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    ~ScratchFile() { std::filesystem::remove(path_); }

    std::string path() const { return path_.string(); }
    void write(std::string_view text) const { std::ofstream(path_, std::ios::binary) << text; }

private:
    std::filesystem::path path_;
};

/// The parameters that the command answers, or nothing if it refuses the file.
std::optional<double> answered(const std::string& path) {
    const shardlab::cli::Command& zero = shardlab::cli::zero_command;
    const fuzz::CommandLine line(zero, {"--config", path, "--ranks", "1", "--zero-stage", "0"});
    try {
        std::ostringstream out;
        zero.run(line.options(), out);
        return nlohmann::json::parse(out.str()).at("params").get<double>();
    } catch (const shardlab::invalid_argument& error) {
        const std::string sentence = line.options().sentence(error);
        for (const char character : sentence) {
            const auto byte = static_cast<unsigned char>(character);
            require(byte >= 0x20 && byte != 0x7f, "a refusal is one line");
        }
        require(sentence.find("--config") == 0, "a refusal begins with the option");
        return std::nullopt;
    }
}

void require_counts(const shardlab::ParameterCounts& counts) {
    const double parts[] = {
        counts.token_embedding, counts.position_embedding, counts.attention, counts.mlp,        counts.router,
        counts.experts,         counts.shared_experts,     counts.norms,     counts.output_head};
    double total = 0;
    for (const double part : parts) {
        require(part >= 0 && part == std::floor(part), "every part is a whole number");
        total += part;
    }
    require(total == counts.total, "the parts add up to the total");
    require(counts.total >= 1 && counts.total <= shardlab::largest_count, "the total is a count");
    require(counts.active >= 1 && counts.active <= counts.total, "what a token meets is a part of the whole");
    require(counts.prediction_heads >= 0, "prediction heads are a count");
}

/// Layer by layer the same parameters are counted, where the layers are few.
void require_layers(const shardlab::TransformerShape& shape, const shardlab::ParameterCounts& counts) {
    constexpr int few = 100;
    if (shape.layers > few) {
        return;
    }
    double layers = 0;
    for (int layer = 0; layer < shape.layers; ++layer) {
        layers += count_layer(shape, has_experts(shape, layer)).total();
    }
    const double around = counts.token_embedding + counts.position_embedding + counts.output_head +
                          ((shape.norm_weight ? 1.0 : 0.0) + (shape.norm_bias ? 1.0 : 0.0)) * shape.hidden;
    require(layers + around == counts.total, "the layers add up to the total");
}

void require_flops(const shardlab::TransformerShape& shape) {
    const shardlab::TokenFlops flops = flops_per_token(shape, shape.sequence, shardlab::Recomputation::full);
    require(std::isfinite(flops.hardware()), "FLOPs are finite");
    require(flops.scores_forward <= flops.forward && flops.recomputed <= flops.forward,
            "scores and layers are parts of the forward");
}

/// The parameters that the core counts, or nothing if it refuses the text.
std::optional<double> counted(std::string_view text) {
    constexpr bool throwing = false;
    const nlohmann::json object = nlohmann::json::parse(text, nullptr, throwing);
    if (!object.is_object()) {
        return std::nullopt;
    }
    try {
        const shardlab::ModelConfig config = shardlab::cli::model_config(object);
        const shardlab::TransformerShape shape = shardlab::shape_from_config(config);
        for (const std::string& field : shardlab::unknown_fields(config)) {
            require(config.count(field) == 1, "an unknown field stands in the file");
        }
        require_flops(shape);
        const shardlab::ParameterCounts counts = count_parameters(shape);
        require_counts(counts);
        require_layers(shape, counts);
        return counts.total;
    } catch (const shardlab::invalid_argument& error) {
        require(!error.parameter().empty() && !error.rule().empty(), "an error has a parameter and a rule");
        return std::nullopt;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const ScratchFile file;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    file.write(text);
    require(answered(file.path()) == counted(text), "the command and the core count the same parameters");
    return 0;
}
