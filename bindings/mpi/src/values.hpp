#pragma once

/// @file
/// What the ranks hold before a run, known to each of them without asking the others.

#include <cstdint>
#include <span>

namespace shardlab::mpi {

/// Two kinds of numbers, each of which shows one kind of mistake.
enum class Values : std::uint8_t {
    whole,   ///< whole numbers from -1000 to 1000: their sum is exact, in whichever order it is taken
    spread,  ///< random digits over a range of 2^15: another order of summation is rounded to other bits
};

/// Fills a part of a rank's buffer, a pure function of the rank and the place of each element. T is float or double.
/// @param first place of the first element of `part` in the buffer
template <typename T>
void fill(Values values, int rank, std::uint64_t first, std::span<T> part);

}  // namespace shardlab::mpi
