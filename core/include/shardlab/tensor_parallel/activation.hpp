#pragma once

/// @file
/// The functions between the two matrices of an MLP.

#include <cstdint>
#include <string_view>

namespace shardlab {

/// What stands between the two matrices of an MLP.
enum class Activation : std::uint8_t {
    gelu,    ///< down·GELU(up·x)
    swiglu,  ///< down·(SiLU(gate·x) ⊙ up·x), with a third matrix; Shazeer, arXiv:2002.05202, section 2
};

/// `gelu` or `swiglu`.
const char* name(Activation activation);

/// The activation of that name.
/// @throws invalid_argument naming activation
Activation activation_from_name(std::string_view name);

/// GELU(x) = x/2 · (1 + erf(x/√2)), computed as x/2 · erfc(-x/√2), which keeps its digits far below zero. Source:
/// Hendrycks and Gimpel, arXiv:1606.08415, section 2.
double gelu(double x);

/// Its derivative, 1/2·(1 + erf(x/√2)) + x·exp(-x²/2)/√(2π).
double gelu_derivative(double x);

/// SiLU(x) = x / (1 + exp(-x)). Source: Hendrycks and Gimpel, arXiv:1606.08415, section 4, where it is named.
double silu(double x);

/// Its derivative, σ(x)·(1 + x·(1 - σ(x))) with σ(x) = 1 / (1 + exp(-x)).
double silu_derivative(double x);

}  // namespace shardlab
