#include <cmath>
#include <string>

#include <shardlab/transformer.hpp>
#include <shardlab/verify.hpp>

#include "catch.hpp"
#include "refusal.hpp"
#include "verified.hpp"

using namespace shardlab;

namespace {

constexpr int paper_sequence = 2048;
constexpr int paper_vocabulary = 51200;

/// A model of Korthikanti et al., arXiv:2205.05198, tables 3 and 5.
struct Model {
    const char* preset;
    int batch;
};

constexpr Model models[] = {{"megatron-22b", 4}, {"megatron-175b", 64}, {"megatron-530b", 280}, {"megatron-1t", 512}};

}  // namespace

TEST_CASE("a GPT's FLOPs are the closed form of its paper, exactly", "[transformer][flops]") {
    for (const auto& [preset, batch] : models) {
        INFO(preset);
        const TransformerShape& shape = model_preset(preset).shape;
        const KorthikantiFlops paper =
            korthikanti_flops(batch, shape.layers, paper_sequence, shape.hidden, paper_vocabulary);
        const TokenFlops flops = flops_per_token(shape, paper_sequence, Recomputation::selective);
        const double tokens = static_cast<double>(batch) * paper_sequence;
        CHECK(flops.model() * tokens == paper.model);
        const double hidden = shape.hidden;
        const double fractions = 1 + paper_sequence / (6 * hidden) + paper_vocabulary / (12 * hidden * shape.layers);
        CHECK(paper.model == Approx(72.0 * shape.layers * tokens * hidden * hidden * fractions).epsilon(1e-14));
        // The paper's form counts the scores' recomputation three times.
        CHECK(paper.hardware - paper.model == Approx(3 * flops.recomputed * tokens).epsilon(1e-12));
    }
}

TEST_CASE("utilisation is within 0.2 points of the published one", "[transformer][flops]") {
    const VerifiedTable table = verify("korthikanti_table3_5");
    for (const VerifiedCell& cell : table.cells) {
        CAPTURE(cell.id);
        CHECK(std::abs(*cell.difference()) <= 0.2);
        CHECK(cell.verdict == Verdict::agrees);
    }
    CHECK(agreeing_cells("korthikanti_text", [](const std::string& row, const std::string&) {
              return row.find("utilization") != std::string::npos;
          }) == 1);
}

TEST_CASE("selective recomputation costs 2.7 and 1.6 percent, as its paper counts it", "[transformer][flops]") {
    CHECK(agreeing_cells("korthikanti_text", [](const std::string& row, const std::string&) {
              return row.find("FLOPs added") != std::string::npos;
          }) == 2);
}

TEST_CASE("FLOPs are two a weight that a token meets, and those of the scores", "[transformer][flops]") {
    const TransformerShape& llama = model_preset("llama3-8b").shape;
    const TokenFlops flops = flops_per_token(llama, 8192);
    const double weights = 32.0 * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336) + 128256.0 * 4096;
    CHECK(flops.scores_forward == 32.0 * 4 * 8192 * 4096);
    CHECK(flops.forward == 2 * weights + flops.scores_forward);
    CHECK(flops.backward == 2 * flops.forward);
    CHECK(flops.recomputed == 0);
    CHECK(flops.hardware() == 3 * flops.forward);
    CHECK(flops_per_token(llama, 8192, Recomputation::selective).recomputed == flops.scores_forward);
    CHECK(flops_per_token(llama, 8192, Recomputation::full).recomputed == flops.forward - 2 * 128256.0 * 4096);
}

TEST_CASE("an embedding that is the output head too is multiplied with all the same", "[transformer][flops]") {
    TransformerShape shape = model_preset("llama3-8b").shape;
    const double untied = flops_per_token(shape, 100).forward;
    shape.tied_embeddings = true;
    CHECK(flops_per_token(shape, 100).forward == untied);
}

TEST_CASE("a token meets its experts, and no others", "[transformer][flops]") {
    const TransformerShape& mixtral = model_preset("mixtral-8x7b").shape;
    const ParameterCounts counts = count_parameters(mixtral);
    const TokenFlops flops = flops_per_token(mixtral, 4096);
    CHECK(flops.forward - flops.scores_forward == 2 * (counts.active - counts.token_embedding - counts.norms));

    // The same model without a shared gate and with one.
    TransformerShape shape = mixtral;
    shape.experts.shared_ffn = 100;
    const double shared = flops_per_token(shape, 4096).forward - flops.forward;
    CHECK(shared == 2.0 * 32 * 3 * 4096 * 100);
    shape.experts.shared_gate = true;
    CHECK(flops_per_token(shape, 4096).forward - flops.forward - shared == 2.0 * 32 * 4096);
}

TEST_CASE("latent attention scores over heads of 192 and weighs values of 128", "[transformer][flops]") {
    const TransformerShape& v3 = model_preset("deepseek-v3").shape;
    const ParameterCounts counts = count_parameters(v3);
    const TokenFlops flops = flops_per_token(v3, 4096);
    CHECK(flops.scores_forward == 61.0 * 128 * 2 * 4096 * (192 + 128));
    const double vectors = counts.norms + 61.0 * (1536 + 512) + 58.0 * 256;
    CHECK(flops.forward - flops.scores_forward == 2 * (counts.active - counts.token_embedding - vectors));
}

TEST_CASE("FLOPs refuse what has none", "[transformer][flops]") {
    require_refused("sequence", "0", [] { flops_per_token(model_preset("gpt2").shape, 0); });
    require_refused("hidden", "0", [] { flops_per_token({}, 1); });
    require_refused("batch", "0", [] { korthikanti_flops(0, 1, 1, 1, 1); });
    require_refused("layers", "0", [] { korthikanti_flops(1, 0, 1, 1, 1); });
    require_refused("sequence", "0", [] { korthikanti_flops(1, 1, 0, 1, 1); });
    require_refused("hidden", "0", [] { korthikanti_flops(1, 1, 1, 0, 1); });
    require_refused("vocabulary", "-1", [] { korthikanti_flops(1, 1, 1, 1, -1); });
}
