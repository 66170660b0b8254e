#pragma once

/// @file
/// A schedule between real processes: `run`, beside the core's execute and price.

#include <cstdint>
#include <span>
#include <vector>

#include <mpi.h>

#include <shardlab/collective/schedule.hpp>

namespace shardlab::mpi {

/// What travels between two ranks in one piece, as one of them sees it.
struct Message {
    int peer = 0;              ///< the other rank
    std::uint64_t offset = 0;  ///< first element, in this rank's own buffer
    int count = 0;             ///< elements; 0 is an empty chunk, whose message is sent all the same
    bool add = false;          ///< whether its receiver adds it, or puts it in place of what stands there
};

/// One rank's part of one step. The lists are in the order of the schedule, which both ends of a message share.
struct RankStep {
    std::vector<Message> sent;    ///< by this rank
    std::vector<Message> copied;  ///< received, and put in place
    std::vector<Message> added;   ///< received, and added in this order
};

/// One rank's part of a schedule, without the steps in which it has nothing to do. A transfer is cut into messages of
/// at most `largest_message` elements, so that one is added while the next is on its way, and an `int` counts them.
/// @param schedule in place, and such that check() passes
/// @throws invalid_argument as check() does, or naming placement
std::vector<RankStep> rank_steps(const CollectiveSchedule& schedule, int rank, int largest_message);

/// Runs one rank's part of a schedule, over MPI's point-to-point messages. T is float or double.
///
/// All ranks of the communicator make one of the same schedule, and run it together. A step sends what stood there
/// before it, as the schedule means it: no rank sends from what it receives into (check() holds that), so that nothing
/// need be copied aside. No step can wait for itself: every message of it is sent off, and every copy asked for, before
/// the first is waited for. A rank goes on to its next step when its own messages are through, and waits for nobody
/// else: the order of the messages between two ranks is all that holds steps apart.
template <typename T>
class Runner {
public:
    /// @throws invalid_argument as rank_steps() does
    Runner(const CollectiveSchedule& schedule, MPI_Comm communicator);

    /// @param buffer shape (schedule.elements()): this rank's input, then its output; the same bits as execute() leaves
    ///        in this rank's row
    void run(std::span<T> buffer);

private:
    void send_and_ask_for_copies(const RankStep& step, std::span<T> buffer);
    void add_what_arrives(const std::vector<Message>& added, std::span<T> buffer);

    MPI_Comm communicator_;
    std::vector<RankStep> steps_;
    std::vector<T> arrivals_[2];  // one is added while the other fills
    std::vector<MPI_Request> requests_;
};

}  // namespace shardlab::mpi
