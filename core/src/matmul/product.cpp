#include <algorithm>
#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/matmul.hpp>

#include "kernel.hpp"
#include "pack.hpp"

namespace shardlab {
namespace product {
namespace {

// A panel of b stays in the first cache while it meets all of a block of a, which stays in the second.
constexpr std::size_t block_rows = 64;
constexpr std::size_t block_depth = 256;
constexpr std::size_t block_columns = 512;

// So that less than a tile is left at the end of the result only.
static_assert(block_rows % tile_rows == 0 && block_columns % tile_columns<float> == 0 &&
              block_columns % tile_columns<double> == 0);

/// Adds the product of two panels where less than a tile is left of the result: by way of a whole tile.
template <typename T>
void add_at_edge(const T* a, const T* b, std::size_t depth, MatrixOf<T>& sums, std::size_t first_row,
                 std::size_t first_column) {
    const std::size_t rows = std::min(tile_rows, sums.shape(0) - first_row);
    const std::size_t columns = std::min(tile_columns<T>, sums.shape(1) - first_column);
    T tile[tile_rows * tile_columns<T>] = {};
    for (std::size_t i = 0; i < rows; ++i) {
        std::copy_n(row(sums, first_row + i).data() + first_column, columns, tile + i * tile_columns<T>);
    }
    add_product(a, b, depth, tile, tile_columns<T>);
    for (std::size_t i = 0; i < rows; ++i) {
        std::copy_n(tile + i * tile_columns<T>, columns, row(sums, first_row + i).data() + first_column);
    }
}

/// The rows and columns of the result to which two packed blocks add.
struct Block {
    std::size_t first_row;
    std::size_t rows;
    std::size_t first_column;
    std::size_t columns;
};

template <typename T>
void add_block(const Panels<T, tile_rows>& a, const Panels<T, tile_columns<T>>& b, const Block& block,
               MatrixOf<T>& sums) {
    for (std::size_t j = 0; j < block.columns; j += tile_columns<T>) {
        for (std::size_t i = 0; i < block.rows; i += tile_rows) {
            const std::size_t to_row = block.first_row + i;
            const std::size_t to_column = block.first_column + j;
            if (i + tile_rows <= block.rows && j + tile_columns<T> <= block.columns) {
                T* tile = row(sums, to_row).data() + to_column;
                add_product(a.from_row(i), b.from_row(j), a.depth(), tile, sums.shape(1));
            } else {
                add_at_edge(a.from_row(i), b.from_row(j), a.depth(), sums, to_row, to_column);
            }
        }
    }
}

// The two ways to a product are functions of their own: where g++ 12 makes one of both, short products take longer.

/// The parts of a sum over k are added in the order of k, each to what the ones before it left in the result, so that
/// blocks change no bit.
template <typename T>
[[gnu::noinline]] void add_in_blocks(MatrixView<T> a, MatrixView<T> b, MatrixOf<T>& sums) {
    Panels<T, tile_rows> a_panels;
    Panels<T, tile_columns<T>> b_panels;
    for (std::size_t j = 0; j < b.columns; j += block_columns) {
        const std::size_t columns = std::min(block_columns, b.columns - j);
        for (std::size_t k = 0; k < a.columns; k += block_depth) {
            const std::size_t depth = std::min(block_depth, a.columns - k);
            b_panels.pack(transposed(columns_of(rows_of(b, k, depth), j, columns)));
            for (std::size_t i = 0; i < a.rows; i += block_rows) {
                const std::size_t rows = std::min(block_rows, a.rows - i);
                a_panels.pack(columns_of(rows_of(a, i, rows), k, depth));
                add_block(a_panels, b_panels, {i, rows, j, columns}, sums);
            }
        }
    }
}

/// The same without a copy of either: for each k a multiple of a row of b is added to a row of the result.
template <typename T>
[[gnu::noinline]] void add_unpacked(MatrixView<T> a, MatrixView<T> b, MatrixOf<T>& sums) {
    for (std::size_t i = 0; i < a.rows; ++i) {
        const std::span<T> sum = row(sums, i);
        for (std::size_t k = 0; k < a.columns; ++k) {
            const T factor = a(i, k);
            for (std::size_t j = 0; j < sum.size(); ++j) {
                sum[j] += factor * b(k, j);
            }
        }
    }
}

/// Whether so little is done with each number that packing costs more than it saves; the bounds are measured ones.
template <typename T>
bool too_small_to_pack(const MatrixView<T>& a, const MatrixView<T>& b) {
    constexpr double least_multiplications = 4096;
    constexpr std::size_t least_depth = 8;
    constexpr std::size_t least_rows = 8;
    const bool b_lies_in_rows = b.column_stride == 1;
    const double multiplications =
        static_cast<double>(a.rows) * static_cast<double>(a.columns) * static_cast<double>(b.columns);
    return multiplications < least_multiplications || a.columns < least_depth ||
           (b_lies_in_rows && a.rows < least_rows);
}

template <typename T>
MatrixOf<T> of(MatrixView<T> a, MatrixView<T> b) {
    if (a.columns != b.rows) {
        throw invalid_argument("b", std::to_string(b.rows) + " rows",
                               "have as many rows as a has columns, which is " + std::to_string(a.columns));
    }
    MatrixOf<T> sums = zeros<T>("b", static_cast<double>(a.rows), static_cast<double>(b.columns));
    if (too_small_to_pack(a, b)) {
        add_unpacked(a, b, sums);
    } else {
        add_in_blocks(a, b, sums);
    }
    return sums;
}

}  // namespace
}  // namespace product

Matrix matmul(MatrixView<double> a, MatrixView<double> b) {
    return product::of(a, b);
}

Matrix32 matmul(MatrixView<float> a, MatrixView<float> b) {
    return product::of(a, b);
}

}  // namespace shardlab
