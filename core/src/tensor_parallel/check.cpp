#include "check.hpp"

#include <algorithm>
#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/tensor_parallel/cost.hpp>

#include "../refuse.hpp"

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
    if (options.ranks == 1) {
        throw invalid_argument("forget", name(*options.forget), "stand with more than one rank");
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

const char* longer_side(const BlockShape& shape) {
    return shape.batch > shape.sequence ? "batch" : "sequence";
}

double longer(const BlockShape& shape) {
    return std::max(shape.batch, shape.sequence);
}

/// Elements of weights and their gradients, whole and in shards.
double held_weights(Block block, const BlockShape& shape, double in_shards) {
    constexpr double copies = 3;  // as they are given, on the ranks, and their gradients put together
    return copies * (block_cost(block, shape, {.ranks = 1, .forget = std::nullopt}).weight_elements + in_shards);
}

/// Elements of all activations and their gradients, of the ranks and of the whole block: an upper bound.
double held_activations(Block block, const BlockShape& shape, const BlockOptions& options) {
    const double tokens = static_cast<double>(shape.batch) * shape.sequence;
    const double head_size = has_attention(block) ? head_size_of(shape) : 0;
    const double query_key_value = head_size * (2.0 * shape.heads + 2.0 * std::max(shape.kv_heads, options.ranks));
    const double features = (has_attention(block) ? query_key_value : 0) + (has_mlp(block) ? 4.0 * shape.ffn : 0) +
                            (block == Block::vocabulary ? 2.0 * shape.vocabulary : 0);
    const double scores = has_attention(block) ? 2.0 * shape.sequence * shape.heads : 0;
    const double outside = 8.0 * options.ranks * shape.hidden;
    return 2 * tokens * (features + scores + outside);
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

int norm_vectors(const BlockShape& shape) {
    return shape.norm == Norm::layer ? 2 : 1;
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
    constexpr double most_elements = 134217728.0;          // 2^27: a gigabyte
    const BlockCost cost = block_cost(block, shape, options);
    const double multiplications = cost.multiplications * options.ranks;
    if (multiplications > most_multiplications) {
        refuse(longer_side(shape), "#", "leave the block at most # multiplications; with these sizes there are #",
               {longer(shape), most_multiplications, multiplications});
    }
    const double weights = held_weights(block, shape, cost.weight_elements * options.ranks);
    const double activations = held_activations(block, shape, options);
    if (weights + activations > most_elements) {
        const char* wide = block == Block::vocabulary ? "vocabulary" : "hidden";
        const double width = block == Block::vocabulary ? shape.vocabulary : shape.hidden;
        refuse(weights > activations ? wide : longer_side(shape), "#",
               "leave all that the ranks hold at most # elements; with these sizes there are about #",
               {weights > activations ? width : longer(shape), most_elements, weights + activations});
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
