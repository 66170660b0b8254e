#include "collective_options.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "files.hpp"
#include "link_options.hpp"
#include "schedule_listing.hpp"

namespace shardlab::cli {
namespace {

/// Powers of ten show in the sum's digits which ranks have arrived; beyond 16 ranks they are no longer exact.
Matrix made_up_tensors(const Options& options) {
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

/// Lets an error about the tensors name the option that they came from, and leaves those about other options alone.
template <typename Work>
auto blaming_tensors(const Options& options, Work&& work) {
    try {
        return work();
    } catch (const invalid_argument& error) {
        if (error.parameter() != "buffers") {
            throw;
        }
        throw invalid_argument(options.given("input") ? "input" : "elements", error.value(), error.rule());
    }
}

std::vector<std::uint64_t> chunk_sizes(const CollectiveSchedule& schedule) {
    std::vector<std::uint64_t> sizes;
    sizes.reserve(static_cast<std::size_t>(schedule.ranks()));
    for (int index = 0; index < schedule.ranks(); ++index) {
        sizes.push_back(chunk(schedule.elements(), schedule.ranks(), index).count);
    }
    return sizes;
}

const Matrix& as_float64(const Matrix& buffers) {
    return buffers;
}

Matrix as_float64(const Matrix32& buffers) {
    return to_float64(buffers);
}

void add_ledger(Answer& answer, const CollectiveSchedule& schedule, const Ledger& ledger) {
    answer.add("steps", schedule.steps());
    answer.add_list("chunk_elements", chunk_sizes(schedule));
    answer.add("elements_moved", ledger.elements_moved());
    answer.add_list("bytes_sent_per_rank", ledger.bytes_sent_per_rank());
}

/// What a run is asked for beside its schedule and its numbers.
struct RunAsked {
    Kind kind = Kind::all_reduce;
    Reduction reduction = Reduction::sum;
    std::optional<Links> links;
    bool exact_sum = false;
};

/// Whether the sums are to be held to the exact ones, which every rank must end with.
bool exact_sum_asked_for(const Options& options, Kind kind, Reduction reduction) {
    const bool sums = kind == Kind::all_reduce && reduction == Reduction::sum && !options.given("fault");
    if (options.given("exact_sum") && !sums) {
        throw invalid_argument("exact_sum", "given", "stand with an all-reduce to a sum, without a fault");
    }
    return options.given("exact_sum");
}

/// Seconds of the whole schedule where the links are known.
std::optional<double> seconds(const CollectiveSchedule& schedule, const RunAsked& asked, double element_bytes,
                              std::optional<SlowRank> slow = std::nullopt) {
    return asked.links ? std::optional(price_seconds(schedule, *asked.links, element_bytes, slow)) : std::nullopt;
}

void add_if_known(Answer& answer, const char* key, std::optional<double> value) {
    if (value) {
        answer.add(key, *value);
    }
}

// Everything is checked and computed before an answer is opened, so that a refusal leaves nothing on stdout.

template <typename T>
void answer_sound(const Options& options, const CollectiveSchedule& schedule, MatrixOf<T> tensors,
                  const RunAsked& asked, std::ostream& out) {
    const std::optional<MatrixOf<T>> began = asked.exact_sum ? std::optional(tensors) : std::nullopt;
    const Ledger ledger = execute(schedule, tensors, std::nullopt, asked.reduction);
    const std::optional<double> off_exact =
        began ? std::optional(largest_difference_to_exact_sum(*began, row(std::as_const(tensors), 0))) : std::nullopt;
    const std::optional<double> time = seconds(schedule, asked, sizeof(T));

    Answer answer(out);
    answer.add_rows("result", as_float64(tensors));
    add_ledger(answer, schedule, ledger);
    add_if_known(answer, "seconds", time);
    add_if_known(answer, "max_difference_to_exact_sum", off_exact);
    add_schedule_if_asked(options, answer, schedule);
    answer.close();
}

template <typename T>
void answer_faulty(const Options& options, const CollectiveSchedule& schedule, MatrixOf<T> tensors,
                   const RunAsked& asked, std::ostream& out) {
    const Fault fault = fault_from_text(options.text("fault"));
    const FaultyRun<T> run =
        run_with_fault(schedule, std::move(tensors), fault, asked.reduction, std::nullopt, asked.kind);
    const std::optional<double> time = seconds(schedule, asked, sizeof(T), slow_rank(fault));

    Answer answer(out);
    answer.add_rows("result", as_float64(run.executed.buffers));
    add_ledger(answer, schedule, run.executed.ledger);
    add_if_known(answer, "seconds", time);
    answer.add_list("diverged_ranks", run.diverged_ranks);
    answer.add("max_abs_difference", run.max_abs_difference);
    answer.add("max_replica_difference", run.max_replica_difference);
    answer.add_text("consequence", consequence(fault.kind));
    add_schedule_if_asked(options, answer, schedule);
    answer.close();
}

template <typename T>
void answer_as(const Options& options, const CollectiveSchedule& schedule, MatrixOf<T> tensors, const RunAsked& asked,
               std::ostream& out) {
    blaming_tensors(options, [&] {
        reduces(asked.kind) ? require_reducible(tensors, asked.reduction) : require_finite("buffers", tensors);
        options.given("fault") ? answer_faulty(options, schedule, std::move(tensors), asked, out)
                               : answer_sound(options, schedule, std::move(tensors), asked, out);
    });
}

}  // namespace

void declare_tensors(Options& options) {
    options.add("input", "FILE", "tensors as comma-separated numbers, a row for each rank");
    options.add("ranks", "N", "world size, in place of a file; rank r holds 10^r up to 16 ranks, r + 1 above");
    options.add("elements", "L", "elements in each rank's tensor, in place of a file");
}

void declare_run(Options& options) {
    options.add_with_default("op", "sum|max|min|average", "sum", "what the ranks' elements are reduced to");
    options.add_with_default("dtype", "float32|float64", "float64", "numbers that are moved and added");
    options.add("fault", "FAULT",
                "what goes wrong: drop:R, double:R, miss-hop:R:STEP, stale:R:STEP, slow:R or slow:R:FACTOR; "
                "ranks and steps count from 0");
    declare_links(options);
    options.add_flag("exact_sum", "add how far the sums are off the exact ones of the numbers as --dtype has them");
    options.add_flag("schedule", "list every transfer");
}

Matrix tensors_asked_for(const Options& options) {
    const bool made_up = options.given("ranks") || options.given("elements");
    if (options.given("input") && made_up) {
        throw invalid_argument("input", "given with --ranks or --elements",
                               "stand alone, since the file has a row for each rank");
    }
    if (!options.given("input") && !made_up) {
        throw invalid_argument("input", "missing", "be given, or --ranks and --elements in its place");
    }
    return made_up ? made_up_tensors(options) : blaming("input", [&] { return input_matrix(options); });
}

void answer_run(const Options& options, const CollectiveSchedule& schedule, Matrix tensors, Kind kind,
                std::ostream& out) {
    if (options.given("schedule")) {
        require_listable_schedule(schedule);
    }
    const Reduction reduction = reduction_from_name(options.text("op"));
    const RunAsked asked{.kind = kind,
                         .reduction = reduction,
                         .links = links_asked_for(options, options.whole("per_node", 1, most_ranks)),
                         .exact_sum = exact_sum_asked_for(options, kind, reduction)};
    const std::string dtype = options.text("dtype");
    if (dtype == "float64") {
        answer_as(options, schedule, std::move(tensors), asked, out);
    } else if (dtype == "float32") {
        Matrix32 rounded = blaming_tensors(options, [&] { return to_float32("buffers", tensors); });
        answer_as(options, schedule, std::move(rounded), asked, out);
    } else {
        throw invalid_argument("dtype", dtype, "be float32 or float64");
    }
}

}  // namespace shardlab::cli
