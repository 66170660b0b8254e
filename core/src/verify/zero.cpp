#include <string>

#include <shardlab/zero.hpp>

#include "csv_rows.hpp"
#include "recomputations.hpp"
#include "table_builder.hpp"

// Rajbhandari et al., arXiv:1910.02054: tables 1 and 2.

namespace shardlab::verifying {
namespace {

constexpr double billion = 1e9;

PublishedSource zero_paper(std::string_view place) {
    return {"Rajbhandari et al., ZeRO: Memory Optimizations Toward Training Trillion Parameter Models, SC 2020",
            "https://arxiv.org/abs/1910.02054", place};
}

/// A column by what the paper calls the stage, and the number of the stage.
struct Stage {
    std::string column;
    int number = 0;
};

Stage stage_named(const std::string& name) {
    if (name == "baseline") {
        return {"baseline", 0};
    }
    return name == "pos" ? Stage{"P_os", 1} : name == "pos_g" ? Stage{"P_os+g", 2} : Stage{"P_os+g+p", 3};
}

}  // namespace

VerifiedTable zero_table1(std::string_view csv) {
    TableBuilder table("Memory of the training states, 7.5 billion parameters", zero_paper("table 1"),
                       "Data-parallel ranks");
    table.add_column("P_os", "GB");
    table.add_column("P_os+g", "GB");
    table.add_column("P_os+g+p", "GB");
    table.derive({.formula = "(4 + 12/R) N, (2 + 14/R) N and 16 N/R bytes of zero_memory_per_gpu, over 1e9",
                  .tolerance = half_a_digit});
    for (const CsvRow& row : csv_rows(csv)) {
        const Stage stage = stage_named(row.text("stage"));
        const int ranks = row.whole("dp_degree");
        const double bytes = zero_memory_per_gpu(row.number("params_B") * billion, ranks, stage.number).total_bytes;
        table.add(joined({row.text("dp_degree"), ranks == 1 ? " rank" : " ranks"}), stage.column,
                  row.printed("paper_GB"), bytes / billion, row.rounding("paper_GB"));
    }
    return std::move(table).finish();
}

VerifiedTable zero_table2(std::string_view csv) {
    TableBuilder table("Largest model whose states fit 32 GB on each of 64 data-parallel ranks",
                       zero_paper("table 2, by theory"), "Model-parallel ranks");
    table.add_column("baseline", "billion parameters");
    table.add_column("P_os", "billion parameters");
    table.add_column("P_os+g", "billion parameters");
    table.add_column("P_os+g+p", "billion parameters");
    const Derivation from_memory = {
        .formula = "model-parallel ranks times 32e9 B over the bytes of a parameter, of zero_memory_per_gpu",
        .tolerance = "half a unit of the last printed digit; 0.5T, 1T and 2T are printed for 512, 1024 and 2048"};
    Derivation from_first_row = from_memory;
    from_first_row.known_difference =
        "The paper multiplies its first row, rounded as it is printed, by the model-parallel ranks.";
    for (const CsvRow& row : csv_rows(csv)) {
        const Stage stage = stage_named(row.text("stage"));
        const int model_parallel = row.whole("mp");
        const bool rounded_before = model_parallel > 1 && (stage.number == 1 || stage.number == 2);
        table.derive(rounded_before ? from_first_row : from_memory);
        const double bytes_per_param =
            zero_memory_per_gpu(billion, row.whole("dp_degree"), stage.number).total_bytes / billion;
        table.add(joined({row.text("mp"), " of ", row.text("gpus"), " GPUs"}), stage.column, row.printed("paper_B"),
                  model_parallel * 32 / bytes_per_param, row.rounding("paper_B"));
    }
    return std::move(table).finish();
}

}  // namespace shardlab::verifying
