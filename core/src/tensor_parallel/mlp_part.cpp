#include "mlp_part.hpp"

#include <algorithm>

#include <shardlab/collective/schedule.hpp>
#include <shardlab/matmul.hpp>

namespace shardlab::tensor_parallel {
namespace {

/// The part of a length that belongs to a rank.
struct Range {
    std::size_t first;
    std::size_t count;
};

Range range_of(std::size_t length, int ranks, int rank) {
    const Chunk part = chunk(length, ranks, rank);
    return {.first = static_cast<std::size_t>(part.offset), .count = static_cast<std::size_t>(part.count)};
}

Matrix rows_in(const Matrix& matrix, Range range) {
    return copy_of(rows_of(view(matrix), range.first, range.count));
}

Matrix columns_in(const Matrix& matrix, Range range) {
    return copy_of(columns_of(view(matrix), range.first, range.count));
}

/// Adds a shard to where it belongs in the whole.
void add(Matrix& whole, const Matrix& shard, std::size_t first_row, std::size_t first_column) {
    for (std::size_t i = 0; i < shard.shape(0); ++i) {
        for (std::size_t j = 0; j < shard.shape(1); ++j) {
            whole(first_row + i, first_column + j) += shard(i, j);
        }
    }
}

}  // namespace

MlpPart::MlpPart(int ranks, const BlockData& data, bool column_first)
    : ranks_(ranks),
      column_first_(column_first),
      hidden_(data.weights.at("up").shape(1)),
      ffn_(data.weights.at("up").shape(0)),
      traces_(static_cast<std::size_t>(ranks)),
      gradients_(static_cast<std::size_t>(ranks)) {
    for (int rank = 0; rank < ranks; ++rank) {
        weights_.push_back(shard(rank, data));
    }
}

MlpWeights MlpPart::shard(int rank, const BlockData& data) const {
    const auto first_matrix = [&](const char* name) {
        const Matrix& whole = data.weights.at(name);
        return column_first_ ? rows_in(whole, range_of(ffn_, ranks_, rank))
                             : columns_in(whole, range_of(hidden_, ranks_, rank));
    };
    const Matrix& down = data.weights.at("down");
    MlpWeights weights{.up = first_matrix("up"),
                       .gate = std::nullopt,
                       .down = column_first_ ? columns_in(down, range_of(ffn_, ranks_, rank)) : down};
    if (data.weights.contains("gate")) {
        weights.gate = first_matrix("gate");
    }
    return weights;
}

Matrix MlpPart::input_of(int rank, const Matrix& input) const {
    return column_first_ ? input : columns_in(input, range_of(hidden_, ranks_, rank));
}

Matrix MlpPart::forward(int rank, const Matrix& input) {
    const auto index = static_cast<std::size_t>(rank);
    return mlp_forward(weights_[index], input_of(rank, input), traces_[index]);
}

Matrix MlpPart::backward(int rank, const Matrix& input, const Matrix& output_gradient) {
    const auto index = static_cast<std::size_t>(rank);
    gradients_[index] = mlp_backward(weights_[index], input_of(rank, input), traces_[index], output_gradient);
    if (column_first_) {
        return gradients_[index].input;
    }
    Matrix whole(input.shape(), 0.0);
    add(whole, gradients_[index].input, 0, range_of(hidden_, ranks_, rank).first);
    return whole;
}

void MlpPart::collect(Gradients& gradients, std::vector<CollectiveCall>& /*calls*/) const {
    const auto hidden = static_cast<double>(hidden_);
    const auto ffn = static_cast<double>(ffn_);
    Matrix up = zeros("ffn", ffn, hidden);
    Matrix gate = zeros("ffn", ffn, hidden);
    Matrix down = zeros("ffn", hidden, ffn);
    for (int rank = 0; rank < ranks_; ++rank) {
        const MlpWeights& shard = gradients_[static_cast<std::size_t>(rank)].weights;
        const std::size_t feature = range_of(ffn_, ranks_, rank).first;
        const std::size_t input = range_of(hidden_, ranks_, rank).first;
        add(up, shard.up, column_first_ ? feature : 0, column_first_ ? 0 : input);
        add(down, shard.down, 0, column_first_ ? feature : 0);
        if (shard.gate) {
            add(gate, *shard.gate, column_first_ ? feature : 0, column_first_ ? 0 : input);
        }
    }
    gradients["up"] = std::move(up);
    gradients["down"] = std::move(down);
    if (gradients_.front().weights.gate) {
        gradients["gate"] = std::move(gate);
    }
}

double MlpPart::weight_elements(int rank) const {
    const MlpWeights& weights = weights_[static_cast<std::size_t>(rank)];
    const std::size_t gate = weights.gate ? weights.gate->size() : 0;
    return static_cast<double>(weights.up.size() + gate + weights.down.size());
}

}  // namespace shardlab::tensor_parallel
