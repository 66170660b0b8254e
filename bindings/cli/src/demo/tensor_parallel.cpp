#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/matmul.hpp>
#include <shardlab/tensor_parallel.hpp>

#include "sections.hpp"
#include "text.hpp"

namespace shardlab::cli {
namespace {

constexpr int ranks = 2;
constexpr std::size_t weight_width = 4;
constexpr std::size_t result_width = 8;

std::string weights(const Matrix& w, std::size_t output) {
    std::string text;
    for (const double weight : row(w, output)) {
        text += right(weight, weight_width);
    }
    return text;
}

void write_whole(std::ostream& out, const Matrix& w, const Matrix& x, const Matrix& y) {
    out << "  " << right("W", w.shape(1) * weight_width) << right("x", result_width)
        << right("y = W x", result_width + 4) << '\n';
    for (std::size_t output = 0; output < w.shape(0); ++output) {
        out << "  " << weights(w, output) << right(x(output, 0), result_width) << right(y(output, 0), result_width + 4)
            << '\n';
    }
    out << '\n';
}

/// By columns: the ranks' outputs stand below each other.
void write_columns(std::ostream& out, const TensorParallelMatmul& product) {
    for (std::size_t rank = 0; rank < product.weight_shards.size(); ++rank) {
        const Matrix& shard = product.weight_shards[rank];
        for (std::size_t output = 0; output < shard.shape(0); ++output) {
            out << "  " << left(output == 0 ? "rank " + std::to_string(rank) : "", 8) << weights(shard, output)
                << "   times x  " << right(product.partial_outputs[rank](output, 0), result_width) << '\n';
        }
    }
    out << '\n';
}

/// By rows: each rank has an addend of every output.
void write_rows(std::ostream& out, const TensorParallelMatmul& product) {
    std::string header;
    for (std::size_t rank = 0; rank < product.weight_shards.size(); ++rank) {
        const std::size_t width = product.weight_shards[rank].shape(1) * weight_width;
        header += right("rank " + std::to_string(rank), width) + right("partial", result_width + 2) + "    ";
    }
    out << "  " << header << right("sum", result_width) << '\n';
    for (std::size_t output = 0; output < product.result.shape(0); ++output) {
        out << "  ";
        for (std::size_t rank = 0; rank < product.weight_shards.size(); ++rank) {
            out << weights(product.weight_shards[rank], output)
                << right(product.partial_outputs[rank](output, 0), result_width + 2) << "    ";
        }
        out << right(product.result(output, 0), result_width) << '\n';
    }
    out << '\n';
}

std::string bytes_text(const TensorParallelMatmul& product) {
    return "Bytes sent by each rank: " + number_text(product.communication_bytes_per_rank) +
           ". Largest difference from the whole product: " + number_text(product.max_abs_error) + ".";
}

}  // namespace

void demonstrate_tensor_parallel(std::ostream& out) {
    const Matrix w = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}};
    const Matrix x = {{1}, {2}, {3}, {4}};
    const TensorParallelMatmul by_column = tensor_parallel_matmul(w, x, ranks, Split::column);
    const TensorParallelMatmul by_row = tensor_parallel_matmul(w, x, ranks, Split::row);

    write_heading(out, "3. Tensor parallel: one matrix split over " + std::to_string(ranks) + " ranks");
    write_whole(out, w, x, matmul(w, x));
    write_paragraph(out,
                    "Split by column: each rank has some of the outputs, and the whole x. (The words are "
                    "Megatron's, who writes y = x A with A = W transposed: a column of A is a row of W.)");
    write_columns(out, by_column);
    write_paragraph(out, "One piece below the other is y. " + bytes_text(by_column));
    write_paragraph(out,
                    "Split by row: each rank has some of the inputs, so its product is only a part of the sum of "
                    "every output. An all-reduce adds the parts.");
    write_rows(out, by_row);
    write_paragraph(
        out, bytes_text(by_row) +
                 " A column split followed by a row split, as in an MLP, needs only this all-reduce in its forward.");
}

}  // namespace shardlab::cli
