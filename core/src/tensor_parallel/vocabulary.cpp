#include "vocabulary.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <shardlab/collective/schedule.hpp>
#include <shardlab/matmul.hpp>

#include "shards.hpp"

namespace shardlab::tensor_parallel {
namespace {

/// The rows of the vocabulary that a rank has.
struct TokenRange {
    int first;
    int count;

    bool contains(int token) const { return token >= first && token < first + count; }
    std::size_t row_of(int token) const { return static_cast<std::size_t>(token - first); }
};

TokenRange tokens_of(const BlockShape& shape, int ranks, int rank) {
    const Chunk part = chunk(static_cast<std::uint64_t>(shape.vocabulary), ranks, rank);
    return {.first = static_cast<int>(part.offset), .count = static_cast<int>(part.count)};
}

/// The vectors of the tokens that a rank has, and zeros for the others.
Matrix looked_up(const Matrix& shard, TokenRange range, const std::vector<int>& tokens) {
    Matrix vectors = zeros("sequence", static_cast<double>(tokens.size()), static_cast<double>(shard.shape(1)));
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (range.contains(tokens[i])) {
            const std::span<const double> vector = row(shard, range.row_of(tokens[i]));
            std::copy(vector.begin(), vector.end(), row(vectors, i).begin());
        }
    }
    return vectors;
}

/// Adds the gradient of each vector to that of its row.
Matrix lookup_gradient(const Matrix& vectors, TokenRange range, const std::vector<int>& tokens) {
    Matrix shard = zeros("vocabulary", range.count, static_cast<double>(vectors.shape(1)));
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (range.contains(tokens[i])) {
            const std::span<double> sum = row(shard, range.row_of(tokens[i]));
            const std::span<const double> vector = row(vectors, i);
            std::transform(sum.begin(), sum.end(), vector.begin(), sum.begin(),
                           [](double a, double b) { return a + b; });
        }
    }
    return shard;
}

/// A number a token, made from a rank's logits of it.
template <typename Function>
Matrix per_token(const Matrix& logits, Function function) {
    Matrix numbers = zeros("sequence", static_cast<double>(logits.shape(0)), 1);
    for (std::size_t token = 0; token < logits.shape(0); ++token) {
        numbers(token, 0) = function(token, row(logits, token));
    }
    return numbers;
}

/// The cross-entropy of the ranks' logits, and their gradients for the mean loss.
struct CrossEntropy {
    PerRank losses;
    PerRank logit_gradients;
};

/// Makes a number a token on each rank and reduces them.
template <typename Function>
PerRank reduced(const PerRank& logits, Group& group, const char* tensor, Reduction reduction, Function function) {
    PerRank numbers;
    for (std::size_t rank = 0; rank < logits.size(); ++rank) {
        numbers.push_back(per_token(
            logits[rank], [&](std::size_t token, std::span<const double> row) { return function(rank, token, row); }));
    }
    return group.all_reduce(std::move(numbers), Pass::forward, tensor, reduction);
}

CrossEntropy cross_entropy(const PerRank& logits, const std::vector<TokenRange>& ranges,
                           const std::vector<int>& targets, Group& group) {
    using Row = std::span<const double>;
    // A rank without a token of the vocabulary has no logit: what it gives must not be the largest.
    constexpr double least = -1e300;
    const PerRank largest = reduced(logits, group, "largest logits", Reduction::max, [&](auto, auto, Row row) {
        return row.empty() ? least : *std::max_element(row.begin(), row.end());
    });
    const PerRank target = reduced(logits, group, "target logits", Reduction::sum, [&](auto rank, auto token, Row row) {
        return ranges[rank].contains(targets[token]) ? row[ranges[rank].row_of(targets[token])] : 0;
    });
    const PerRank sums =
        reduced(logits, group, "sums of exponentials", Reduction::sum, [&](auto rank, auto token, Row row) {
            double sum = 0;
            for (const double logit : row) {
                sum += std::exp(logit - largest[rank](token, 0));
            }
            return sum;
        });
    CrossEntropy result;
    const auto tokens = static_cast<double>(targets.size());
    for (std::size_t rank = 0; rank < logits.size(); ++rank) {
        result.losses.push_back(per_token(logits[rank], [&](std::size_t token, Row) {
            return std::log(sums[rank](token, 0)) + largest[rank](token, 0) - target[rank](token, 0);
        }));
        Matrix gradient(logits[rank].shape());
        for (std::size_t token = 0; token < targets.size(); ++token) {
            for (std::size_t i = 0; i < gradient.shape(1); ++i) {
                gradient(token, i) =
                    std::exp(logits[rank](token, i) - largest[rank](token, 0)) / sums[rank](token, 0) / tokens;
            }
            if (ranges[rank].contains(targets[token])) {
                gradient(token, ranges[rank].row_of(targets[token])) -= 1 / tokens;
            }
        }
        result.logit_gradients.push_back(std::move(gradient));
    }
    return result;
}

}  // namespace

VocabularyRun run_vocabulary(const BlockShape& shape, const BlockData& data, const Regions& regions) {
    Group& group = regions.group();
    std::vector<TokenRange> ranges;
    PerRank heads;
    PerRank found;
    VocabularyRun run;
    for (int rank = 0; rank < group.ranks(); ++rank) {
        ranges.push_back(tokens_of(shape, group.ranks(), rank));
        const Matrix embedding = copy_of(row_shard(data.weights.at("embedding"), group.ranks(), rank));
        heads.push_back(copy_of(row_shard(data.weights.at("head"), group.ranks(), rank)));
        found.push_back(looked_up(embedding, ranges.back(), data.tokens));
        run.weight_elements.push_back(static_cast<double>(embedding.size() + heads.back().size()));
    }
    const PerRank hidden = regions.leave(std::move(found), "embedding output");

    PerRank inside = regions.enter(hidden, "head input");
    PerRank logits;
    for (std::size_t rank = 0; rank < heads.size(); ++rank) {
        logits.push_back(matmul(inside[rank], transposed(view(heads[rank]))));
    }
    CrossEntropy loss = cross_entropy(logits, ranges, data.targets, group);
    run.losses = std::move(loss.losses);

    if (regions.gathers_again()) {
        inside = regions.enter_again(hidden, "head input");
    } else {
        run.gathered_elements_kept = static_cast<double>(inside.front().size() - hidden.front().size());
    }
    PerRank partial;
    PerRank head_gradients;
    for (std::size_t rank = 0; rank < heads.size(); ++rank) {
        head_gradients.push_back(matmul(transposed(view(loss.logit_gradients[rank])), inside[rank]));
        partial.push_back(matmul(loss.logit_gradients[rank], heads[rank]));
    }
    run.hidden_gradients = regions.enter_backward(std::move(partial), "head input gradient");

    const PerRank output_gradient = regions.leave_backward(run.hidden_gradients, "embedding output gradient");
    PerRank embedding_gradients;
    for (std::size_t rank = 0; rank < heads.size(); ++rank) {
        embedding_gradients.push_back(lookup_gradient(output_gradient[rank], ranges[rank], data.tokens));
    }
    run.gradients["embedding"] = stacked(embedding_gradients);
    run.gradients["head"] = stacked(head_gradients);
    return run;
}

}  // namespace shardlab::tensor_parallel
