#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <shardlab/collective.hpp>
#include <shardlab/collective_cost.hpp>
#include <shardlab/crossover.hpp>
#include <shardlab/errors.hpp>

#include "convert.hpp"
#include "links.hpp"
#include "routines.hpp"

namespace shardlab::wasm {
namespace {

/// Transfers, a column for each field.
struct TransferColumns {
    std::vector<std::int32_t> step;
    std::vector<std::int32_t> source;
    std::vector<std::int32_t> destination;
    std::vector<double> source_offset;
    std::vector<double> destination_offset;
    std::vector<double> count;
    std::vector<std::uint8_t> reduce;
    std::vector<std::uint8_t> phase;

    void add(int index, const Transfer& transfer) {
        step.push_back(index);
        source.push_back(transfer.source);
        destination.push_back(transfer.destination);
        source_offset.push_back(static_cast<double>(transfer.source_offset));
        destination_offset.push_back(static_cast<double>(transfer.destination_offset));
        count.push_back(static_cast<double>(transfer.count));
        reduce.push_back(transfer.reduce ? 1 : 0);
        phase.push_back(static_cast<std::uint8_t>(transfer.phase));
    }
};

val columns(const TransferColumns& transfers) {
    val object = val::object();
    object.set("step", copied(transfers.step));
    object.set("source", copied(transfers.source));
    object.set("destination", copied(transfers.destination));
    object.set("sourceOffset", copied(transfers.source_offset));
    object.set("destinationOffset", copied(transfers.destination_offset));
    object.set("count", copied(transfers.count));
    object.set("reduce", copied(transfers.reduce));
    object.set("phase", copied(transfers.phase));
    return object;
}

/// Sets the phase of each step and the transfers of all; a long schedule's steps are made once for both.
void set_schedule(val& result, const CollectiveSchedule& schedule) {
    val phases = val::array();
    TransferColumns transfers;
    Step step;
    for (int index = 0; index < schedule.steps(); ++index) {
        schedule.generate(index, step);
        phases.call<void>("push", val(name(phase_of(step))));
        for (const Transfer& transfer : step.transfers) {
            transfers.add(index, transfer);
        }
    }
    result.set("phases", phases);
    result.set("schedule", columns(transfers));
}

/// Bytes that each rank sent in each step, shape (steps, ranks); the steps that did not run are 0.
val bytes_sent(const CollectiveSchedule& schedule, int stop_after) {
    const auto ranks = static_cast<std::size_t>(schedule.ranks());
    Matrix bytes = zeros("buffers", schedule.steps(), schedule.ranks());
    Step step;
    for (int index = 0; index < stop_after; ++index) {
        schedule.generate(index, step);
        double* const sent = bytes.data() + static_cast<std::size_t>(index) * ranks;
        for (const Transfer& transfer : step.transfers) {
            sent[transfer.source] += static_cast<double>(transfer.count) * sizeof(double);
        }
    }
    return plain(bytes);
}

val chunk_elements(const CollectiveSchedule& schedule) {
    std::vector<double> counts;
    for (int index = 0; index < schedule.ranks(); ++index) {
        counts.push_back(static_cast<double>(chunk(schedule.elements(), schedule.ranks(), index).count));
    }
    return copied(counts);
}

val plain_numbers(const Matrix& matrix) {
    return plain(matrix);
}

val plain_numbers(const Matrix32& matrix) {
    return plain(to_float64(matrix));
}

void set_ledger(val& result, const Ledger& ledger) {
    result.set("elementsMoved", ledger.elements_moved());
    result.set("bytesSentPerRank", copied(ledger.bytes_sent_per_rank()));
    result.set("bytesReceivedPerRank", copied(ledger.bytes_received_per_rank()));
    result.set("bytesPerStep", copied(ledger.bytes_per_step()));
    result.set("busiestBytesPerStep", copied(ledger.busiest_bytes_per_step()));
    const LinkTraffic link = ledger.busiest_link();
    val busiest = val::object();
    busiest.set("source", link.source);
    busiest.set("destination", link.destination);
    busiest.set("bytes", link.bytes);
    result.set("busiestLink", busiest);
}

/// What a run is asked for beside its schedule and its numbers.
struct RunOptions {
    Reduction reduction;
    bool float32;
    std::optional<Fault> fault;
    std::optional<int> stop_after;
    std::optional<Links> links;
    std::optional<double> tensor_bytes;
};

RunOptions run_options(const val& options) {
    const std::string dtype = text(options, "dtype");
    if (dtype != "float64" && dtype != "float32") {
        throw invalid_argument("dtype", dtype, "be float32 or float64");
    }
    const Reduction reduction = reduction_from_name(text(options, "op"));
    const std::optional<std::string> fault = optional_text(options, "fault");
    const std::optional<int> stop_after =
        optional_number(options, "stopAfter") ? std::optional(integer(options, "stopAfter", 0)) : std::nullopt;
    return {.reduction = reduction,
            .float32 = dtype == "float32",
            .fault = fault ? std::optional(fault_from_text(*fault)) : std::nullopt,
            .stop_after = stop_after,
            .links = optional_links(options),
            .tensor_bytes = optional_number(options, "tensorBytes")};
}

/// Sets the seconds of each step, if the links are known, for the tensor that the numbers are or stand for.
void set_seconds(val& result, const CollectiveSchedule& schedule, const RunOptions& asked) {
    if (!asked.links) {
        result.set("secondsPerStep", val::null());
        return;
    }
    const auto elements = static_cast<double>(schedule.elements());
    const double own_bytes = elements * (asked.float32 ? sizeof(float) : sizeof(double));
    const double bytes = asked.tensor_bytes ? require_count("tensor_bytes", *asked.tensor_bytes) : own_bytes;
    const double element_bytes = elements == 0 ? 0 : bytes / elements;
    const std::optional<SlowRank> slow = asked.fault ? slow_rank(*asked.fault) : std::nullopt;
    result.set("secondsPerStep", copied(seconds_per_step(schedule, *asked.links, element_bytes, slow)));
}

template <typename T>
void set_fault(val& result, const FaultyRun<T>& run, FaultKind kind) {
    result.set("divergedRanks",
               copied(std::vector<std::int32_t>(run.diverged_ranks.begin(), run.diverged_ranks.end())));
    result.set("maxAbsDifference", run.max_abs_difference);
    result.set("maxReplicaDifference", run.max_replica_difference);
    result.set("consequence", val(consequence(kind)));
}

void set_no_fault(val& result) {
    result.set("divergedRanks", copied(std::vector<std::int32_t>{}));
    result.set("maxAbsDifference", 0);
    result.set("maxReplicaDifference", 0);
    result.set("consequence", val::null());
}

/// Whether all ranks end with the sums of what they began with.
bool sums_everywhere(const RunOptions& asked, Kind kind) {
    return kind == Kind::all_reduce && asked.reduction == Reduction::sum && !asked.fault && !asked.stop_after;
}

template <typename T>
val run(const CollectiveSchedule& schedule, MatrixOf<T> buffers, const RunOptions& asked, Kind kind) {
    reduces(kind) ? require_reducible(buffers, asked.reduction) : require_finite("buffers", buffers);
    val result = val::object();
    result.set("steps", schedule.steps());
    result.set("maxDifferenceToExactSum", val::null());
    if (asked.fault) {
        const FaultyRun<T> faulty =
            run_with_fault(schedule, std::move(buffers), *asked.fault, asked.reduction, asked.stop_after, kind);
        result.set("result", plain_numbers(faulty.executed.buffers));
        set_ledger(result, faulty.executed.ledger);
        set_fault(result, faulty, asked.fault->kind);
    } else {
        const std::optional<MatrixOf<T>> began = sums_everywhere(asked, kind) ? std::optional(buffers) : std::nullopt;
        const Ledger ledger = execute(schedule, buffers, asked.stop_after, asked.reduction);
        if (began) {
            result.set("maxDifferenceToExactSum",
                       largest_difference_to_exact_sum(*began, row(std::as_const(buffers), 0)));
        }
        result.set("result", plain_numbers(buffers));
        set_ledger(result, ledger);
        set_no_fault(result);
    }
    set_seconds(result, schedule, asked);
    set_schedule(result, schedule);
    return result;
}

val run_in_dtype(const CollectiveSchedule& schedule, Matrix buffers, const RunOptions& asked, Kind kind) {
    return asked.float32 ? run(schedule, to_float32("buffers", buffers), asked, kind)
                         : run(schedule, std::move(buffers), asked, kind);
}

ScheduleOptions schedule_options(const val& options) {
    return {.slices = integer(options, "slices", 1, most_slices), .per_node = integer(options, "perNode", 1)};
}

val cost_result(const AllReduceCost& cost) {
    val result = val::object();
    result.set("steps", cost.steps);
    result.set("bytesSentPerRank", cost.bytes_sent_per_rank);
    result.set("busFactor", cost.bus_factor);
    result.set("seconds", or_null(cost.seconds));
    return result;
}

}  // namespace

val ring_all_reduce(const val& options) {
    Matrix buffers = matrix(options, "buffers");
    const int ranks = require_int("ranks", static_cast<double>(buffers.shape(0)), 1, most_ranks);
    const int steps = 2 * (ranks - 1);
    const int stop_after = optional_number(options, "stopAfter") ? integer(options, "stopAfter", 0, steps) : steps;
    const AllReduce all_reduce = shardlab::ring_all_reduce(std::move(buffers), stop_after);

    val result = val::object();
    result.set("result", plain(all_reduce.buffers));
    result.set("steps", all_reduce.schedule.steps());
    result.set("chunkElements", chunk_elements(all_reduce.schedule));
    result.set("elementsMoved", all_reduce.ledger.elements_moved());
    result.set("bytesSentPerRank", copied(all_reduce.ledger.bytes_sent_per_rank()));
    result.set("bytesSent", bytes_sent(all_reduce.schedule, stop_after));
    set_schedule(result, all_reduce.schedule);
    return result;
}

val all_reduce(const val& options) {
    Matrix buffers = matrix(options, "buffers");
    const Algorithm algorithm = algorithm_from_name(text(options, "algorithm"));
    const ScheduleOptions shape = schedule_options(options);
    const RunOptions asked = run_options(options);
    const int ranks = require_int("ranks", static_cast<double>(buffers.shape(0)), 1, most_ranks);
    const CollectiveSchedule schedule =
        all_reduce_schedule(algorithm, ranks, static_cast<double>(buffers.shape(1)), shape);
    return run_in_dtype(schedule, std::move(buffers), asked, Kind::all_reduce);
}

val collective(const val& options) {
    Matrix buffers = matrix(options, "buffers");
    const Kind kind = kind_from_name(text(options, "kind"));
    const int slices = integer(options, "slices", 1, most_slices);
    const RunOptions asked = run_options(options);
    const int ranks = require_int("ranks", static_cast<double>(buffers.shape(0)), 1, most_ranks);
    const CollectiveSchedule schedule = collective_schedule(kind, ranks, static_cast<double>(buffers.shape(1)), slices);
    return run_in_dtype(schedule, std::move(buffers), asked, kind);
}

val even_elements(const val& options) {
    const Algorithm algorithm = algorithm_from_name(text(options, "algorithm"));
    const int ranks = integer(options, "ranks", 1, most_ranks);
    return val(shardlab::even_elements(algorithm, ranks, schedule_options(options)));
}

val all_reduce_cost(const val& options) {
    const Algorithm algorithm = algorithm_from_name(text(options, "algorithm"));
    const int ranks = integer(options, "ranks", 1, most_priced_ranks);
    const double bytes = number(options, "bytes");
    const ScheduleOptions shape = schedule_options(options);
    const std::optional<Links> links = optional_links(options);

    val result = cost_result(links ? shardlab::all_reduce_cost(algorithm, ranks, bytes, shape, *links)
                                   : shardlab::all_reduce_cost(algorithm, ranks, bytes, shape));
    const AllReduceBound bound = all_reduce_lower_bound(ranks, bytes);
    result.set("leastTotalBytes", bound.total_bytes);
    result.set("leastBusiestRankBytes", bound.busiest_rank_bytes);
    return result;
}

val tree_all_reduce_cost(const val& options) {
    const int ranks = integer(options, "ranks", 1, most_priced_ranks);
    const double bytes = number(options, "bytes");
    const Tree tree = tree_from_name(text(options, "tree"));
    const int slices = integer(options, "slices", 1, most_slices);
    const std::optional<double> latency_per_step = optional_number(options, "latencyPerStep");
    const std::optional<Link> link = optional_link(options);
    if (latency_per_step && link) {
        throw invalid_argument("latency_per_step", number_text(*latency_per_step),
                               "be left out where latency_seconds and bytes_per_second are given");
    }
    if (latency_per_step) {
        return cost_result(shardlab::tree_all_reduce_cost(ranks, bytes, *latency_per_step));
    }
    AllReduceCost cost = shardlab::tree_all_reduce_cost(ranks, bytes, link.value_or(Link{}), tree, slices);
    if (!link) {
        cost.seconds.reset();
    }
    return cost_result(cost);
}

val all_reduce_times(const val& options) {
    const std::string algorithm = text(options, "algorithm");
    const int ranks = integer(options, "ranks", 1, most_ranks);
    const Matrix sizes = matrix(options, "bytes");
    const PriceCurve curve =
        price_curve_from_name(algorithm, ranks, schedule_options(options), required_links(options));
    std::vector<double> seconds;
    for (const double size : elements(sizes)) {
        seconds.push_back(curve.seconds(size));
    }
    return copied(seconds);
}

val crossover(const val& options) {
    const std::string names[] = {text(options, "first"), text(options, "second")};
    const int ranks = integer(options, "ranks", 1, most_ranks);
    const ScheduleOptions shape = schedule_options(options);
    const Links links = required_links(options);
    const Crossover compared = shardlab::crossover(price_curve_from_name(names[0], ranks, shape, links),
                                                   price_curve_from_name(names[1], ranks, shape, links));
    val ranges = val::array();
    for (const FasterRange& range : compared.ranges) {
        val object = val::object();
        object.set("fromBytes", range.from_bytes);
        object.set("toBytes", range.to_bytes);
        object.set("faster", val(range.faster == Faster::equal   ? "equal"
                                 : range.faster == Faster::first ? "first"
                                                                 : "second"));
        ranges.call<void>("push", object);
    }
    val result = val::object();
    result.set("crossings", copied(compared.crossings));
    result.set("ranges", ranges);
    return result;
}

}  // namespace shardlab::wasm
