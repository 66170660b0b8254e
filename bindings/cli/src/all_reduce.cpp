#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <shardlab/collective.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "files.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add("input", "FILE", "tensors as comma-separated numbers, a row for each rank");
    options.add("ranks", "N", "world size, in place of a file; rank r holds 10^r up to 16 ranks, r + 1 above");
    options.add("elements", "L", "elements in each rank's tensor, in place of a file");
    options.add_flag("schedule", "list every transfer");
}

/// Powers of ten show in the sum's digits which ranks have arrived; beyond 16 ranks they are no longer exact.
Matrix made_up_buffers(const Options& options) {
    constexpr int most_powers = 16;
    const int ranks = options.whole("ranks", 1, most_ranks);
    Matrix buffers = zeros("elements", ranks, options.count("elements"));
    double value = 1;
    for (int rank = 0; rank < ranks; ++rank) {
        const std::span<double> elements = row(buffers, static_cast<std::size_t>(rank));
        std::fill(elements.begin(), elements.end(), value);
        value = ranks <= most_powers ? 10 * value : value + 1;
    }
    return buffers;
}

Matrix buffers_asked_for(const Options& options) {
    const bool made_up = options.given("ranks") || options.given("elements");
    if (options.given("input") && made_up) {
        throw invalid_argument("input", "given with --ranks or --elements",
                               "stand alone, since the file has a row for each rank");
    }
    if (!options.given("input") && !made_up) {
        throw invalid_argument("input", "missing", "be given, or --ranks and --elements in its place");
    }
    return made_up ? made_up_buffers(options) : blaming("input", [&] { return input_matrix(options); });
}

std::vector<std::uint64_t> chunk_sizes(const CollectiveSchedule& schedule) {
    std::vector<std::uint64_t> sizes;
    sizes.reserve(static_cast<std::size_t>(schedule.ranks()));
    for (int index = 0; index < schedule.ranks(); ++index) {
        sizes.push_back(chunk(schedule.elements(), schedule.ranks(), index).count);
    }
    return sizes;
}

/// Every step of the ring has one transfer for each rank, so entry i is transfer i mod ranks of step i / ranks.
void add_schedule(Answer& answer, const CollectiveSchedule& schedule) {
    const auto ranks = static_cast<std::size_t>(schedule.ranks());
    Step step;
    answer.add_records("schedule", static_cast<std::size_t>(schedule.steps()) * ranks, [&](std::size_t index) {
        const auto step_index = static_cast<int>(index / ranks);
        if (index % ranks == 0) {
            schedule.generate(step_index, step);
        }
        const Transfer& transfer = step.transfers.at(index % ranks);
        return nlohmann::ordered_json{{"step", step_index},
                                      {"phase", name(step.phase)},
                                      {"source", transfer.source},
                                      {"destination", transfer.destination},
                                      {"source_offset", transfer.source_offset},
                                      {"destination_offset", transfer.destination_offset},
                                      {"count", transfer.count},
                                      {"combine", transfer.reduce ? "reduce" : "copy"}};
    });
}

void run(const Options& options, std::ostream& out) {
    Matrix buffers = buffers_asked_for(options);
    if (options.given("schedule")) {
        const auto ranks = static_cast<double>(buffers.shape(0));
        require_listable("schedule", 2 * (ranks - 1) * ranks);
    }
    const std::string origin = options.given("input") ? "input" : "elements";
    const AllReduce reduced = blaming(origin, [&] { return ring_all_reduce(std::move(buffers)); });

    Answer answer(out);
    answer.add_rows("result", reduced.buffers);
    answer.add("steps", reduced.schedule.steps());
    answer.add_list("chunk_elements", chunk_sizes(reduced.schedule));
    answer.add("elements_moved", reduced.ledger.elements_moved());
    answer.add_list("bytes_sent_per_rank", reduced.ledger.bytes_sent_per_rank());
    if (options.given("schedule")) {
        add_schedule(answer, reduced.schedule);
    }
    answer.close();
}

}  // namespace

const Command all_reduce_command = {
    .name = "all-reduce",
    .summary = "Sum the tensors of all ranks around a ring, for real",
    .example = "shardlab all-reduce --ranks 4 --elements 8 --schedule",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
