#include "reference.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>
#include <vector>

#include <shardlab/collective/exact_sum.hpp>
#include <shardlab/collective/execute.hpp>

namespace shardlab::mpi {
namespace {

/// Buffers of 1024 ranks for it are as large as an array may be.
constexpr std::uint64_t largest_window = 1U << 16U;

/// The transfer's elements among those from `first` on, counted from there.
Transfer cut(Transfer transfer, std::uint64_t first, std::uint64_t elements) {
    const std::uint64_t begin = std::clamp(transfer.source_offset, first, first + elements);
    const std::uint64_t end = std::clamp(transfer.source_offset + transfer.count, first, first + elements);
    transfer.source_offset = begin - first;
    transfer.destination_offset = begin - first;
    transfer.count = end - begin;
    return transfer;
}

template <typename T>
std::vector<T> expected(const CollectiveSchedule& schedule, Values values, std::uint64_t first,
                        std::uint64_t elements) {
    MatrixOf<T> buffers = zeros<T>("elements", schedule.ranks(), static_cast<double>(elements));
    for (int rank = 0; rank < schedule.ranks(); ++rank) {
        fill(values, rank, first, row(buffers, static_cast<std::size_t>(rank)));
    }
    if (values == Values::whole) {
        const Vector sums = exact_sums(buffers);
        return {sums.begin(), sums.end()};
    }
    execute(window(schedule, first, elements), buffers);
    const std::span<const T> sums = row(std::as_const(buffers), 0);
    return {sums.begin(), sums.end()};
}

template <typename T>
bool same_bits(T a, T b) {
    using Bits = std::conditional_t<sizeof(T) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
    return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

template <typename T>
std::uint64_t elements_that_differ(std::span<const T> result, const T* expected) {
    std::uint64_t count = 0;
    for (const T& value : result) {
        count += same_bits(value, *expected++) ? 0U : 1U;
    }
    return count;
}

}  // namespace

CollectiveSchedule window(const CollectiveSchedule& schedule, std::uint64_t first, std::uint64_t elements) {
    const auto generate = [schedule, first, elements](int index, Step& step) {
        schedule.generate(index, step);
        for (Transfer& transfer : step.transfers) {
            transfer = cut(transfer, first, elements);
        }
    };
    return {schedule.ranks(), elements, schedule.steps(), generate};
}

template <typename T>
std::uint64_t elements_off(const CollectiveSchedule& schedule, Values values, std::span<const T> result,
                           const Group& group) {
    const auto ranks = static_cast<std::uint64_t>(group.ranks());
    const std::uint64_t share = std::min(largest_window, schedule.elements() / ranks + 1);
    std::vector<T> all(share * ranks);
    std::uint64_t off = 0;
    for (std::uint64_t first = 0; first < schedule.elements(); first += share * ranks) {
        const std::uint64_t left = schedule.elements() - first;
        const std::uint64_t begin = std::min(left, share * static_cast<std::uint64_t>(group.rank()));
        std::vector<T> own = expected<T>(schedule, values, first + begin, std::min(share, left - begin));
        own.resize(share);
        MPI_Allgather(own.data(), static_cast<int>(share), datatype<T>(), all.data(), static_cast<int>(share),
                      datatype<T>(), MPI_COMM_WORLD);
        off += elements_that_differ(result.subspan(first, std::min(left, share * ranks)), all.data());
    }
    MPI_Allreduce(MPI_IN_PLACE, &off, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return off;
}

template std::uint64_t elements_off(const CollectiveSchedule&, Values, std::span<const float>, const Group&);
template std::uint64_t elements_off(const CollectiveSchedule&, Values, std::span<const double>, const Group&);

}  // namespace shardlab::mpi
