#pragma once

/// @file
/// A block of a matrix, copied into the order in which the kernel reads it.

#include <algorithm>
#include <cstddef>
#include <vector>

#include <shardlab/matmul.hpp>

namespace shardlab::product {

/// Panels of `width` rows, one behind the other, each column by column: with the strides of the block ends what a
/// transposed or cut matrix costs. Rows that the last panel lacks are zeros.
template <typename T, std::size_t width>
class Panels {
public:
    /// Takes the place of what was packed before.
    void pack(MatrixView<T> block) {
        depth_ = block.columns;
        const std::size_t panels = (block.rows + width - 1) / width;
        numbers_.resize(panels * width * depth_);
        for (std::size_t first = 0; first < block.rows; first += width) {
            T* panel = numbers_.data() + first * depth_;
            const T* rows = block.data + first * block.row_stride;
            if (block.rows - first < width) {
                copy_some(block, rows, block.rows - first, panel);
            } else {
                copy_all(block, rows, panel);
            }
        }
    }

    /// The panel that starts with that row.
    const T* from_row(std::size_t first) const { return numbers_.data() + first * depth_; }

    /// Columns of the block.
    std::size_t depth() const { return depth_; }

private:
    static void copy_all(const MatrixView<T>& block, const T* rows, T* panel) {
        for (std::size_t k = 0; k < block.columns; ++k) {
            for (std::size_t i = 0; i < width; ++i) {
                panel[k * width + i] = rows[i * block.row_stride + k * block.column_stride];
            }
        }
    }

    static void copy_some(const MatrixView<T>& block, const T* rows, std::size_t count, T* panel) {
        std::fill_n(panel, width * block.columns, T{0});
        for (std::size_t k = 0; k < block.columns; ++k) {
            for (std::size_t i = 0; i < count; ++i) {
                panel[k * width + i] = rows[i * block.row_stride + k * block.column_stride];
            }
        }
    }

    std::vector<T> numbers_;
    std::size_t depth_ = 0;
};

}  // namespace shardlab::product
