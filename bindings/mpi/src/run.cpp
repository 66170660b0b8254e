#include "run.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include <shardlab/errors.hpp>

#include "group.hpp"

namespace shardlab::mpi {
namespace {

/// What has arrived is added before it leaves a core's second-level cache.
constexpr int largest_message_bytes = 1 << 19;

/// What is copied and what is added are two sequences of messages, each received in its own order.
int tag(const Message& message) {
    return message.add ? 1 : 0;
}

/// Cuts a transfer into messages.
void append(std::vector<Message>& messages, Message message, std::uint64_t elements, int largest_message) {
    do {
        message.count = static_cast<int>(std::min(elements, static_cast<std::uint64_t>(largest_message)));
        messages.push_back(message);
        message.offset += static_cast<std::uint64_t>(message.count);
        elements -= static_cast<std::uint64_t>(message.count);
    } while (elements > 0);
}

RankStep part_of(const Step& step, int rank, int largest_message) {
    RankStep part;
    for (const Transfer& transfer : step.transfers) {
        if (transfer.source == rank) {
            append(part.sent, {.peer = transfer.destination, .offset = transfer.source_offset, .add = transfer.reduce},
                   transfer.count, largest_message);
        } else if (transfer.destination == rank) {
            append(transfer.reduce ? part.added : part.copied,
                   {.peer = transfer.source, .offset = transfer.destination_offset, .add = transfer.reduce},
                   transfer.count, largest_message);
        }
    }
    return part;
}

bool is_empty(const RankStep& step) {
    return step.sent.empty() && step.copied.empty() && step.added.empty();
}

}  // namespace

std::vector<RankStep> rank_steps(const CollectiveSchedule& schedule, int rank, int largest_message) {
    check(schedule);
    if (schedule.placement() != Placement::in_place) {
        throw invalid_argument("placement", "out of place", "be in place");
    }
    std::vector<RankStep> parts;
    Step step;
    for (int index = 0; index < schedule.steps(); ++index) {
        schedule.generate(index, step);
        RankStep part = part_of(step, rank, largest_message);
        if (!is_empty(part)) {
            parts.push_back(std::move(part));
        }
    }
    return parts;
}

template <typename T>
Runner<T>::Runner(const CollectiveSchedule& schedule, MPI_Comm communicator) : communicator_(communicator) {
    constexpr int largest_message = largest_message_bytes / static_cast<int>(sizeof(T));
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    steps_ = rank_steps(schedule, rank, largest_message);
    for (std::vector<T>& arrivals : arrivals_) {
        arrivals.resize(largest_message);
    }
}

template <typename T>
void Runner<T>::run(std::span<T> buffer) {
    for (const RankStep& step : steps_) {
        requests_.clear();
        send_and_ask_for_copies(step, buffer);
        add_what_arrives(step.added, buffer);
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    }
}

template <typename T>
void Runner<T>::send_and_ask_for_copies(const RankStep& step, std::span<T> buffer) {
    for (const Message& message : step.copied) {
        MPI_Irecv(buffer.data() + message.offset, message.count, datatype<T>(), message.peer, tag(message),
                  communicator_, &requests_.emplace_back());
    }
    for (const Message& message : step.sent) {
        MPI_Isend(buffer.data() + message.offset, message.count, datatype<T>(), message.peer, tag(message),
                  communicator_, &requests_.emplace_back());
    }
}

template <typename T>
void Runner<T>::add_what_arrives(const std::vector<Message>& added, std::span<T> buffer) {
    MPI_Request pending[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    const auto ask_for = [&](std::size_t index) {
        if (index < added.size()) {
            MPI_Irecv(arrivals_[index % 2].data(), added[index].count, datatype<T>(), added[index].peer,
                      tag(added[index]), communicator_, &pending[index % 2]);
        }
    };
    ask_for(0);
    for (std::size_t index = 0; index < added.size(); ++index) {
        ask_for(index + 1);
        MPI_Wait(&pending[index % 2], MPI_STATUS_IGNORE);
        const std::vector<T>& arrived = arrivals_[index % 2];
        const std::span<T> held = buffer.subspan(added[index].offset, static_cast<std::size_t>(added[index].count));
        std::transform(held.begin(), held.end(), arrived.begin(), held.begin(), std::plus<>());
    }
}

template class Runner<float>;
template class Runner<double>;

}  // namespace shardlab::mpi
