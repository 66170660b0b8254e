#include <string>

#include <shardlab/activations.hpp>
#include <shardlab/footprint.hpp>
#include <shardlab/transformer.hpp>

#include "csv_rows.hpp"
#include "recomputations.hpp"
#include "shapes.hpp"
#include "table_builder.hpp"

// Korthikanti et al., arXiv:2205.05198: tables 3 and 5, and numbers of its text.

namespace shardlab::verifying {
namespace {

constexpr int paper_sequence = 2048;
constexpr double a100_flops_per_second = 312e12;
/// Half a unit of the last digit of an iteration's seconds, which the paper prints to a hundredth.
constexpr double half_a_hundredth = 0.005;

constexpr std::string_view of_sequences =
    "sequences of 2048 tokens, a vocabulary of 51 200, and 312e12 FLOP/s of an A100, which the paper's text names";

constexpr std::string_view of_both_counts =
    "sequences of 2048 tokens, a vocabulary of 51 200, 312e12 FLOP/s of an A100, and the paper's own count, which has "
    "the "
    "scores' recomputation three times";

PublishedSource activation_paper(std::string_view place) {
    return {"Korthikanti et al., Reducing Activation Recomputation in Large Transformer Models, MLSys 2023",
            "https://arxiv.org/abs/2205.05198", place};
}

KorthikantiFlops step_flops(const TransformerShape& shape, int batch) {
    return korthikanti_flops(batch, shape.layers, paper_sequence, shape.hidden, shape.vocabulary);
}

double model_flops(const TransformerShape& shape, double batch) {
    return batch * paper_sequence * flops_per_token(shape, paper_sequence).model();
}

double percent_of_peak(double flops, double seconds, double gpus) {
    return 100 * flops / seconds / gpus / a100_flops_per_second;
}

double layer_bytes(const TransformerShape& shape, Recomputation recompute) {
    return total_bytes(layer_activations(
        shape, false, {.sequence = paper_sequence, .tp = 8, .sequence_parallel = true, .recompute = recompute}));
}

/// What one micro-batch's kept stage outputs add to the first of 35 stages.
double stage_output_bytes(const TransformerShape& shape) {
    FootprintRequest request;
    request.shape = shape;
    request.sequence = paper_sequence;
    request.layout = {.tp = 8, .pp = 35};
    request.micro_batches = 280;
    InFlightCache cache;
    const double freed = footprint(request, cache).per_stage.front().activation_bytes;
    request.allowances.stage_outputs = true;
    return footprint(request, cache).per_stage.front().activation_bytes - freed;
}

void add_run(TableBuilder& table, const CsvRow& row) {
    const std::string& model = row.text("model");
    const TransformerShape shape = korthikanti_model(model);
    const double full = row.number("iter_full_s");
    const double present = row.number("iter_present_s");
    const double gpus = row.number("GPUs");
    const double of_seconds = half_a_hundredth / present;

    table.derive({.formula = "iteration with full recomputation over that of present work, less 1",
                  .tolerance = "half a unit of the last printed digit, of the percentage and of both times"});
    const double ratio = full / present;
    table.add(model, "throughput increase", row.printed("increase_pct"), 100 * (ratio - 1),
              row.rounding("increase_pct") + 100 * ratio * (of_seconds + half_a_hundredth / full));

    constexpr std::string_view of_both = "half a unit of the last printed digit, of the percentage and of the time";
    table.derive({.formula = "flops_per_token times the batch's tokens, over time, GPUs and peak",
                  .assumption = of_sequences,
                  .tolerance = of_both});
    const double mfu = percent_of_peak(model_flops(shape, row.number("global_batch")), present, gpus);
    table.add(model, "model FLOPs utilization", row.printed("MFU_pct"), mfu,
              row.rounding("MFU_pct") + mfu * of_seconds);

    table.derive({.formula = "72 B L s h^2 (1 + s/(3h) + V/(12hL)) of korthikanti_flops, over time, GPUs and peak",
                  .assumption = of_both_counts,
                  .tolerance = of_both});
    const double hfu = percent_of_peak(step_flops(shape, row.whole("global_batch")).hardware, present, gpus);
    table.add(model, "hardware FLOPs utilization", row.printed("HFU_pct"), hfu,
              row.rounding("HFU_pct") + hfu * of_seconds);
}

void add_statement(TableBuilder& table, const CsvRow& row) {
    const TransformerShape shape = korthikanti_model(row.text("model"));
    const std::string& quantity = row.text("quantity");
    double got = 0;
    double tolerance = row.rounding("value");
    std::string_view column = "share";
    std::string_view name;
    if (quantity == "activations_saved_pct") {
        table.derive({.formula = "1 - 34/(34 + 5as/h), of layer_activations with 8-way tensor and sequence parallelism",
                      .assumption = of_sequences,
                      .tolerance = half_a_digit});
        name = "activations saved by selective recomputation";
        got = 100 * (1 - layer_bytes(shape, Recomputation::selective) / layer_bytes(shape, Recomputation::none));
    } else if (quantity == "flops_overhead_pct") {
        table.derive({.formula = "hardware over model FLOPs of korthikanti_flops, less 1",
                      .assumption = "the paper's own count, which has the scores' recomputation three times",
                      .tolerance = half_a_digit});
        name = "FLOPs added by selective recomputation";
        const KorthikantiFlops flops = step_flops(shape, 1);
        got = 100 * (flops.hardware / flops.model - 1);
    } else if (quantity == "stage_outputs_GiB") {
        table.derive({.formula = "2 s b h p bytes: the first stage of footprint with stage outputs kept, less without",
                      .assumption = "GB in the paper is 2^30 bytes here",
                      .tolerance = half_a_digit});
        name = "outputs that the first of 35 stages keeps";
        column = "memory";
        got = stage_output_bytes(shape) / 1073741824;
    } else {
        constexpr double seconds = 39.15;
        table.derive(
            {.formula = "flops_per_token times the tokens of 8 batches of 280, over 39.15 s, 2240 GPUs and peak",
             .assumption = of_sequences,
             .tolerance = "half a unit of the last printed digit, of the percentage and of the time"});
        name = "model FLOPs utilization of 8 data-parallel copies";
        got = percent_of_peak(model_flops(shape, 8 * 280), seconds, 2240);
        tolerance += got * half_a_hundredth / seconds;
    }
    table.add(joined({row.text("model"), ": ", name}), column, row.printed("value"), got, tolerance);
}

}  // namespace

VerifiedTable korthikanti_table3_5(std::string_view csv) {
    TableBuilder table("End-to-end iterations of four models", activation_paper("tables 3 and 5"), "Model");
    table.add_column("throughput increase", "%");
    table.add_column("model FLOPs utilization", "%");
    table.add_column("hardware FLOPs utilization", "%");
    for (const CsvRow& row : csv_rows(csv)) {
        add_run(table, row);
    }
    return std::move(table).finish();
}

VerifiedTable korthikanti_text(std::string_view csv) {
    TableBuilder table("What selective recomputation saves and costs",
                       activation_paper("sections 5 and 6.3, appendix B"), "Statement");
    table.add_column("share", "%");
    table.add_column("memory", "GiB");
    for (const CsvRow& row : csv_rows(csv)) {
        add_statement(table, row);
    }
    return std::move(table).finish();
}

}  // namespace shardlab::verifying
