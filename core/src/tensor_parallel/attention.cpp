#include "attention.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <shardlab/matmul.hpp>

namespace shardlab::tensor_parallel {
namespace {

/// The features of one head in the tokens of one sequence: a view of (sequence, head_size).
MatrixView<double> head_of(const Matrix& tokens, const AttentionShape& shape, int sequence, int first_feature) {
    MatrixView<double> part =
        columns_of(view(tokens), static_cast<std::size_t>(first_feature), static_cast<std::size_t>(shape.head_size));
    const auto batch = static_cast<std::size_t>(shape.batch);
    part.data += static_cast<std::size_t>(sequence) * part.row_stride;
    part.rows /= batch;
    part.row_stride *= batch;
    return part;
}

/// Adds to the features of one head in the tokens of one sequence.
void add_to_head(Matrix& tokens, const AttentionShape& shape, int sequence, int first_feature, const Matrix& part) {
    for (std::size_t s = 0; s < part.shape(0); ++s) {
        const std::size_t token = s * static_cast<std::size_t>(shape.batch) + static_cast<std::size_t>(sequence);
        for (std::size_t feature = 0; feature < part.shape(1); ++feature) {
            tokens(token, static_cast<std::size_t>(first_feature) + feature) += part(s, feature);
        }
    }
}

/// Where the features of a query head's query, key and value stand.
struct HeadFeatures {
    int query;
    int key;
    int value;
};

HeadFeatures features_of(const AttentionShape& shape, int head) {
    const int kv_head = head / (shape.heads / shape.kv_heads);
    return {.query = head * shape.head_size,
            .key = (shape.heads + kv_head) * shape.head_size,
            .value = (shape.heads + shape.kv_heads + kv_head) * shape.head_size};
}

double scale_of(const AttentionShape& shape) {
    return 1 / std::sqrt(static_cast<double>(shape.head_size));
}

/// Turns scores into the part that each earlier token, and the token itself, has in it.
void causal_softmax(Matrix& scores, double scale) {
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const std::span<double> seen = row(scores, i).first(i + 1);
        const double largest = *std::max_element(seen.begin(), seen.end());
        double sum = 0;
        for (double& score : seen) {
            score = std::exp((score - largest) * scale);
            sum += score;
        }
        for (double& score : seen) {
            score /= sum;
        }
        const std::span<double> hidden = row(scores, i).subspan(i + 1);
        std::fill(hidden.begin(), hidden.end(), 0.0);
    }
}

/// From the gradient of the probabilities to that of the scores before the scale.
void softmax_backward(const Matrix& probabilities, double scale, Matrix& gradient) {
    for (std::size_t i = 0; i < gradient.shape(0); ++i) {
        const std::span<const double> part = row(probabilities, i);
        const std::span<double> slope = row(gradient, i);
        double mean = 0;
        for (std::size_t j = 0; j < slope.size(); ++j) {
            mean += part[j] * slope[j];
        }
        for (std::size_t j = 0; j < slope.size(); ++j) {
            slope[j] = part[j] * (slope[j] - mean) * scale;
        }
    }
}

/// Calls work(sequence, head, index) for every head of every sequence.
template <typename Work>
void for_each_head(const AttentionShape& shape, Work work) {
    std::size_t index = 0;
    for (int sequence = 0; sequence < shape.batch; ++sequence) {
        for (int head = 0; head < shape.heads; ++head) {
            work(sequence, head, index++);
        }
    }
}

}  // namespace

Matrix attention_forward(const AttentionShape& shape, const AttentionWeights& weights, const Matrix& x,
                         AttentionTrace& trace) {
    trace.query_key_value = matmul(x, transposed(view(weights.query_key_value)));
    trace.mixed = zeros("heads", static_cast<double>(x.shape(0)), shape.heads * shape.head_size);
    trace.probabilities.clear();
    for_each_head(shape, [&](int sequence, int head, std::size_t) {
        const HeadFeatures features = features_of(shape, head);
        const auto part = [&](int first) { return head_of(trace.query_key_value, shape, sequence, first); };
        Matrix scores = matmul(part(features.query), transposed(part(features.key)));
        causal_softmax(scores, scale_of(shape));
        add_to_head(trace.mixed, shape, sequence, head * shape.head_size, matmul(scores, part(features.value)));
        trace.probabilities.push_back(std::move(scores));
    });
    return matmul(trace.mixed, transposed(view(weights.output)));
}

AttentionGradients attention_backward(const AttentionShape& shape, const AttentionWeights& weights, const Matrix& x,
                                      const AttentionTrace& trace, const Matrix& output_gradient) {
    const Matrix mixed = matmul(output_gradient, weights.output);
    Matrix query_key_value = zeros("heads", static_cast<double>(trace.query_key_value.shape(0)),
                                   static_cast<double>(trace.query_key_value.shape(1)));
    for_each_head(shape, [&](int sequence, int head, std::size_t index) {
        const HeadFeatures features = features_of(shape, head);
        const Matrix& probabilities = trace.probabilities[index];
        const auto part = [&](int first) { return head_of(trace.query_key_value, shape, sequence, first); };
        const auto add = [&](int first, const Matrix& gradient) {
            add_to_head(query_key_value, shape, sequence, first, gradient);
        };
        const MatrixView<double> gradient = head_of(mixed, shape, sequence, head * shape.head_size);
        Matrix scores = matmul(gradient, transposed(part(features.value)));
        softmax_backward(probabilities, scale_of(shape), scores);
        add(features.query, matmul(scores, part(features.key)));
        add(features.key, matmul(transposed(view(scores)), part(features.query)));
        add(features.value, matmul(transposed(view(probabilities)), gradient));
    });
    return {.input = matmul(query_key_value, weights.query_key_value),
            .weights = {.query_key_value = matmul(transposed(view(query_key_value)), x),
                        .output = matmul(transposed(view(output_gradient)), trace.mixed)}};
}

}  // namespace shardlab::tensor_parallel
