#include "values.hpp"

#include <cmath>

namespace shardlab::mpi {
namespace {

/// Sixty-four bits that look random. Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014, the finalizer of SplitMix64.
std::uint64_t mixed(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31U);
}

std::uint64_t random_bits(int rank, std::uint64_t place) {
    constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15U;
    return mixed(mixed(static_cast<std::uint64_t>(rank) + golden_ratio) + place * golden_ratio);
}

double whole_number(std::uint64_t bits) {
    return static_cast<double>(bits % 2001U) - 1000;
}

/// From -1 to 1, times a power of two from 2^-8 to 2^7.
double spread_number(std::uint64_t bits) {
    const double fraction = static_cast<double>(bits >> 11U) * 0x1p-52 - 1;
    return std::ldexp(fraction, static_cast<int>(bits % 16U) - 8);
}

}  // namespace

template <typename T>
void fill(Values values, int rank, std::uint64_t first, std::span<T> part) {
    for (T& value : part) {
        const std::uint64_t bits = random_bits(rank, first++);
        value = static_cast<T>(values == Values::whole ? whole_number(bits) : spread_number(bits));
    }
}

template void fill(Values, int, std::uint64_t, std::span<float>);
template void fill(Values, int, std::uint64_t, std::span<double>);

}  // namespace shardlab::mpi
