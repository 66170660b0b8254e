#pragma once

/// @file
/// The loop that moves numbers, with a place for what goes wrong.

#include <algorithm>
#include <string>
#include <utility>

#include <shardlab/collective/execute.hpp>
#include <shardlab/errors.hpp>

#include "check.hpp"

namespace shardlab::collective {

/// Combines what arrives with what stands there, element by element: loops that the compiler vectorises.
template <typename T>
void combine(std::span<const T> arrived, std::span<T> held, Reduction reduction) {
    const auto each = [&](auto operation) {
        std::transform(arrived.begin(), arrived.end(), held.begin(), held.begin(), operation);
    };
    switch (reduction) {
        case Reduction::sum:
        case Reduction::average:
            return each([](T incoming, T standing) { return standing + incoming; });
        case Reduction::max:
            return each([](T incoming, T standing) { return standing < incoming ? incoming : standing; });
        case Reduction::min:
            return each([](T incoming, T standing) { return incoming < standing ? incoming : standing; });
    }
}

/// What is done with one transfer whose elements have arrived.
template <typename T>
void deliver(const Transfer& transfer, std::span<const T> sender, MatrixOf<T>& buffers, Reduction reduction) {
    const auto count = static_cast<std::size_t>(transfer.count);
    const std::span<const T> arrived = sender.subspan(static_cast<std::size_t>(transfer.source_offset), count);
    const std::span<T> held = row(buffers, static_cast<std::size_t>(transfer.destination))
                                  .subspan(static_cast<std::size_t>(transfer.destination_offset), count);
    if (transfer.reduce) {
        combine(arrived, held, reduction);
    } else {
        std::copy(arrived.begin(), arrived.end(), held.begin());
    }
}

template <typename T>
void require_shape(const CollectiveSchedule& schedule, const MatrixOf<T>& buffers) {
    if (buffers.shape(0) != static_cast<std::size_t>(schedule.ranks()) || buffers.shape(1) != schedule.elements()) {
        throw invalid_argument("buffers", std::to_string(buffers.shape(0)) + " x " + std::to_string(buffers.shape(1)),
                               "have the schedule's shape, which is " + std::to_string(schedule.ranks()) + " x " +
                                   std::to_string(schedule.elements()));
    }
}

template <typename T>
void divide_by_ranks(MatrixOf<T>& buffers) {
    const T ranks = static_cast<T>(buffers.shape(0));
    std::transform(buffers.begin(), buffers.end(), buffers.begin(), [ranks](T sum) { return sum / ranks; });
}

/// All goes well: every transfer arrives, with what its sender holds.
template <typename T>
struct Faultless {
    void before_step(int, const MatrixOf<T>&) {}
    bool arrives(int, const Transfer&) { return true; }
    std::span<const T> sender(int, const Transfer& transfer, const MatrixOf<T>& buffers) {
        return row(buffers, static_cast<std::size_t>(transfer.source));
    }
};

/// Runs steps; `delivery` says what arrives of each transfer, and may be any of Faultless' shape.
template <typename T, typename Delivery>
Ledger run(const CollectiveSchedule& schedule, MatrixOf<T>& buffers, int stop_after, Reduction reduction,
           Delivery delivery) {
    require_shape(schedule, buffers);
    require_int("stop_after", stop_after, 0, schedule.steps());
    const bool in_place = schedule.placement() == Placement::in_place;
    const MatrixOf<T> input = in_place ? MatrixOf<T>() : buffers;
    const MatrixOf<T>& sent = in_place ? buffers : input;

    Ledger booked(schedule.steps(), schedule.ranks(), sizeof(T));
    bool reduced = false;
    Step step;
    for (int index = 0; index < stop_after; ++index) {
        schedule.generate(index, step);
        require_inside(schedule, index, step);
        delivery.before_step(index, sent);
        for (const Transfer& transfer : step.transfers) {
            if (delivery.arrives(index, transfer)) {
                deliver(transfer, delivery.sender(index, transfer, sent), buffers, reduction);
            }
            reduced = reduced || transfer.reduce;
        }
        booked.record(index, step);
    }
    if (reduction == Reduction::average && reduced && stop_after == schedule.steps()) {
        divide_by_ranks(buffers);
    }
    return booked;
}

}  // namespace shardlab::collective
