#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <shardlab/pipeline.hpp>

#include "../text.hpp"
#include "csv_rows.hpp"
#include "recomputations.hpp"
#include "table_builder.hpp"

// Schedules that PyTorch's tests carry, an operation a cell.

namespace shardlab::verifying {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(std::string_view csv) {
    Rows rows;
    while (!csv.empty()) {
        rows.push_back(reading::csv_cells(reading::taken(csv, '\n')));
    }
    return rows;
}

/// An empty table with a column for each slot.
TableBuilder table_of(std::string_view title, std::string_view file, const Rows& printed) {
    TableBuilder table(title,
                       {"PyTorch, tests of torch.distributed.pipelining",
                        "https://github.com/pytorch/pytorch/tree/main/test/distributed/pipelining/artifacts", file},
                       "Rank");
    std::size_t slots = 0;
    for (const std::vector<std::string>& row : printed) {
        slots = std::max(slots, row.size());
    }
    for (std::size_t slot = 1; slot <= slots; ++slot) {
        table.add_column(joined({"slot ", std::to_string(slot)}));
    }
    return table;
}

/// Adds what either list has in a slot, which is idle beyond its end.
void add_slot(TableBuilder& table, std::size_t rank, std::size_t slot, const Rows& printed, const Rows& computed) {
    const auto operation = [&](const Rows& rows) {
        const std::vector<std::string>& row = rows.at(rank);
        return slot < row.size() && !row[slot].empty() ? row[slot] : std::string("idle");
    };
    table.add_words(joined({"rank ", std::to_string(rank)}), joined({"slot ", std::to_string(slot + 1)}),
                    operation(printed), operation(computed));
}

/// Calls `add` for every slot of every rank that either list has.
template <typename Add>
void for_each_slot(const Rows& printed, const Rows& computed, Add add) {
    for (std::size_t rank = 0; rank < printed.size(); ++rank) {
        const std::size_t slots = std::max(printed[rank].size(), computed.at(rank).size());
        for (std::size_t slot = 0; slot < slots; ++slot) {
            add(rank, slot);
        }
    }
}

/// What runs in each slot where every operation takes one, in the older letters of the backward.
Rows simulated_slots(const PipelineSchedule& schedule) {
    PipelineCosts costs;
    costs.times = split_times(1, 1, 1);
    const PipelineTimeline timeline = simulate(schedule, costs);
    Rows rows(schedule.operations.size());
    for (std::size_t device = 0; device < rows.size(); ++device) {
        for (std::size_t index = 0; index < schedule.operations[device].size(); ++index) {
            const auto slot = static_cast<std::size_t>(timeline.spans[device][index].start);
            rows[device].resize(std::max(rows[device].size(), slot + 1));
            std::string written = cell(schedule.operations[device][index]);
            std::replace(written.begin(), written.end(), 'I', 'B');
            rows[device][slot] = written;
        }
    }
    return rows;
}

}  // namespace

VerifiedTable dualpipev_4rank_10mb(std::string_view csv) {
    const Rows printed = rows_of(csv);
    TableBuilder table = table_of("DualPipeV of 4 ranks and 10 micro-batches, operation by operation",
                                  "dualpipev_4rank_10mb.csv", printed);
    table.derive(
        {.formula = "schedule_csv of pipeline_schedule_dualpipe_v", .tolerance = "words are compared as they stand"});
    const Rows computed = rows_of(schedule_csv(pipeline_schedule_dualpipe_v(4, 10)));
    for_each_slot(printed, computed,
                  [&](std::size_t rank, std::size_t slot) { add_slot(table, rank, slot, printed, computed); });
    return std::move(table).finish();
}

VerifiedTable zb1p_2rank_2stagep_compute(std::string_view csv) {
    const Rows printed = rows_of(csv);
    TableBuilder table =
        table_of("Zero bubble of 2 ranks with 2 stages each, slot by slot", "zb1p_2rank_2stagep_compute.csv", printed);
    const Derivation simulated{
        .formula = "the slot that the simulation starts each operation in",
        .assumption = "the order of each rank's operations is the file's; every operation takes one slot",
        .tolerance = "words are compared as they stand"};
    Derivation early = simulated;
    early.known_difference =
        "The file leaves the fourth slot of rank 0 idle, though what 2F1 waits for has ended a slot before.";
    const Rows computed = simulated_slots(read_schedule_csv(csv).schedule);
    for_each_slot(printed, computed, [&](std::size_t rank, std::size_t slot) {
        table.derive(rank == 0 && (slot == 3 || slot == 4) ? early : simulated);
        add_slot(table, rank, slot, printed, computed);
    });
    return std::move(table).finish();
}

}  // namespace shardlab::verifying
