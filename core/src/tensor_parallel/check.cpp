#include "check.hpp"

#include <algorithm>
#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/tensor_parallel/cost.hpp>

namespace shardlab::tensor_parallel {
namespace {

bool has_attention(Block block) {
    return block == Block::attention || block == Block::transformer;
}

bool has_mlp(Block block) {
    return block == Block::mlp || block == Block::transformer;
}

void require_divides(const char* parameter, int value, int divisor, const std::string& what) {
    if (value % divisor != 0) {
        throw invalid_argument(parameter, std::to_string(value),
                               "be a multiple of " + what + ", which is " + std::to_string(divisor));
    }
}

void require_heads(const BlockShape& shape) {
    constexpr int most = 4096;
    require_int("heads", shape.heads, 1, most);
    require_int("kv_heads", shape.kv_heads, 1, most);
    constexpr int largest_head = 1 << 16;
    require_int("head_size", shape.head_size, 0, largest_head);
    if (shape.head_size == 0) {
        require_divides("hidden", shape.hidden, shape.heads, "heads");
    }
    require_divides("heads", shape.heads, shape.kv_heads, "kv_heads");
}

void require_kv_heads(const BlockShape& shape, const BlockOptions& options) {
    const int ranks = options.ranks;
    if (shape.kv_heads % ranks != 0 && ranks % shape.kv_heads != 0) {
        throw invalid_argument("kv_heads", std::to_string(shape.kv_heads),
                               "divide by the ranks or divide them; there are " + std::to_string(ranks));
    }
    if (options.forget == Mistake::whole_heads && shape.kv_heads % ranks != 0) {
        throw invalid_argument("forget", name(Mistake::whole_heads),
                               "stand with kv_heads that divide by the ranks: " + std::to_string(shape.kv_heads) +
                                   " do not divide by " + std::to_string(ranks));
    }
}

void require_forgettable(Block block, const BlockOptions& options) {
    if (!options.forget) {
        return;
    }
    const bool fits = (*options.forget != Mistake::column_first || has_mlp(block)) &&
                      (*options.forget != Mistake::whole_heads || has_attention(block));
    if (!fits) {
        throw invalid_argument("forget", name(*options.forget),
                               std::string("be a mistake of the block ") + name(block));
    }
}

void require_matrix(const std::string& parameter, const Matrix& matrix, double rows, double columns) {
    if (static_cast<double>(matrix.shape(0)) != rows || static_cast<double>(matrix.shape(1)) != columns) {
        throw invalid_argument(parameter, std::to_string(matrix.shape(0)) + " x " + std::to_string(matrix.shape(1)),
                               "have the shape " + number_text(rows) + " x " + number_text(columns));
    }
    // No product of a block's numbers overflows below it.
    constexpr double largest = 1e30;
    for (const double element : matrix) {
        require_between(parameter, element, -largest, largest);
    }
}

void require_tokens(const char* parameter, const std::vector<int>& tokens, const BlockShape& shape) {
    const int count = shape.batch * shape.sequence;
    if (tokens.size() != static_cast<std::size_t>(count)) {
        throw invalid_argument(parameter, std::to_string(tokens.size()) + " tokens",
                               "have batch times sequence tokens, which is " + std::to_string(count));
    }
    for (const int token : tokens) {
        require_int(parameter, token, 0, shape.vocabulary - 1);
    }
}

}  // namespace

int head_size_of(const BlockShape& shape) {
    return shape.head_size == 0 ? shape.hidden / shape.heads : shape.head_size;
}

void require_shape(Block block, const BlockShape& shape) {
    constexpr int most = 1 << 24;
    require_int("hidden", shape.hidden, 1, most);
    require_int("batch", shape.batch, 1, most);
    require_int("sequence", shape.sequence, 1, most);
    require_count("batch", static_cast<double>(shape.batch) * shape.sequence, 1, 2147483647.0);
    if (has_attention(block)) {
        require_heads(shape);
    }
    if (has_mlp(block)) {
        require_int("ffn", shape.ffn, 1, most);
    }
    if (block == Block::vocabulary) {
        require_int("vocabulary", shape.vocabulary, 1, most);
    }
    constexpr double most_dropped = 0.999;
    require_between("dropout", shape.dropout, 0, most_dropped);
}

void require_divisible(Block block, const BlockShape& shape, const BlockOptions& options) {
    require_int("ranks", options.ranks, 1, most_tensor_ranks);
    require_forgettable(block, options);
    if (has_attention(block)) {
        require_divides("heads", shape.heads, options.ranks, "ranks");
        require_kv_heads(shape, options);
    }
    if (has_mlp(block)) {
        require_divides("ffn", shape.ffn, options.ranks, "ranks");
    }
    if (options.sequence_parallel) {
        require_divides("sequence", shape.sequence, options.ranks, "ranks with sequence parallelism");
    }
}

void require_feasible(Block block, const BlockShape& shape, const BlockOptions& options) {
    constexpr double most_multiplications = 4294967296.0;  // 2^32: some seconds on one core
    const double multiplications = block_cost(block, shape, options).multiplications * options.ranks;
    if (multiplications > most_multiplications) {
        throw invalid_argument("sequence", std::to_string(shape.sequence),
                               "leave the block at most " + number_text(most_multiplications) +
                                   " multiplications; with these sizes there are " + number_text(multiplications));
    }
    const double tokens = static_cast<double>(shape.batch) * shape.sequence;
    const double scores = has_attention(block) ? tokens * shape.sequence * shape.heads : 0;
    const double held = static_cast<double>(shape.hidden) * options.ranks;
    const double features = std::max({held, has_mlp(block) ? static_cast<double>(shape.ffn) : 0.0,
                                      block == Block::vocabulary ? static_cast<double>(shape.vocabulary) : 0.0});
    const double elements = std::max(tokens * features, scores);
    if (elements > largest_array) {
        throw invalid_argument("sequence", std::to_string(shape.sequence),
                               "leave every activation of all ranks at most " + number_text(largest_array) +
                                   " elements; with these sizes one has " + number_text(elements));
    }
}

void require_data(Block block, const BlockShape& shape, const BlockData& data) {
    const double tokens = static_cast<double>(shape.batch) * shape.sequence;
    if (block == Block::vocabulary) {
        require_tokens("tokens", data.tokens, shape);
        require_tokens("targets", data.targets, shape);
    } else {
        require_matrix("input", data.input, tokens, shape.hidden);
        require_matrix("output_gradient", data.output_gradient, tokens, shape.hidden);
    }
    for (const auto& [name, size] : weight_shapes(block, shape)) {
        const auto weight = data.weights.find(name);
        if (weight == data.weights.end()) {
            throw invalid_argument(name, "missing", "be one of the weights");
        }
        require_matrix(name, weight->second, size.first, size.second);
    }
    require_count("dropout_seed", data.dropout_seed, 0, largest_count - 1);
}

}  // namespace shardlab::tensor_parallel
