#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include <shardlab/collective/fault.hpp>
#include <shardlab/errors.hpp>

#include "run.hpp"

namespace shardlab {
namespace {

std::string text_of(const Fault& fault) {
    std::string text = std::string(name(fault.kind)) + ":" + std::to_string(fault.rank);
    if (fault.kind == FaultKind::miss_hop || fault.kind == FaultKind::stale) {
        text += ":" + std::to_string(fault.step);
    }
    return text;
}

bool is_extreme(Reduction reduction) {
    return reduction == Reduction::max || reduction == Reduction::min;
}

void require_sending(const CollectiveSchedule& schedule, const Fault& fault) {
    Step step;
    schedule.generate(fault.step, step);
    const auto sends = [&](const Transfer& transfer) { return transfer.source == fault.rank && transfer.count > 0; };
    if (std::none_of(step.transfers.begin(), step.transfers.end(), sends)) {
        throw invalid_argument("fault", text_of(fault),
                               "name a step in which the rank sends something; rank " + std::to_string(fault.rank) +
                                   " sends nothing in step " + std::to_string(fault.step));
    }
}

void require_hop(const CollectiveSchedule& schedule, const Fault& fault) {
    const int first = fault.kind == FaultKind::stale ? 1 : 0;
    if (fault.step < first || fault.step >= schedule.steps()) {
        throw invalid_argument("fault", text_of(fault),
                               "name a step of the schedule, which has " + std::to_string(schedule.steps()) +
                                   (first == 1 ? ", after step 0, before which nothing older stood anywhere" : ""));
    }
    require_sending(schedule, fault);
}

void require_fault(const CollectiveSchedule& schedule, const Fault& fault, Reduction reduction, Kind kind) {
    if (fault.rank < 0 || fault.rank >= schedule.ranks()) {
        throw invalid_argument("fault", text_of(fault),
                               "name a rank from 0 to " + std::to_string(schedule.ranks() - 1));
    }
    if ((fault.kind == FaultKind::drop || fault.kind == FaultKind::duplicated) && !reduces(kind)) {
        throw invalid_argument("fault", text_of(fault),
                               std::string("be miss-hop, stale or slow: ") + name(kind) + " reduces nothing");
    }
    if (fault.kind == FaultKind::drop && is_extreme(reduction) && schedule.ranks() == 1) {
        throw invalid_argument("fault", text_of(fault), "leave a rank whose values the max or min can be taken of");
    }
    if (fault.kind == FaultKind::miss_hop || fault.kind == FaultKind::stale) {
        require_hop(schedule, fault);
    }
}

/// What a missing contribution is replaced by, so that the others' reduction is what comes out.
template <typename T>
T identity(Reduction reduction) {
    switch (reduction) {
        case Reduction::max:
            return std::numeric_limits<T>::lowest();
        case Reduction::min:
            return std::numeric_limits<T>::max();
        case Reduction::sum:
        case Reduction::average:
            break;
    }
    return 0;
}

/// The input as a fault leaves it.
template <typename T>
void spoil(MatrixOf<T>& buffers, const Fault& fault, Reduction reduction) {
    const std::span<T> contribution = row(buffers, static_cast<std::size_t>(fault.rank));
    if (fault.kind == FaultKind::drop) {
        std::fill(contribution.begin(), contribution.end(), identity<T>(reduction));
    }
    if (fault.kind == FaultKind::duplicated && !is_extreme(reduction)) {
        std::transform(contribution.begin(), contribution.end(), contribution.begin(),
                       [](T value) { return value + value; });
    }
}

/// Lets what a rank sends in one step go missing, or arrive as it stood before the step before.
template <typename T>
class FaultyDelivery {
public:
    explicit FaultyDelivery(const Fault& fault) : fault_(fault) {}

    void before_step(int index, const MatrixOf<T>& buffers) {
        if (fault_.kind == FaultKind::stale && index == fault_.step - 1) {
            const std::span<const T> held = row(buffers, static_cast<std::size_t>(fault_.rank));
            old_.assign(held.begin(), held.end());
        }
    }

    bool arrives(int index, const Transfer& transfer) const {
        return fault_.kind != FaultKind::miss_hop || !is_hit(index, transfer);
    }

    std::span<const T> sender(int index, const Transfer& transfer, const MatrixOf<T>& buffers) const {
        if (fault_.kind == FaultKind::stale && is_hit(index, transfer)) {
            return old_;
        }
        return row(buffers, static_cast<std::size_t>(transfer.source));
    }

private:
    bool is_hit(int index, const Transfer& transfer) const {
        return index == fault_.step && transfer.source == fault_.rank;
    }

    Fault fault_;
    std::vector<T> old_;
};

/// |a - b|, or the largest double where that is larger.
double distance(double a, double b) {
    return std::min(std::abs(a - b), std::numeric_limits<double>::max());
}

template <typename T>
bool same_bits(std::span<const T> a, std::span<const T> b) {
    return a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

/// What a rank holds of the collective's result.
template <typename T>
std::span<const T> result_in(const MatrixOf<T>& buffers, std::size_t rank, Kind kind) {
    const Chunk chunk = result_of(kind, static_cast<int>(buffers.shape(0)), static_cast<int>(rank), buffers.shape(1));
    return row(buffers, rank).subspan(static_cast<std::size_t>(chunk.offset), static_cast<std::size_t>(chunk.count));
}

template <typename T>
void compare_with_expected(FaultyRun<T>& run, Kind kind) {
    const MatrixOf<T>& buffers = run.executed.buffers;
    for (std::size_t rank = 0; rank < buffers.shape(0); ++rank) {
        const std::span<const T> held = result_in(buffers, rank, kind);
        const std::span<const T> expected = result_in(std::as_const(run.expected), rank, kind);
        if (same_bits(held, expected)) {
            continue;
        }
        run.diverged_ranks.push_back(static_cast<int>(rank));
        for (std::size_t i = 0; i < held.size(); ++i) {
            run.max_abs_difference = std::max(run.max_abs_difference, distance(held[i], expected[i]));
        }
    }
}

/// Whether all ranks end with the same numbers.
bool has_replicas(Kind kind) {
    return kind == Kind::all_reduce || kind == Kind::all_gather || kind == Kind::broadcast;
}

/// The largest difference between two ranks in one element is that between its largest and its smallest value.
template <typename T>
double replica_difference(const MatrixOf<T>& buffers) {
    std::vector<T> least(buffers.shape(1), std::numeric_limits<T>::max());
    std::vector<T> most(buffers.shape(1), std::numeric_limits<T>::lowest());
    for (std::size_t rank = 0; rank < buffers.shape(0); ++rank) {
        const std::span<const T> held = row(buffers, rank);
        for (std::size_t i = 0; i < held.size(); ++i) {
            least[i] = std::min(least[i], held[i]);
            most[i] = std::max(most[i], held[i]);
        }
    }
    double largest = 0;
    for (std::size_t i = 0; i < least.size(); ++i) {
        largest = std::max(largest, distance(most[i], least[i]));
    }
    return largest;
}

}  // namespace

template <typename T>
FaultyRun<T> run_with_fault(const CollectiveSchedule& schedule, MatrixOf<T> buffers, const Fault& fault,
                            Reduction reduction, std::optional<int> stop_after, Kind kind) {
    require_fault(schedule, fault, reduction, kind);
    reduces(kind) ? require_reducible(buffers, reduction) : require_finite("buffers", buffers);
    MatrixOf<T> expected = buffers;
    execute(schedule, expected, stop_after, reduction);

    spoil(buffers, fault, reduction);
    reduces(kind) ? require_reducible(buffers, reduction) : require_finite("buffers", buffers);
    Ledger booked =
        collective::run(schedule, buffers, stop_after.value_or(schedule.steps()), reduction, FaultyDelivery<T>(fault));
    FaultyRun<T> run{
        .executed = {.buffers = std::move(buffers), .schedule = schedule, .ledger = std::move(booked)},
        .expected = std::move(expected),
        .diverged_ranks = {},
    };
    compare_with_expected(run, kind);
    run.max_replica_difference = has_replicas(kind) ? replica_difference(run.executed.buffers) : 0;
    return run;
}

template FaultyRun<float> run_with_fault(const CollectiveSchedule&, Matrix32, const Fault&, Reduction,
                                         std::optional<int>, Kind);
template FaultyRun<double> run_with_fault(const CollectiveSchedule&, Matrix, const Fault&, Reduction,
                                          std::optional<int>, Kind);

}  // namespace shardlab
