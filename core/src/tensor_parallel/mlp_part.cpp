#include "mlp_part.hpp"

#include <algorithm>

#include <shardlab/collective/schedule.hpp>
#include <shardlab/matmul.hpp>

#include "shards.hpp"

namespace shardlab::tensor_parallel {
namespace {

/// One matrix of every rank's gradients.
PerRank of_all(const std::vector<MlpGradients>& gradients, Matrix MlpWeights::*which) {
    PerRank parts;
    for (const MlpGradients& of_rank : gradients) {
        parts.push_back(of_rank.weights.*which);
    }
    return parts;
}

Matrix sum_of(const PerRank& parts) {
    Matrix sum = parts.front();
    for (std::size_t rank = 1; rank < parts.size(); ++rank) {
        add(sum, parts[rank]);
    }
    return sum;
}

}  // namespace

MlpPart::MlpPart(int ranks, const BlockData& data, bool column_first)
    : ranks_(ranks),
      column_first_(column_first),
      traces_(static_cast<std::size_t>(ranks)),
      gradients_(static_cast<std::size_t>(ranks)) {
    for (int rank = 0; rank < ranks; ++rank) {
        weights_.push_back(shard(rank, data));
    }
}

MlpWeights MlpPart::shard(int rank, const BlockData& data) const {
    const auto first_matrix = [&](const char* name) {
        const Matrix& whole = data.weights.at(name);
        return copy_of(column_first_ ? row_shard(whole, ranks_, rank) : column_shard(whole, ranks_, rank));
    };
    const Matrix& down = data.weights.at("down");
    MlpWeights weights{.up = first_matrix("up"),
                       .gate = std::nullopt,
                       .down = column_first_ ? copy_of(column_shard(down, ranks_, rank)) : down};
    if (data.weights.contains("gate")) {
        weights.gate = first_matrix("gate");
    }
    return weights;
}

Matrix MlpPart::input_of(int rank, const Matrix& input) const {
    return column_first_ ? input : copy_of(column_shard(input, ranks_, rank));
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
    // Of the other inputs a rank that was given its own alone knows nothing.
    const Matrix& own = gradients_[index].input;
    const auto first = static_cast<std::size_t>(chunk(input.shape(1), ranks_, rank).offset);
    Matrix whole(input.shape(), 0.0);
    for (std::size_t token = 0; token < own.shape(0); ++token) {
        const std::span<const double> known = row(own, token);
        std::copy(known.begin(), known.end(), row(whole, token).subspan(first).begin());
    }
    return whole;
}

void MlpPart::collect(Gradients& gradients, std::vector<CollectiveCall>& /*calls*/) const {
    const auto first_matrix = [&](const PerRank& parts) {
        return column_first_ ? stacked(parts) : side_by_side(parts);
    };
    const PerRank down = of_all(gradients_, &MlpWeights::down);
    gradients["up"] = first_matrix(of_all(gradients_, &MlpWeights::up));
    gradients["down"] = column_first_ ? side_by_side(down) : sum_of(down);
    if (gradients_.front().weights.gate) {
        PerRank gates;
        for (const MlpGradients& of_rank : gradients_) {
            gates.push_back(*of_rank.weights.gate);
        }
        gradients["gate"] = first_matrix(gates);
    }
}

double MlpPart::weight_elements(int rank) const {
    const MlpWeights& weights = weights_[static_cast<std::size_t>(rank)];
    const std::size_t gate = weights.gate ? weights.gate->size() : 0;
    return static_cast<double>(weights.up.size() + gate + weights.down.size());
}

}  // namespace shardlab::tensor_parallel
