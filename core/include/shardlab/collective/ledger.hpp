#pragma once

/// @file
/// The bytes that a collective sends: by rank, by step and by link.

#include <vector>

#include <shardlab/collective/schedule.hpp>

namespace shardlab {

/// A rank, and the bytes that it sent.
struct RankTraffic {
    int rank = 0;      ///< the first one that sends as much
    double bytes = 0;  ///< over all steps
};

/// A directed link between two ranks, and the bytes that it carried.
struct LinkTraffic {
    int source = 0;       ///< rank that sends
    int destination = 0;  ///< rank that receives; equal to source where nothing was sent
    double bytes = 0;     ///< over all steps
};

/// What was sent and received, kept per rank, per step and per directed link, never per step and rank: the schedule's
/// steps have that.
class Ledger {
public:
    /// An empty ledger.
    /// @param element_bytes bytes of one element
    /// @throws invalid_argument naming steps, ranks or element_bytes
    Ledger(int steps, int ranks, double element_bytes);

    /// Books one step, once.
    /// @throws invalid_argument for a step or a rank that the ledger does not have
    void record(int index, const Step& step);

    int steps() const noexcept { return static_cast<int>(step_elements_.size()); }  ///< number of steps
    int ranks() const noexcept { return static_cast<int>(sent_.size()); }           ///< world size
    double element_bytes() const noexcept { return element_bytes_; }                ///< bytes of one element

    /// Bytes that each rank sent over all steps.
    std::vector<double> bytes_sent_per_rank() const { return in_bytes(sent_); }
    /// Bytes that each rank received over all steps.
    std::vector<double> bytes_received_per_rank() const { return in_bytes(received_); }
    /// Bytes of all ranks in each step.
    std::vector<double> bytes_per_step() const { return in_bytes(step_elements_); }
    /// Bytes that the busiest rank sent in each step.
    std::vector<double> busiest_bytes_per_step() const { return in_bytes(busiest_step_elements_); }
    /// Bytes that one link carried over all steps.
    /// @throws invalid_argument for a rank that the ledger does not have
    double link_bytes(int source, int destination) const;
    /// Bytes of all directed links, shape (ranks, ranks) in row-major order, a row a source.
    std::vector<double> bytes_per_link() const;

    /// The rank that sent most.
    RankTraffic busiest_rank() const;
    /// The link that carried most.
    LinkTraffic busiest_link() const;
    /// Bytes that the busiest rank sent over all steps.
    double busiest_rank_bytes() const { return busiest_rank().bytes; }
    /// Elements moved over all ranks and steps.
    double elements_moved() const;
    /// Bytes moved over all ranks and steps.
    double total_bytes() const { return elements_moved() * element_bytes_; }

    bool operator==(const Ledger&) const = default;

private:
    void require_rank(int rank) const;
    std::size_t link(int source, int destination) const {
        const int distance = destination - source;
        return static_cast<std::size_t>(distance < 0 ? distance + ranks() : distance) * sent_.size() +
               static_cast<std::size_t>(source);
    }
    std::vector<double> in_bytes(std::vector<double> elements) const;

    // Counts of elements: exact up to 2^53, and never past the end as integers of 64 bits may be.
    double element_bytes_;
    std::vector<double> step_elements_;          // (steps)
    std::vector<double> busiest_step_elements_;  // (steps)
    std::vector<double> sent_;                   // (ranks)
    std::vector<double> received_;               // (ranks)
    // (distance from source to destination round the circle, source): the links of a ring, or of a step of an exchange,
    // stand next to each other in memory, and millions of bookings stay in the cache.
    std::vector<double> links_;
    std::vector<double> sent_in_step_;  // (ranks), all 0 between two steps
};

/// The ledger of a schedule, without executing it.
/// @param element_bytes bytes of one element: 8 for float64, 2 for bf16
/// @throws invalid_argument as Ledger() does, or if a transfer leaves the buffers
Ledger ledger(const CollectiveSchedule& schedule, double element_bytes = sizeof(double));

}  // namespace shardlab
