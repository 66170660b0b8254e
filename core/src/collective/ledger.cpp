#include <algorithm>
#include <numeric>

#include <shardlab/collective/ledger.hpp>
#include <shardlab/errors.hpp>

#include "check.hpp"

namespace shardlab {

Ledger::Ledger(int steps, int ranks, double element_bytes)
    : element_bytes_(require_count("element_bytes", element_bytes, 1)),
      step_elements_(static_cast<std::size_t>(require_int("steps", steps, 0, most_steps)), 0),
      busiest_step_elements_(step_elements_.size(), 0),
      sent_(static_cast<std::size_t>(require_int("ranks", ranks, 1, most_ranks)), 0),
      received_(sent_.size(), 0),
      links_(sent_.size() * sent_.size(), 0),
      sent_in_step_(sent_.size(), 0) {}

void Ledger::require_rank(int rank) const {
    // Millions of transfers are booked: the check that names the rule runs only where it throws.
    if (rank < 0 || rank >= ranks()) {
        require_int("rank", rank, 0, ranks() - 1);
    }
}

void Ledger::record(int index, const Step& step) {
    require_int("step", index, 0, steps() - 1);
    for (const Transfer& transfer : step.transfers) {
        require_rank(transfer.source);
        require_rank(transfer.destination);
    }
    double moved = 0;
    double busiest = 0;
    for (const Transfer& transfer : step.transfers) {
        const auto source = static_cast<std::size_t>(transfer.source);
        const auto destination = static_cast<std::size_t>(transfer.destination);
        const auto count = static_cast<double>(transfer.count);
        moved += count;
        sent_[source] += count;
        received_[destination] += count;
        links_[link(transfer.source, transfer.destination)] += count;
        sent_in_step_[source] += count;
        busiest = std::max(busiest, sent_in_step_[source]);
    }
    for (const Transfer& transfer : step.transfers) {
        sent_in_step_[static_cast<std::size_t>(transfer.source)] = 0;
    }
    step_elements_[static_cast<std::size_t>(index)] += moved;
    busiest_step_elements_[static_cast<std::size_t>(index)] += busiest;
}

std::vector<double> Ledger::in_bytes(std::vector<double> elements) const {
    for (double& count : elements) {
        count *= element_bytes_;
    }
    return elements;
}

double Ledger::link_bytes(int source, int destination) const {
    require_rank(source);
    require_rank(destination);
    return links_[link(source, destination)] * element_bytes_;
}

std::vector<double> Ledger::bytes_per_link() const {
    std::vector<double> bytes;
    bytes.reserve(links_.size());
    for (int source = 0; source < ranks(); ++source) {
        for (int destination = 0; destination < ranks(); ++destination) {
            bytes.push_back(links_[link(source, destination)] * element_bytes_);
        }
    }
    return bytes;
}

RankTraffic Ledger::busiest_rank() const {
    const auto busiest = std::max_element(sent_.begin(), sent_.end());
    return {.rank = static_cast<int>(busiest - sent_.begin()), .bytes = *busiest * element_bytes_};
}

LinkTraffic Ledger::busiest_link() const {
    const auto busiest = std::max_element(links_.begin(), links_.end());
    const auto place = static_cast<int>(busiest - links_.begin());
    const int source = place % ranks();
    return {.source = source, .destination = (source + place / ranks()) % ranks(), .bytes = *busiest * element_bytes_};
}

double Ledger::elements_moved() const {
    return std::accumulate(sent_.begin(), sent_.end(), 0.0);
}

Ledger ledger(const CollectiveSchedule& schedule, double element_bytes) {
    Ledger booked(schedule.steps(), schedule.ranks(), element_bytes);
    Step step;
    for (int index = 0; index < schedule.steps(); ++index) {
        schedule.generate(index, step);
        collective::require_inside(schedule, index, step);
        booked.record(index, step);
    }
    return booked;
}

}  // namespace shardlab
