#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include <shardlab/errors.hpp>
#include <shardlab/tensor_parallel/block.hpp>

#include "check.hpp"
#include "run.hpp"

namespace shardlab {
namespace {

using tensor_parallel::Outcome;
using tensor_parallel::PerRank;
using tensor_parallel::run_on_ranks;

/// What the ranks hold, as copies of the whole: each rank's, or the parts of the sequence together.
PerRank wholes(PerRank held, std::size_t rows) {
    if (held.front().shape(0) == rows) {
        return held;
    }
    return {tensor_parallel::stacked(held)};
}

ArrayError error_of(std::string name, const PerRank& copies, const Matrix& whole) {
    ArrayError error{.name = std::move(name)};
    for (const Matrix& copy : copies) {
        error.max_abs = std::max(error.max_abs, max_abs_difference(elements(copy), elements(whole)));
        error.max_rel = std::max(error.max_rel, relative_error(elements(copy), elements(whole)));
    }
    return error;
}

/// Whole numbers below `bound`, the same on every platform.
std::vector<int> random_tokens(std::mt19937_64& generator, int count, int bound) {
    std::vector<int> tokens(static_cast<std::size_t>(count));
    for (int& token : tokens) {
        token = static_cast<int>(generator() % static_cast<std::uint64_t>(bound));
    }
    return tokens;
}

/// A weight whose product with numbers around 1 is around 1; of a norm, a scale around 1 and a shift around 0.
Matrix random_weight(const std::string& name, std::pair<int, int> size, double seed) {
    Matrix weight = random_matrix(size.first, size.second, seed);
    const double scale = 1 / std::sqrt(static_cast<double>(size.second));
    const bool is_norm = name.ends_with("_norm");
    for (double& element : weight) {
        element *= is_norm ? 0.5 : scale;
    }
    if (is_norm) {
        for (double& element : row(weight, 0)) {
            element += 1;
        }
    }
    return weight;
}

}  // namespace

std::map<std::string, std::pair<int, int>> weight_shapes(Block block, const BlockShape& shape) {
    tensor_parallel::require_shape(block, shape);
    std::map<std::string, std::pair<int, int>> shapes;
    if (block == Block::vocabulary) {
        shapes["embedding"] = shapes["head"] = {shape.vocabulary, shape.hidden};
        return shapes;
    }
    if (block != Block::attention) {
        shapes["up"] = {shape.ffn, shape.hidden};
        shapes["down"] = {shape.hidden, shape.ffn};
        if (shape.activation == Activation::swiglu) {
            shapes["gate"] = {shape.ffn, shape.hidden};
        }
    }
    if (block != Block::mlp) {
        const int size = tensor_parallel::head_size_of(shape);
        shapes["query"] = {shape.heads * size, shape.hidden};
        shapes["key"] = shapes["value"] = {shape.kv_heads * size, shape.hidden};
        shapes["output"] = {shape.hidden, shape.heads * size};
    }
    if (block == Block::transformer) {
        shapes["attention_norm"] = shapes["mlp_norm"] = {tensor_parallel::norm_vectors(shape), shape.hidden};
    }
    return shapes;
}

BlockData random_block_data(Block block, const BlockShape& shape, double seed) {
    tensor_parallel::require_shape(block, shape);
    tensor_parallel::require_feasible(block, shape, {.ranks = 1, .forget = std::nullopt});
    constexpr double most_arrays = 16;
    require_count("seed", seed, 0, std::floor(largest_count / most_arrays) - 1);
    double next = seed * most_arrays;
    BlockData data;
    data.dropout_seed = seed;
    const int tokens = shape.batch * shape.sequence;
    if (block == Block::vocabulary) {
        std::mt19937_64 generator(static_cast<std::uint64_t>(next++));
        data.tokens = random_tokens(generator, tokens, shape.vocabulary);
        data.targets = random_tokens(generator, tokens, shape.vocabulary);
    } else {
        data.input = random_matrix(tokens, shape.hidden, next++);
        data.output_gradient = random_matrix(tokens, shape.hidden, next++);
    }
    for (const auto& [name, size] : weight_shapes(block, shape)) {
        data.weights[name] = random_weight(name, size, next++);
    }
    return data;
}

BlockRun run_block(Block block, const BlockShape& shape, const BlockData& data, const BlockOptions& options) {
    tensor_parallel::require_shape(block, shape);
    tensor_parallel::require_divisible(block, shape, options);
    tensor_parallel::require_feasible(block, shape, options);
    tensor_parallel::require_data(block, shape, data);

    const Outcome whole = run_on_ranks(block, shape, data, {.ranks = 1, .forget = std::nullopt});
    Outcome sharded = run_on_ranks(block, shape, data, options);
    const PerRank outputs = wholes(std::move(sharded.output), whole.output.front().shape(0));
    const PerRank inputs = wholes(std::move(sharded.input_gradient), whole.input_gradient.front().shape(0));

    BlockRun run;
    run.output_error = error_of("output", outputs, whole.output.front());
    run.gradient_errors.push_back(error_of("input", inputs, whole.input_gradient.front()));
    for (const auto& [name, gradient] : sharded.gradients) {
        run.gradient_errors.push_back(error_of(name, {gradient}, whole.gradients.at(name)));
    }
    run.output = outputs.front();
    run.input_gradient = inputs.front();
    run.weight_gradients = std::move(sharded.gradients);
    run.collectives = std::move(sharded.calls);
    run.weight_elements = std::move(sharded.weight_elements);
    run.gathered_elements_kept = sharded.gathered_elements_kept;
    return run;
}

}  // namespace shardlab
