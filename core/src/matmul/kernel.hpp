#pragma once

/// @file
/// The innermost part of the matrix product: one tile of the result, held in registers.

#include <cstddef>
#include <cstring>

namespace shardlab::product {

/// One register of SSE2 and of WebAssembly's SIMD128, which every machine has that runs either: wider ones would be
/// faster on some machines and absent on others.
constexpr std::size_t register_bytes = 16;

/// What it holds.
template <typename T>
struct RegisterOf {
    using type [[gnu::vector_size(register_bytes)]] = T;
};
template <typename T>
using Register = typename RegisterOf<T>::type;

/// How many numbers that is.
template <typename T>
constexpr std::size_t register_numbers = register_bytes / sizeof(T);

/// A tile is 4 rows of two registers. Of the 16 registers its sums take 8; factors and products need some of the rest,
/// and V8 keeps one or two for itself. Larger tiles were slower in WebAssembly, smaller ones everywhere.
constexpr std::size_t tile_rows = 4;
constexpr std::size_t tile_registers = 2;
template <typename T>
constexpr std::size_t tile_columns = register_bytes / sizeof(T) * tile_registers;

/// A register from or to memory that need not be aligned. One at a time: copied in one piece, g++ 12 keeps the whole
/// tile in memory.
template <typename T>
Register<T> load(const T* from) {
    Register<T> numbers;
    std::memcpy(&numbers, from, sizeof(numbers));
    return numbers;
}
template <typename T>
void store(T* to, Register<T> numbers) {
    std::memcpy(to, &numbers, sizeof(numbers));
}

/// Adds the product of two panels to a tile of the result: to each element, one after the other, the products of k from
/// 0 to depth - 1. That order is the promise of matmul(): registers go along a row, never along k.
/// @param a      (depth, tile_rows), the element of row i and k at k * tile_rows + i
/// @param b      (depth, tile_columns), the element of k and column j at k * tile_columns + j
/// @param tile   (tile_rows, tile_columns), its rows row_stride elements apart
template <typename T>
void add_product(const T* a, const T* b, std::size_t depth, T* tile, std::size_t row_stride) {
    Register<T> sums[tile_rows][tile_registers];
    for (std::size_t i = 0; i < tile_rows; ++i) {
        for (std::size_t j = 0; j < tile_registers; ++j) {
            sums[i][j] = load(tile + i * row_stride + j * register_numbers<T>);
        }
    }
    for (std::size_t k = 0; k < depth; ++k) {
        for (std::size_t j = 0; j < tile_registers; ++j) {
            const Register<T> factors = load(b + k * tile_columns<T> + j * register_numbers<T>);
            for (std::size_t i = 0; i < tile_rows; ++i) {
                sums[i][j] += a[k * tile_rows + i] * factors;
            }
        }
    }
    for (std::size_t i = 0; i < tile_rows; ++i) {
        for (std::size_t j = 0; j < tile_registers; ++j) {
            store(tile + i * row_stride + j * register_numbers<T>, sums[i][j]);
        }
    }
}

}  // namespace shardlab::product
