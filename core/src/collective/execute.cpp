#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <shardlab/collective.hpp>
#include <shardlab/errors.hpp>

#include "check.hpp"

namespace shardlab {
namespace {

void apply(const Transfer& transfer, Matrix& buffers) {
    const std::span<const double> sent =
        row(std::as_const(buffers), static_cast<std::size_t>(transfer.source))
            .subspan(static_cast<std::size_t>(transfer.source_offset), static_cast<std::size_t>(transfer.count));
    const std::span<double> received =
        row(buffers, static_cast<std::size_t>(transfer.destination))
            .subspan(static_cast<std::size_t>(transfer.destination_offset), static_cast<std::size_t>(transfer.count));
    if (transfer.reduce) {
        std::transform(sent.begin(), sent.end(), received.begin(), received.begin(),
                       [](double arrived, double held) { return held + arrived; });
    } else {
        std::copy(sent.begin(), sent.end(), received.begin());
    }
}

void require_finite_sum(const Matrix& buffers) {
    require_finite("buffers", buffers);
    // A column whose magnitudes cannot add up to infinity has no partial sum that does, in whichever order. Two halves
    // of the largest double add up to it; sums of more parts may be rounded up, all in all by less than the margin.
    const auto ranks = static_cast<double>(buffers.shape(0));
    const double margin = ranks > 2 ? most_ranks * std::numeric_limits<double>::epsilon() : 0;
    const double safe = std::numeric_limits<double>::max() / ranks * (1 - margin);
    const std::span<const double> values = elements(buffers);
    const auto large =
        std::find_if(values.begin(), values.end(), [safe](double value) { return std::abs(value) > safe; });
    if (large != values.end()) {
        throw invalid_argument("buffers", number_text(*large),
                               "be at most " + number_text(safe) + " in magnitude, so that no sum overflows");
    }
}

}  // namespace

Ledger execute(const CollectiveSchedule& schedule, Matrix& buffers, int stop_after) {
    if (buffers.shape(0) != static_cast<std::size_t>(schedule.ranks()) || buffers.shape(1) != schedule.elements()) {
        throw invalid_argument("buffers", std::to_string(buffers.shape(0)) + " x " + std::to_string(buffers.shape(1)),
                               "have the schedule's shape, which is " + std::to_string(schedule.ranks()) + " x " +
                                   std::to_string(schedule.elements()));
    }
    require_int("stop_after", stop_after, 0, schedule.steps());

    Ledger booked(schedule.steps(), schedule.ranks(), sizeof(double));
    Step step;
    for (int index = 0; index < stop_after; ++index) {
        schedule.generate(index, step);
        for (const Transfer& transfer : step.transfers) {
            collective::require_inside(schedule, index, transfer);
            apply(transfer, buffers);
            booked.record(index, transfer);
        }
    }
    return booked;
}

Ledger execute(const CollectiveSchedule& schedule, Matrix& buffers) {
    return execute(schedule, buffers, schedule.steps());
}

AllReduce ring_all_reduce(Matrix buffers) {
    const auto ranks = static_cast<double>(buffers.shape(0));
    return ring_all_reduce(std::move(buffers), 2 * (require_int("ranks", ranks, 1, most_ranks) - 1));
}

AllReduce ring_all_reduce(Matrix buffers, int stop_after) {
    const int ranks = require_int("ranks", static_cast<double>(buffers.shape(0)), 1, most_ranks);
    require_finite_sum(buffers);
    CollectiveSchedule schedule = ring_all_reduce_schedule(ranks, static_cast<double>(buffers.shape(1)));
    Ledger booked = execute(schedule, buffers, stop_after);
    return {.buffers = std::move(buffers), .schedule = std::move(schedule), .ledger = std::move(booked)};
}

}  // namespace shardlab
