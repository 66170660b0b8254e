#pragma once

/// @file
/// Results of seeded runs, reduced to hashes of their bits. The exact routines give the same bits on every platform.

#include <cstdint>
#include <span>

namespace exact_bits {

/// The 64-bit FNV-1a hash of Fowler, Noll and Vo over the bytes of doubles, little end first.
class Hash {
public:
    void add(double value);
    void add(std::span<const double> values);
    std::uint64_t value() const { return state_; }

private:
    std::uint64_t state_ = 0xCBF29CE484222325ULL;
};

std::uint64_t random_matrices();
std::uint64_t all_reduces();
std::uint64_t algorithms_and_precisions();
std::uint64_t averaged_gradient();
std::uint64_t data_parallel_training();
std::uint64_t tensor_parallel_product();
std::uint64_t simulated_pipeline();
std::uint64_t zero_memory();

/// One of the results above, with the name under which builds compare it.
struct Result {
    const char* name;
    std::uint64_t (*hash)();
};

std::span<const Result> results();

}  // namespace exact_bits
