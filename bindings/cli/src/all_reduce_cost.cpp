#include <optional>
#include <string>

#include <shardlab/collective.hpp>
#include <shardlab/collective_cost.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "link_options.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add("ranks", "N", "world size");
    options.add("bytes", "BYTES", "size of each rank's tensor");
    options.add_with_default("algorithm", "NAME", "ring",
                             "ring, naive, tree, double-tree, halving-doubling or hierarchical");
    declare_shape(options);
    declare_links(options);
    options.add("fault", "FAULT", "slow:R or slow:R:FACTOR: adds the time with a slow rank R");
}

/// What the options ask the price of.
struct Asked {
    Algorithm algorithm = Algorithm::ring;
    int ranks = 1;
    double bytes = 0;
    ScheduleOptions shape;
};

Asked all_reduce_asked_for(const Options& options) {
    return {.algorithm = algorithm_from_name(options.text("algorithm")),
            .ranks = options.whole("ranks", 1, most_priced_ranks),
            .bytes = options.count("bytes"),
            .shape = shape_asked_for(options, most_priced_ranks)};
}

/// What the schedule takes, byte by byte; none where there are more ranks than schedules have.
std::optional<double> schedule_seconds(const Asked& asked, const Links& links, std::optional<SlowRank> slow = {}) {
    if (asked.ranks > most_ranks) {
        return std::nullopt;
    }
    return price_seconds(all_reduce_schedule(asked.algorithm, asked.ranks, asked.bytes, asked.shape), links, 1, slow);
}

/// The closed form's time or, where there is none or only a bound, the schedule's.
double seconds(const AllReduceCost& cost, std::optional<double> of_schedule, const Asked& asked) {
    if (!cost.seconds && !of_schedule) {
        throw invalid_argument("ranks", std::to_string(asked.ranks),
                               "be at most " + std::to_string(most_ranks) +
                                   " where the time has no closed form, as for " + name(asked.algorithm) +
                                   " on two kinds of link");
    }
    const bool is_bound = asked.algorithm == Algorithm::double_tree;
    return cost.seconds && !(is_bound && of_schedule) ? *cost.seconds : *of_schedule;
}

/// The time with a slow rank, if one was asked for.
std::optional<double> faulty_seconds(const Options& options, const Asked& asked) {
    if (!options.given("fault")) {
        return std::nullopt;
    }
    const Fault fault = fault_from_text(options.text("fault"));
    const std::optional<SlowRank> slow = slow_rank(fault);
    if (!slow || asked.ranks > most_ranks || fault.rank >= asked.ranks) {
        throw invalid_argument("fault", options.text("fault"),
                               "be slow, at one of at most " + std::to_string(most_ranks) + " ranks");
    }
    return schedule_seconds(asked, required_links(options, asked.shape.per_node), slow);
}

void run(const Options& options, std::ostream& out) {
    const Asked asked = all_reduce_asked_for(options);
    const std::optional<Links> links = links_asked_for(options, asked.shape.per_node);
    const std::optional<double> faulty = faulty_seconds(options, asked);
    const AllReduceCost cost = links ? all_reduce_cost(asked.algorithm, asked.ranks, asked.bytes, asked.shape, *links)
                                     : all_reduce_cost(asked.algorithm, asked.ranks, asked.bytes, asked.shape);
    const std::optional<double> of_schedule = links ? schedule_seconds(asked, *links) : std::nullopt;
    const std::optional<double> total = links ? std::optional(seconds(cost, of_schedule, asked)) : std::nullopt;

    Answer answer(out);
    answer.add("steps", cost.steps);
    answer.add("bytes_sent_per_rank", cost.bytes_sent_per_rank);
    if (total) {
        answer.add("seconds", *total);
    }
    answer.add("bus_factor", cost.bus_factor);
    if (of_schedule) {
        answer.add("schedule_seconds", *of_schedule);
    }
    if (faulty) {
        answer.add("faulty_seconds", *faulty);
    }
    answer.close();
}

}  // namespace

const Command all_reduce_cost_command = {
    .name = "all-reduce-cost",
    .summary = "Price an all-reduce by its closed form, and by its schedule",
    .example = "shardlab all-reduce-cost --ranks 8 --bytes 1e9 --algorithm double-tree --slices 16",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
