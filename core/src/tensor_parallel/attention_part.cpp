#include "attention_part.hpp"

#include <algorithm>
#include <utility>

#include <shardlab/matmul.hpp>

#include "check.hpp"

namespace shardlab::tensor_parallel {
namespace {

/// The product of counts, which were checked to be small, as an index.
std::size_t sized(int product) {
    return static_cast<std::size_t>(product);
}

void append_range(std::vector<std::size_t>& rows, int first, int count) {
    for (int row = first; row < first + count; ++row) {
        rows.push_back(static_cast<std::size_t>(row));
    }
}

Matrix rows_at(const Matrix& matrix, const std::vector<std::size_t>& rows) {
    Matrix part = zeros("heads", static_cast<double>(rows.size()), static_cast<double>(matrix.shape(1)));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::span<const double> source = row(matrix, rows[i]);
        std::copy(source.begin(), source.end(), row(part, i).begin());
    }
    return part;
}

Matrix rows_between(const Matrix& matrix, std::size_t first, std::size_t count) {
    return copy_of(rows_of(view(matrix), first, count));
}

}  // namespace

HeadShare head_share(const BlockShape& shape, int ranks) {
    return {.heads = shape.heads / ranks,
            .kv_heads = std::max(1, shape.kv_heads / ranks),
            .copies = std::max(1, ranks / shape.kv_heads)};
}

AttentionPart::AttentionPart(int ranks, const BlockShape& shape, const BlockData& data, bool whole_heads)
    : ranks_(ranks),
      shape_(shape),
      whole_heads_(whole_heads),
      share_(head_share(shape, ranks)),
      own_{.heads = share_.heads, .kv_heads = share_.kv_heads, .head_size = head_size_of(shape), .batch = shape.batch},
      traces_(static_cast<std::size_t>(ranks)),
      gradients_(static_cast<std::size_t>(ranks)) {
    const Matrix fused = stacked({data.weights.at("query"), data.weights.at("key"), data.weights.at("value")});
    const auto features = sized(own_.heads * own_.head_size);
    for (int rank = 0; rank < ranks; ++rank) {
        const std::size_t first = static_cast<std::size_t>(rank) * features;
        weights_.push_back({.query_key_value = rows_at(fused, rows_of_rank(rank)),
                            .output = copy_of(columns_of(view(data.weights.at("output")), first, features))});
    }
}

std::vector<std::size_t> AttentionPart::rows_of_rank(int rank) const {
    const int size = own_.head_size;
    std::vector<std::size_t> rows;
    if (!whole_heads_) {
        const int count = (share_.heads + 2 * share_.kv_heads) * size;
        append_range(rows, rank * count, count);
        return rows;
    }
    const int kv_head = rank / share_.copies * share_.kv_heads;
    append_range(rows, rank * share_.heads * size, share_.heads * size);
    append_range(rows, (shape_.heads + kv_head) * size, share_.kv_heads * size);
    append_range(rows, (shape_.heads + shape_.kv_heads + kv_head) * size, share_.kv_heads * size);
    return rows;
}

Matrix AttentionPart::forward(int rank, const Matrix& input) {
    const auto index = static_cast<std::size_t>(rank);
    return attention_forward(own_, weights_[index], input, traces_[index]);
}

Matrix AttentionPart::backward(int rank, const Matrix& input, const Matrix& output_gradient) {
    const auto index = static_cast<std::size_t>(rank);
    gradients_[index] = attention_backward(own_, weights_[index], input, traces_[index], output_gradient);
    return gradients_[index].input;
}

PerRank AttentionPart::summed_copies(std::vector<CollectiveCall>& calls) const {
    PerRank shards;
    for (const AttentionGradients& gradients : gradients_) {
        shards.push_back(gradients.weights.query_key_value);
    }
    if (share_.copies == 1) {
        return shards;
    }
    const auto queries = sized(share_.heads * own_.head_size);
    const auto copied = sized(2 * share_.kv_heads * own_.head_size);
    for (int first = 0; first < ranks_; first += share_.copies) {
        PerRank copies;
        for (int rank = first; rank < first + share_.copies; ++rank) {
            copies.push_back(rows_between(shards[static_cast<std::size_t>(rank)], queries, copied));
        }
        // All groups call at the same time; the list is that of one rank.
        std::vector<CollectiveCall> others;
        Group group(share_.copies, first == 0 ? calls : others);
        copies = group.all_reduce(std::move(copies), Pass::step, "key and value gradients");
        for (int rank = first; rank < first + share_.copies; ++rank) {
            Matrix& shard = shards[static_cast<std::size_t>(rank)];
            const Matrix& sum = copies[static_cast<std::size_t>(rank - first)];
            std::copy(sum.begin(), sum.end(), row(shard, queries).begin());
        }
    }
    return shards;
}

void AttentionPart::collect(Gradients& gradients, std::vector<CollectiveCall>& calls) const {
    const PerRank shards = summed_copies(calls);
    const auto queries = sized(shape_.heads * own_.head_size);
    const auto keys = sized(shape_.kv_heads * own_.head_size);
    Matrix fused = zeros("heads", static_cast<double>(queries + 2 * keys), shape_.hidden);
    for (int rank = 0; rank < ranks_; ++rank) {
        const Matrix& shard = shards[static_cast<std::size_t>(rank)];
        const std::vector<std::size_t> rows = rows_of_rank(rank);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::span<const double> part = row(shard, i);
            std::copy(part.begin(), part.end(), row(fused, rows[i]).begin());
        }
    }
    gradients["query"] = rows_between(fused, 0, queries);
    gradients["key"] = rows_between(fused, queries, keys);
    gradients["value"] = rows_between(fused, queries + keys, keys);
    PerRank outputs;
    for (const AttentionGradients& of_rank : gradients_) {
        outputs.push_back(of_rank.weights.output);
    }
    gradients["output"] = side_by_side(outputs);
}

double AttentionPart::weight_elements(int rank) const {
    const AttentionWeights& weights = weights_[static_cast<std::size_t>(rank)];
    return static_cast<double>(weights.query_key_value.size() + weights.output.size());
}

}  // namespace shardlab::tensor_parallel
