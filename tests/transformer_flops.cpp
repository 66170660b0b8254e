#include <string>

#include <shardlab/transformer.hpp>

#include "catch.hpp"
#include "data.hpp"
#include "refusal.hpp"
#include "table.hpp"

using namespace shardlab;

namespace {

constexpr int paper_sequence = 2048;
constexpr int paper_vocabulary = 51200;
constexpr double a100_flops_per_second = 312e12;

/// A row of Korthikanti et al., arXiv:2205.05198, tables 3 and 5.
struct Row {
    std::string preset;
    int hidden = 0;
    int layers = 0;
    double gpus = 0;
    int batch = 0;
    double seconds = 0;
    double mfu = 0;
    double hfu = 0;
};

std::string preset_of(const std::string& size) {
    return "megatron-" + size.substr(0, size.size() - 1) + (size.back() == 'T' ? "t" : "b");
}

std::vector<Row> paper_rows() {
    std::vector<Row> rows;
    for (const std::vector<std::string>& row : table_rows(data::korthikanti_table3_5, 14)) {
        rows.push_back({.preset = preset_of(row[0]),
                        .hidden = std::stoi(row[2]),
                        .layers = std::stoi(row[3]),
                        .gpus = std::stod(row[6]),
                        .batch = std::stoi(row[7]),
                        .seconds = std::stod(row[10]),
                        .mfu = std::stod(row[12]),
                        .hfu = std::stod(row[13])});
    }
    return rows;
}

double percent_of_peak(double flops, const Row& row) {
    return 100 * flops / row.seconds / row.gpus / a100_flops_per_second;
}

}  // namespace

TEST_CASE("a GPT's FLOPs are the closed form of its paper, exactly", "[transformer][flops]") {
    for (const Row& row : paper_rows()) {
        INFO(row.preset);
        const TransformerShape& shape = model_preset(row.preset).shape;
        REQUIRE(shape.hidden == row.hidden);
        REQUIRE(shape.layers == row.layers);
        const KorthikantiFlops paper =
            korthikanti_flops(row.batch, row.layers, paper_sequence, row.hidden, paper_vocabulary);
        const TokenFlops flops = flops_per_token(shape, paper_sequence, Recomputation::selective);
        CHECK(flops.model() * (static_cast<double>(row.batch) * paper_sequence) == paper.model);
        const double hidden = row.hidden;
        const double fractions = 1 + paper_sequence / (6 * hidden) + paper_vocabulary / (12 * hidden * row.layers);
        CHECK(paper.model ==
              Approx(72.0 * row.batch * row.layers * paper_sequence * hidden * hidden * fractions).epsilon(1e-14));
        // The paper's form counts the scores' recomputation three times.
        const double tokens = static_cast<double>(row.batch) * paper_sequence;
        CHECK(paper.hardware - paper.model == Approx(3 * flops.recomputed * tokens).epsilon(1e-12));
    }
}

TEST_CASE("utilisation is within 0.2 points of the published one", "[transformer][flops]") {
    CHECK(paper_rows().size() == 4);
    for (const Row& row : paper_rows()) {
        INFO(row.preset);
        const double tokens = static_cast<double>(row.batch) * paper_sequence;
        const double model = tokens * flops_per_token(model_preset(row.preset).shape, paper_sequence).model();
        CHECK(percent_of_peak(model, row) == Approx(row.mfu).margin(0.2));
        const KorthikantiFlops paper =
            korthikanti_flops(row.batch, row.layers, paper_sequence, row.hidden, paper_vocabulary);
        CHECK(percent_of_peak(paper.hardware, row) == Approx(row.hfu).margin(0.2));
    }
    // Section 6.3: eight data-parallel copies of the 530B model.
    const double copies = 8;
    Row row;
    row.gpus = 2240;
    row.seconds = 39.15;
    const double tokens = copies * 280 * paper_sequence;
    CHECK(percent_of_peak(tokens * flops_per_token(model_preset("megatron-530b").shape, paper_sequence).model(), row) ==
          Approx(54.2).margin(0.2));
}

TEST_CASE("selective recomputation costs 2.7 and 1.6 percent, as its paper counts it", "[transformer][flops]") {
    const auto overhead = [](int layers, int hidden) {
        const KorthikantiFlops flops = korthikanti_flops(1, layers, paper_sequence, hidden, paper_vocabulary);
        return 100 * (flops.hardware / flops.model - 1);
    };
    CHECK(overhead(96, 12288) == Approx(2.7).margin(0.05));
    CHECK(overhead(105, 20480) == Approx(1.6).margin(0.05));
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
