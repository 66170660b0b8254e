#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <shardlab/collective/execute.hpp>
#include <shardlab/errors.hpp>

#include "names.hpp"
#include "run.hpp"

namespace shardlab {
namespace {

// In the order of the enumeration.
constexpr const char* reduction_names[] = {"sum", "max", "min", "average"};

template <typename T>
int ranks_of(const MatrixOf<T>& buffers) {
    return require_int("ranks", static_cast<double>(buffers.shape(0)), 1, most_ranks);
}

template <typename T>
Executed<T> executed(CollectiveSchedule schedule, MatrixOf<T> buffers, std::optional<int> stop_after,
                     Reduction reduction) {
    Ledger booked = execute(schedule, buffers, stop_after, reduction);
    return {.buffers = std::move(buffers), .schedule = std::move(schedule), .ledger = std::move(booked)};
}

}  // namespace

const char* name(Reduction reduction) {
    return collective::name_of(reduction, reduction_names);
}

Reduction reduction_from_name(std::string_view name) {
    return collective::from_name<Reduction>("op", name, reduction_names);
}

template <typename T>
Ledger execute(const CollectiveSchedule& schedule, MatrixOf<T>& buffers, std::optional<int> stop_after,
               Reduction reduction) {
    return collective::run(schedule, buffers, stop_after.value_or(schedule.steps()), reduction,
                           collective::Faultless<T>());
}

template <typename T>
void require_reducible(const MatrixOf<T>& buffers, Reduction reduction) {
    require_finite("buffers", buffers);
    if (reduction == Reduction::max || reduction == Reduction::min) {
        return;
    }
    // A column whose magnitudes cannot add up to infinity has no partial sum that does, in whichever order. Two halves
    // of the largest number add up to it; sums of more parts may be rounded up, all in all by less than the margin.
    const auto ranks = static_cast<T>(ranks_of(buffers));
    const T margin = ranks > 2 ? most_ranks * std::numeric_limits<T>::epsilon() : 0;
    const T safe = std::numeric_limits<T>::max() / ranks * (1 - margin);
    const std::span<const T> values = elements(buffers);
    const auto large = std::find_if(values.begin(), values.end(), [safe](T value) { return std::abs(value) > safe; });
    if (large != values.end()) {
        throw invalid_argument("buffers", number_text(*large),
                               "be at most " + number_text(safe) + " in magnitude, so that no sum overflows");
    }
}

template <typename T>
Executed<T> all_reduce(MatrixOf<T> buffers, const AllReduceOptions& options) {
    CollectiveSchedule schedule = all_reduce_schedule(options.algorithm, ranks_of(buffers),
                                                      static_cast<double>(buffers.shape(1)), options.schedule);
    require_reducible(buffers, options.reduction);
    return executed(std::move(schedule), std::move(buffers), options.stop_after, options.reduction);
}

template <typename T>
Executed<T> run_collective(Kind kind, MatrixOf<T> buffers, Reduction reduction, int slices) {
    CollectiveSchedule schedule =
        collective_schedule(kind, ranks_of(buffers), static_cast<double>(buffers.shape(1)), slices);
    if (reduces(kind)) {
        require_reducible(buffers, reduction);
    } else {
        require_finite("buffers", buffers);
    }
    return executed(std::move(schedule), std::move(buffers), std::nullopt, reduction);
}

template Ledger execute(const CollectiveSchedule&, Matrix32&, std::optional<int>, Reduction);
template Ledger execute(const CollectiveSchedule&, Matrix&, std::optional<int>, Reduction);
template void require_reducible(const Matrix32&, Reduction);
template void require_reducible(const Matrix&, Reduction);
template Executed<float> all_reduce(Matrix32, const AllReduceOptions&);
template Executed<double> all_reduce(Matrix, const AllReduceOptions&);
template Executed<float> run_collective(Kind, Matrix32, Reduction, int);
template Executed<double> run_collective(Kind, Matrix, Reduction, int);

AllReduce ring_all_reduce(Matrix buffers) {
    return all_reduce(std::move(buffers), {});
}

AllReduce ring_all_reduce(Matrix buffers, int stop_after) {
    AllReduceOptions options;
    options.stop_after = stop_after;
    return all_reduce(std::move(buffers), options);
}

}  // namespace shardlab
