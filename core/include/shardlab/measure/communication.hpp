#pragma once

/// @file
/// Communications that a machine carried out, one by one and by kind.

#include <optional>
#include <string>
#include <vector>

#include <shardlab/measure/runs.hpp>

namespace shardlab {

/// What ranks did together.
enum class CommunicationKind {
    all_reduce,
    reduce_scatter,
    all_gather,
    all_to_all,
    broadcast,
    reduce,
    send_receive,  ///< sends, receives, or both in one kernel
    barrier,
    other,  ///< nothing names it
};

/// `all_reduce`, `send_receive`, ...
const char* name_of(CommunicationKind kind);

/// Bus bandwidth over algorithm bandwidth: what a link carries more or less than a rank's tensor. 2(n-1)/n for an
/// all-reduce, (n-1)/n for reduce-scatter, all-gather and all-to-all, 1 for the others.
/// Source: NVIDIA/nccl-tests, doc/PERFORMANCE.md.
/// @param ranks of the group, at least 1
double bus_factor(CommunicationKind kind, int ranks);

/// One communication of one rank.
struct Communication {
    CommunicationKind kind = CommunicationKind::other;  ///< what it does
    double start_seconds = 0;        ///< after the first activity of the trace: of this rank's clock, no other's
    double seconds = 0;              ///< from its start to its end on this rank; waiting for the other ranks is in it
    std::optional<double> elements;  ///< numbers of the tensor, where the trace tells them
    /// Of the tensor as nccl-tests counts it: what a rank gives to an all-reduce, a reduce-scatter or an all-to-all,
    /// what it gets from an all-gather. None where nothing tells it.
    std::optional<double> bytes;
    std::optional<int> ranks;       ///< of its group
    std::string group;              ///< the ranks of its group as the trace writes them; empty where it does not
    double overlapped_seconds = 0;  ///< of its time, while the same device computed
};

/// Bytes per second on the bus, where bytes and ranks are known and the time is not 0.
std::optional<double> bus_bytes_per_second(const Communication& communication);

/// All communications of a kind.
struct CommunicationSum {
    CommunicationKind kind = CommunicationKind::other;  ///< of all of them
    int count = 0;                                      ///< how many there are
    double seconds = 0;                                 ///< sum of their times
    double bytes = 0;                                   ///< of those whose size is known
    int without_bytes = 0;                              ///< how many have none
    double overlapped_seconds = 0;                      ///< while the same device computed
    /// Bytes that crossed the bus over the seconds they took, of those that have a bus bandwidth.
    std::optional<double> bus_bytes_per_second;
};

/// The sums of the kinds that there are, in the order of CommunicationKind.
std::vector<CommunicationSum> sums_by_kind(const std::vector<Communication>& communications);

/// The sizes of the all-reduces over that many ranks and the shortest time of each, to fit a model to. The shortest,
/// because whoever comes first waits for the others, and that is no part of the transfer.
std::vector<Measurement> all_reduce_measurements(const std::vector<Communication>& communications, int ranks);

/// The number of ranks that most all-reduces with a size have; of two numbers as frequent, the larger. None without
/// one.
std::optional<int> usual_all_reduce_ranks(const std::vector<Communication>& communications);

}  // namespace shardlab
