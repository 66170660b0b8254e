#include <string>

#include <shardlab/pipeline.hpp>

#include "csv_rows.hpp"
#include "recomputations.hpp"
#include "table_builder.hpp"

// Qi et al., arXiv:2401.10241v1, tables 5 and 9: bubble rates from profiled times.

namespace shardlab::verifying {
namespace {

constexpr std::string_view to_the_print = "half a unit of the last printed digit; 1e-9 for the sums of times";
constexpr double of_sums = 1e-9;

OperationTimes times_of(const CsvRow& row, double chunks) {
    return split_times(row.number("TF_ms") / chunks, row.number("TB_ms") / chunks, row.number("TW_ms") / chunks);
}

PipelineRequest request_for(const CsvRow& row, const std::string& schedule) {
    PipelineRequest request;
    request.schedule = schedule;
    request.stages = row.whole("p");
    request.micro_batches = row.whole("m");
    request.times = times_of(row, 1);
    request.communication = row.number("Tcomm_ms");
    return request;
}

double bubble_rate(const CsvRow& row, const std::string& schedule) {
    PipelineCosts costs;
    costs.times = times_of(row, 1);
    costs.communication = row.number("Tcomm_ms");
    return simulate(pipeline_schedule(request_for(row, schedule)), costs).bubble_rate;
}

double interleaved_rate(const CsvRow& row, bool relaxed_wrap) {
    PipelineRequest request = request_for(row, "interleaved");
    request.chunks = row.whole("v_chunks");
    PipelineCosts costs;
    costs.times = times_of(row, row.number("v_chunks"));
    costs.communication = row.number("Tcomm_ms");
    costs.relaxed_wrap = relaxed_wrap;
    return simulate(pipeline_schedule(request), costs).bubble_rate;
}

void add_interleaved(TableBuilder& table, const CsvRow& row, const std::string& name) {
    const PrintedNumber printed = row.printed("paper_bubble_rate");
    const double tolerance = row.rounding("paper_bubble_rate") + of_sums;
    const double strict = interleaved_rate(row, false);
    table.derive({.formula = "bubble_rate of the simulated interleaved schedule, without one dependency",
                  .assumption = "micro-batches whose number is no multiple of P do not wait for what wraps around from "
                                "the last device to the first, as in the authors' simulator",
                  .tolerance = to_the_print});
    table.add(name, "bubble rate", printed, interleaved_rate(row, true), tolerance);
    table.derive({.formula = "bubble_rate of the simulated interleaved schedule",
                  .tolerance = to_the_print,
                  .known_difference = "The published rates were simulated without one dependency, which real training "
                                      "has to keep. With it the bubble is larger."});
    table.add(name, "with every dependency", printed, strict, tolerance);
    table.derive({.formula = "bubble_rate of the simulated interleaved schedule",
                  .assumption = "compared with an independent simulation, which the paper does not print",
                  .tolerance = to_the_print});
    table.add(name, "independent simulation", row.printed("strict_interleaved_sim"), strict,
              row.rounding("strict_interleaved_sim") + of_sums);
}

Derivation of_schedule(const std::string& name) {
    Derivation derivation{.formula = "bubble_rate of the simulated schedule", .tolerance = to_the_print};
    if (name == "ZB-1p") {
        derivation.formula = "bubble_rate of the searched schedule in the memory of P micro-batches";
    } else if (name == "ZB-2p") {
        derivation.formula = "bubble_rate of the searched schedule in the memory of 2P micro-batches";
        derivation.known_difference =
            "The paper's schedules come out of its own search and are not printed. This library's search finds other "
            "ones in the same memory.";
    }
    return derivation;
}

std::string builder_of(const std::string& name) {
    return name == "1F1B"    ? "1f1b"
           : name == "ZB-H1" ? "zb-h1"
           : name == "ZB-H2" ? "zb-h2"
           : name == "ZB-1p" ? "zb-1p"
                             : "zb-2p";
}

}  // namespace

VerifiedTable zero_bubble_table5(std::string_view csv) {
    TableBuilder table("Bubble rates of six schedules from profiled times",
                       {"Qi et al., Zero Bubble Pipeline Parallelism, version 1", "https://arxiv.org/abs/2401.10241v1",
                        "table 5, with the times of table 9"},
                       "Model, stages, micro-batches, schedule");
    table.add_column("bubble rate");
    table.add_column("with every dependency");
    table.add_column("independent simulation");
    for (const CsvRow& row : csv_rows(csv)) {
        const std::string& schedule = row.text("schedule");
        const std::string name =
            joined({row.text("model"), ", P = ", row.text("p"), ", M = ", row.text("m"), ", ", schedule});
        if (schedule == "1F1B-I") {
            add_interleaved(table, row, name);
            continue;
        }
        table.derive(of_schedule(schedule));
        table.add(name, "bubble rate", row.printed("paper_bubble_rate"), bubble_rate(row, builder_of(schedule)),
                  row.rounding("paper_bubble_rate") + of_sums);
    }
    return std::move(table).finish();
}

}  // namespace shardlab::verifying
