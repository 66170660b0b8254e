// Every collective with any arguments: in float32 and float64, with faults, and priced.

#include <shardlab/collective.hpp>
#include <shardlab/collective_cost.hpp>

#include "functions.hpp"

namespace fuzz {
namespace {

using shardlab::Algorithm;
using shardlab::Matrix;

Algorithm some_algorithm(Arguments& arguments) {
    return static_cast<Algorithm>(arguments.within(0, 6));
}

/// Mostly few slices and small nodes.
shardlab::ScheduleOptions some_options(Arguments& arguments) {
    shardlab::ScheduleOptions options;
    options.slices = arguments.flag() ? arguments.within(1, 5) : arguments.within(-1, 100);
    options.per_node = arguments.flag() ? arguments.within(1, 4) : arguments.whole();
    return options;
}

shardlab::Reduction some_reduction(Arguments& arguments) {
    return static_cast<shardlab::Reduction>(arguments.within(0, 3));
}

void all_reduces(Arguments& arguments) {
    shardlab::AllReduceOptions options;
    options.algorithm = some_algorithm(arguments);
    options.schedule = some_options(arguments);
    options.reduction = some_reduction(arguments);
    const Matrix buffers = arguments.matrix(9);
    const auto reduced = attempt({"algorithm", "ranks", "buffers", "slices", "per_node"},
                                 [&] { return shardlab::all_reduce(buffers, options); });
    if (!reduced) {
        return;
    }
    require(accepts({}, [&] { check(reduced->schedule); }), "an all-reduce is a sound schedule");
    require(ledger(reduced->schedule) == reduced->ledger, "what was booked is what the schedule sends");
    require_finite(shardlab::elements(reduced->buffers));
    for (std::size_t rank = 0; rank < buffers.shape(0); ++rank) {
        require_same_bits(shardlab::row(reduced->buffers, rank), shardlab::row(reduced->buffers, 0));
    }
    if (options.reduction == shardlab::Reduction::sum) {
        require_finite({shardlab::largest_difference_to_exact_sum(buffers, shardlab::row(reduced->buffers, 0))});
    }
}

void collectives(Arguments& arguments) {
    const auto kind = static_cast<shardlab::Kind>(arguments.within(0, 6));
    const int slices = arguments.within(-1, 20);
    const shardlab::Reduction reduction = some_reduction(arguments);
    const Matrix buffers = arguments.matrix(9);
    const auto run = attempt({"kind", "ranks", "buffers", "slices"},
                             [&] { return shardlab::run_collective(kind, buffers, reduction, slices); });
    if (run) {
        require(accepts({}, [&] { check(run->schedule); }), "a collective is a sound schedule");
        require_finite(shardlab::elements(run->buffers));
    }
}

void faults(Arguments& arguments) {
    const std::string text = arguments.text({"drop:", "double:", "miss-hop:", "stale:", "slow:", "1", "0", ":", ".5"});
    attempt({"fault"}, [&] { return shardlab::fault_from_text(text); });

    const Algorithm algorithm = static_cast<Algorithm>(arguments.within(0, 5));
    const shardlab::ScheduleOptions options = some_options(arguments);
    const shardlab::Fault fault{.kind = static_cast<shardlab::FaultKind>(arguments.within(0, 4)),
                                .rank = arguments.within(-1, 9),
                                .step = arguments.within(-1, 20)};
    const shardlab::Reduction reduction = some_reduction(arguments);
    const Matrix buffers = arguments.matrix(9);
    const auto faulty = attempt({"ranks", "elements", "buffers", "slices", "per_node", "fault"}, [&] {
        const auto schedule = all_reduce_schedule(algorithm, static_cast<int>(buffers.shape(0)),
                                                  static_cast<double>(buffers.shape(1)), options);
        return run_with_fault(schedule, buffers, fault, reduction);
    });
    if (faulty) {
        require_finite(shardlab::elements(faulty->executed.buffers));
        require_finite({faulty->max_abs_difference, faulty->max_replica_difference});
        require(!faulty->diverged_ranks.empty() || faulty->max_abs_difference == 0, "who differs has diverged");
    }
}

void prices(Arguments& arguments) {
    const Algorithm algorithm = some_algorithm(arguments);
    const int ranks = arguments.flag() ? arguments.within(1, 20) : arguments.within(-1, 70);
    const shardlab::ScheduleOptions options = some_options(arguments);
    const shardlab::Links links{.intra = {arguments.number(), arguments.number()},
                                .inter = {arguments.number(), arguments.number()},
                                .per_node = arguments.whole()};
    const double bytes = arguments.number();
    const auto cost = attempt({"algorithm", "ranks", "bytes", "slices", "per_node", "latency_seconds",
                               "bytes_per_second", "inter_latency_seconds", "inter_bytes_per_second"},
                              [&] { return all_reduce_cost(algorithm, ranks, bytes, options, links); });
    const auto curve = attempt({"algorithm", "ranks", "elements", "slices", "per_node", "latency_seconds",
                                "bytes_per_second", "inter_latency_seconds", "inter_bytes_per_second"},
                               [&] { return price_curve(algorithm, ranks, options, links); });
    if (cost) {
        require_finite({cost->bytes_sent_per_rank, cost->seconds.value_or(0)});
    }
    if (curve) {
        const auto seconds = attempt({"bytes"}, [&] { return curve->seconds(bytes); });
        require_finite({seconds.value_or(0)});
    }
}

}  // namespace

void collective_runs(Arguments& arguments) {
    switch (arguments.within(0, 3)) {
        case 0:
            return collectives(arguments);
        case 1:
            return faults(arguments);
        case 2:
            return prices(arguments);
        default:
            return all_reduces(arguments);
    }
}

}  // namespace fuzz
