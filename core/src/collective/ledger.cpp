#include <algorithm>

#include <shardlab/collective.hpp>
#include <shardlab/errors.hpp>

#include "check.hpp"

namespace shardlab {
namespace {

/// Refuses a ledger that would not fit, before it is allocated.
std::size_t cells(int steps, int ranks) {
    require_int("steps", steps, 0, static_cast<int>(largest_array / ranks));
    return static_cast<std::size_t>(steps) * static_cast<std::size_t>(ranks);
}

}  // namespace

Ledger::Ledger(int steps, int ranks, double element_bytes)
    : steps_(steps),
      ranks_(require_int("ranks", ranks, 1, most_ranks)),
      element_bytes_(require_count("element_bytes", element_bytes, 1)),
      elements_sent_(cells(steps, ranks), 0) {}

std::size_t Ledger::cell(int step, int rank) const {
    require_int("step", step, 0, steps_ - 1);
    require_int("rank", rank, 0, ranks_ - 1);
    return static_cast<std::size_t>(step) * static_cast<std::size_t>(ranks_) + static_cast<std::size_t>(rank);
}

void Ledger::record(int step, const Transfer& transfer) {
    elements_sent_[cell(step, transfer.source)] += transfer.count;
}

double Ledger::bytes_sent(int step, int rank) const {
    return static_cast<double>(elements_sent_[cell(step, rank)]) * element_bytes_;
}

std::vector<double> Ledger::bytes_sent_per_rank() const {
    std::vector<double> bytes(static_cast<std::size_t>(ranks_), 0);
    for (std::size_t index = 0; index < elements_sent_.size(); ++index) {
        bytes[index % bytes.size()] += static_cast<double>(elements_sent_[index]) * element_bytes_;
    }
    return bytes;
}

double Ledger::elements_moved() const {
    double moved = 0;
    for (const std::uint64_t sent : elements_sent_) {
        moved += static_cast<double>(sent);
    }
    return moved;
}

double Ledger::busiest_rank_bytes() const {
    const std::vector<double> bytes = bytes_sent_per_rank();
    return *std::max_element(bytes.begin(), bytes.end());
}

Ledger ledger(const CollectiveSchedule& schedule, double element_bytes) {
    Ledger booked(schedule.steps(), schedule.ranks(), element_bytes);
    Step step;
    for (int index = 0; index < schedule.steps(); ++index) {
        schedule.generate(index, step);
        for (const Transfer& transfer : step.transfers) {
            collective::require_inside(schedule, index, transfer);
            booked.record(index, transfer);
        }
    }
    return booked;
}

}  // namespace shardlab
