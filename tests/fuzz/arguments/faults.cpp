// Collectives of every kind, with and without a fault.

#include <algorithm>

#include <shardlab/collective.hpp>

#include "functions.hpp"

namespace fuzz {
namespace {

std::optional<shardlab::CollectiveSchedule> schedule_of(Arguments& arguments) {
    const int ranks = arguments.within(0, 13);
    const int elements = arguments.within(0, 9);
    const shardlab::ScheduleOptions options{.slices = arguments.within(0, 5), .per_node = arguments.within(0, 5)};
    if (arguments.flag()) {
        const auto algorithm = static_cast<shardlab::Algorithm>(arguments.within(0, 5));
        return attempt({"ranks", "elements", "slices", "per_node"},
                       [&] { return shardlab::all_reduce_schedule(algorithm, ranks, elements, options); });
    }
    const auto kind = static_cast<shardlab::Kind>(arguments.within(0, 5));
    return attempt({"ranks", "elements", "slices"},
                   [&] { return shardlab::collective_schedule(kind, ranks, elements, options.slices); });
}

shardlab::Fault fault_of(Arguments& arguments) {
    const std::string text = arguments.text(
        {"drop:0", "double:1", "miss-hop:2:1", "stale:0:2", "slow:1", "slow:0:1e3", "miss-hop:0:0", "stale:1:1"});
    const auto read = attempt({"fault"}, [&] { return shardlab::fault_from_text(text); });
    if (read && arguments.flag()) {
        return *read;
    }
    return {.kind = static_cast<shardlab::FaultKind>(arguments.within(0, 4)),
            .rank = arguments.whole(),
            .step = arguments.whole(),
            .factor = arguments.number()};
}

void require_run(const shardlab::FaultyRun<double>& run, const shardlab::Fault& fault) {
    require_finite(shardlab::elements(run.executed.buffers));
    require_finite(shardlab::elements(run.expected));
    require_finite({run.max_abs_difference, run.max_replica_difference});
    require(run.max_abs_difference >= 0 && run.max_replica_difference >= 0, "differences are no less than none");
    require(!run.diverged_ranks.empty() || run.max_abs_difference == 0, "a difference has a rank");
    require(std::is_sorted(run.diverged_ranks.begin(), run.diverged_ranks.end()), "ranks are in order");
    require(fault.kind != shardlab::FaultKind::slow || run.diverged_ranks.empty(), "a slow rank changes no number");
}

}  // namespace

void faults(Arguments& arguments) {
    const auto schedule = schedule_of(arguments);
    const shardlab::Fault fault = fault_of(arguments);
    if (!schedule) {
        return;
    }
    const auto ranks = static_cast<int>(schedule->ranks());
    const auto elements = static_cast<int>(schedule->elements());
    const shardlab::Matrix buffers = arguments.flag()   ? arguments.whole_matrix(ranks, elements)
                                     : arguments.flag() ? arguments.any_matrix(ranks, elements)
                                                        : arguments.matrix(9);
    const auto reduction = static_cast<shardlab::Reduction>(arguments.within(0, 3));
    const std::optional<int> stop_after = arguments.flag() ? std::optional(arguments.whole()) : std::nullopt;
    const auto run = attempt({"fault", "buffers", "ranks", "stop_after", "factor"}, [&] {
        return shardlab::run_with_fault(*schedule, buffers, fault, reduction, stop_after);
    });
    if (run) {
        require_run(*run, fault);
    }
    const shardlab::Links links = shardlab::uniform_links({.latency_seconds = 1e-6, .bytes_per_second = 1e9});
    const auto slow = attempt({"rank", "factor"},
                              [&] { return shardlab::price_seconds(*schedule, links, 1, shardlab::slow_rank(fault)); });
    require(!slow || *slow >= shardlab::price_seconds(*schedule, links, 1), "a slow rank makes nothing faster");
}

}  // namespace fuzz
