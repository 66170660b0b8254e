#include <shardlab/collective_cost.hpp>

#include "answer.hpp"
#include "command.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add("ranks", "N", "world size");
    options.add("bytes", "BYTES", "size of each rank's tensor");
    options.add("latency_seconds", "SECONDS", "alpha of the link, together with --bytes-per-second: adds the time");
    options.add("bytes_per_second", "RATE", "rate of the link in one direction, together with --latency-seconds");
}

AllReduceCost cost_asked_for(const Options& options) {
    const int ranks = options.whole("ranks", 1, most_priced_ranks);
    const double bytes = options.count("bytes");
    if (!options.given("latency_seconds") && !options.given("bytes_per_second")) {
        return all_reduce_cost(ranks, bytes);
    }
    return all_reduce_cost(
        ranks, bytes,
        {.latency_seconds = options.number("latency_seconds"), .bytes_per_second = options.number("bytes_per_second")});
}

void run(const Options& options, std::ostream& out) {
    const AllReduceCost cost = cost_asked_for(options);

    Answer answer(out);
    answer.add("steps", cost.steps);
    answer.add("bytes_sent_per_rank", cost.bytes_sent_per_rank);
    if (cost.seconds) {
        answer.add("seconds", *cost.seconds);
    }
    answer.add("bus_factor", cost.bus_factor);
    answer.close();
}

}  // namespace

const Command all_reduce_cost_command = {
    .name = "all-reduce-cost",
    .summary = "Price a ring all-reduce by its closed form",
    .example = "shardlab all-reduce-cost --ranks 8 --bytes 1e9",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
