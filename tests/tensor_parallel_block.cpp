#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <shardlab/tensor_parallel.hpp>

#include "catch.hpp"
#include "difference.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

constexpr Block blocks[] = {Block::mlp, Block::attention, Block::transformer, Block::vocabulary};

/// A shape that some number of ranks divides, and that number.
struct Sharded {
    BlockShape shape;
    BlockOptions options;
};

Sharded random_sharded(Random& random) {
    Sharded made;
    const int ranks = random.whole(1, 16);
    // Key and value heads: one for all, as many as there are queries, or a divisor of the ranks or of the heads.
    const int heads_a_rank = random.whole(1, 3);
    made.shape.heads = ranks * heads_a_rank;
    std::vector<int> legal;
    for (int kv_heads = 1; kv_heads <= made.shape.heads; ++kv_heads) {
        if (made.shape.heads % kv_heads == 0 && (kv_heads % ranks == 0 || ranks % kv_heads == 0)) {
            legal.push_back(kv_heads);
        }
    }
    made.shape.kv_heads = legal[static_cast<std::size_t>(random.whole(0, static_cast<int>(legal.size()) - 1))];
    // A LayerNorm of one or two features gives constants, and gradients that are nothing but rounding.
    made.shape.hidden = made.shape.heads * random.whole(made.shape.heads < 3 ? 3 : 1, 4);
    made.shape.head_size = random.whole(0, 1) * random.whole(1, 3);
    made.shape.ffn = ranks * random.whole(1, 4);
    made.shape.vocabulary = random.whole(1, 40);
    made.shape.batch = random.whole(1, 2);
    made.options.ranks = ranks;
    made.options.sequence_parallel = random.whole(0, 1) == 1;
    made.options.keep_gathered = random.whole(0, 1) == 1;
    made.shape.sequence = made.options.sequence_parallel ? ranks * random.whole(1, 2) : random.whole(1, 6);
    made.shape.activation = random.whole(0, 1) == 1 ? Activation::swiglu : Activation::gelu;
    made.shape.norm = random.whole(0, 1) == 1 ? Norm::rms : Norm::layer;
    made.shape.dropout = random.whole(0, 1) * 0.25;
    return made;
}

std::string text_of(const Sharded& made) {
    const BlockShape& shape = made.shape;
    return std::to_string(made.options.ranks) + " ranks, " + std::to_string(shape.heads) + "/" +
           std::to_string(shape.kv_heads) + " heads of " + std::to_string(shape.hidden) + ", sequence " +
           std::to_string(shape.sequence) + (made.options.sequence_parallel ? ", in parts" : "");
}

/// The loss whose gradient with respect to the block's output is the data's; of vocabulary the mean loss.
double loss(Block block, const BlockShape& shape, const BlockData& data) {
    const Matrix output = run_block(block, shape, data, {.ranks = 1, .forget = std::nullopt}).output;
    double sum = 0;
    for (std::size_t i = 0; i < output.size(); ++i) {
        sum += output.data()[i] *
               (block == Block::vocabulary ? 1 / static_cast<double>(output.size()) : data.output_gradient.data()[i]);
    }
    return sum;
}

/// The slope of the loss along one number, by central differences.
double slope(Block block, const BlockShape& shape, BlockData& data, double& number) {
    constexpr double step = 1e-5;
    const double middle = number;
    number = middle + step;
    const double above = loss(block, shape, data);
    number = middle - step;
    const double below = loss(block, shape, data);
    number = middle;
    return (above - below) / (2 * step);
}

/// The largest difference between a gradient and central differences along each number.
double largest_slope_error(Block block, const BlockShape& shape, BlockData& data, Matrix& numbers,
                           const Matrix& gradient) {
    double largest = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double expected = slope(block, shape, data, numbers.data()[i]);
        largest = std::max(largest, std::abs(expected - gradient.data()[i]));
    }
    return largest;
}

double largest_relative(const std::vector<ArrayError>& errors) {
    double largest = 0;
    for (const ArrayError& error : errors) {
        largest = std::max(largest, error.max_rel);
    }
    return largest;
}

BlockRun run_random(Block block, const BlockShape& shape, const BlockOptions& options) {
    return run_block(block, shape, random_block_data(block, shape, 7), options);
}

int count(const std::vector<CollectiveCall>& calls, Kind kind, Pass pass) {
    int found = 0;
    for (const CollectiveCall& call : calls) {
        found += call.kind == kind && call.pass == pass ? 1 : 0;
    }
    return found;
}

BlockOptions forgetting(Mistake mistake) {
    return {.ranks = 2, .forget = mistake};
}

}  // namespace

TEST_CASE("a sharded block gives the output and every gradient of the whole one, over 300 random shapes each",
          "[tensor-parallel][block]") {
    for (const Block block : blocks) {
        Random random(500 + static_cast<std::uint64_t>(block));
        for (int trial = 0; trial < 300; ++trial) {
            const Sharded made = random_sharded(random);
            INFO(name(block) << ": " << text_of(made));
            const BlockData data = random_block_data(block, made.shape, trial);
            const BlockRun run = run_block(block, made.shape, data, made.options);
            REQUIRE(run.output_error.max_rel < 1e-12);
            REQUIRE(largest_relative(run.gradient_errors) < 1e-12);
            REQUIRE(run.gradient_errors.size() == data.weights.size() + 1);
        }
    }
}

TEST_CASE("what a block costs without executing it is what the executed one called and held",
          "[tensor-parallel][block][cost]") {
    for (const Block block : blocks) {
        Random random(520 + static_cast<std::uint64_t>(block));
        for (int trial = 0; trial < 100; ++trial) {
            const Sharded made = random_sharded(random);
            INFO(name(block) << ": " << text_of(made));
            const BlockRun run = run_random(block, made.shape, made.options);
            const BlockCost cost = block_cost(block, made.shape, made.options, {.activation = 8, .reduction = 8});
            REQUIRE(run.collectives == cost.collectives);
            REQUIRE(*std::max_element(run.weight_elements.begin(), run.weight_elements.end()) == cost.weight_elements);
            REQUIRE(run.gathered_elements_kept == Approx(cost.gathered_elements_kept));
        }
    }
}

TEST_CASE("gradients of the blocks are the slopes of the loss", "[tensor-parallel][block]") {
    BlockShape shape{.hidden = 4, .heads = 4, .kv_heads = 2, .ffn = 4, .vocabulary = 6, .batch = 2, .sequence = 4};
    shape.dropout = 0.25;
    for (const Activation activation : {Activation::gelu, Activation::swiglu}) {
        shape.activation = activation;
        shape.norm = activation == Activation::gelu ? Norm::layer : Norm::rms;
        for (const Block block : blocks) {
            BlockData data = random_block_data(block, shape, 3);
            const BlockRun run = run_block(block, shape, data, {.ranks = 4, .forget = std::nullopt});
            for (const auto& [name, gradient] : run.weight_gradients) {
                INFO(shardlab::name(block) << " " << name);
                REQUIRE(largest_slope_error(block, shape, data, data.weights.at(name), gradient) < 1e-8);
            }
            if (block != Block::vocabulary) {
                REQUIRE(largest_slope_error(block, shape, data, data.input, run.input_gradient) < 1e-8);
            }
        }
    }
}

TEST_CASE("a transformer layer has two all-reduces forward and two backward", "[tensor-parallel][block]") {
    const BlockRun run = run_random(Block::transformer, {}, {.ranks = 4, .forget = std::nullopt});
    CHECK(run.collectives.size() == 4);
    CHECK(count(run.collectives, Kind::all_reduce, Pass::forward) == 2);
    CHECK(count(run.collectives, Kind::all_reduce, Pass::backward) == 2);
    for (const Block block : {Block::mlp, Block::attention}) {
        CHECK(count(run_random(block, {}, {}).collectives, Kind::all_reduce, Pass::forward) == 1);
        CHECK(count(run_random(block, {}, {}).collectives, Kind::all_reduce, Pass::backward) == 1);
    }
}

TEST_CASE("sequence parallelism gathers and scatters twice each way, and twice more if nothing was kept",
          "[tensor-parallel][block]") {
    for (const bool keep : {true, false}) {
        const BlockOptions options{
            .ranks = 4, .sequence_parallel = true, .keep_gathered = keep, .forget = std::nullopt};
        const BlockRun run = run_random(Block::transformer, {}, options);
        CHECK(count(run.collectives, Kind::all_gather, Pass::forward) == 2);
        CHECK(count(run.collectives, Kind::reduce_scatter, Pass::forward) == 2);
        CHECK(count(run.collectives, Kind::all_gather, Pass::backward) == (keep ? 2 : 4));
        CHECK(count(run.collectives, Kind::reduce_scatter, Pass::backward) == 2);
        CHECK(run.gathered_elements_kept == (keep ? 2 * 16 * 16 * 0.75 : 0));
        // Forward, an all-gather and a reduce-scatter send what an all-reduce sends.
        const BlockRun plain = run_random(Block::transformer, {}, {.ranks = 4, .forget = std::nullopt});
        CHECK(bytes_sent_per_rank(run.collectives, Pass::forward) ==
              bytes_sent_per_rank(plain.collectives, Pass::forward));
    }
}

TEST_CASE("a layer of Llama-3-70B reduces tensors of 134 217 728 bytes", "[tensor-parallel][cost]") {
    BlockShape shape{.hidden = 8192, .heads = 64, .kv_heads = 8, .ffn = 28672, .batch = 1, .sequence = 8192};
    shape.activation = Activation::swiglu;
    const BlockCost cost = block_cost(Block::transformer, shape, {.ranks = 8, .forget = std::nullopt});
    REQUIRE(cost.collectives.size() == 4);
    for (const CollectiveCall& call : cost.collectives) {
        CHECK(call.kind == Kind::all_reduce);
        CHECK(call.bytes == 134217728);
        CHECK(call.bytes_sent_per_rank == 134217728 * 1.75);
    }
    // 855 654 400 parameters in 8 parts, but for the two norms (a scale and a shift each), which every rank holds.
    CHECK(cost.weight_elements == (855654400.0 - 2 * 8192) / 8 + 4 * 8192);
}

TEST_CASE("a model's tokens make each rank send four all-reduces of a layer, and five of the vocabulary",
          "[tensor-parallel][cost]") {
    const TransformerShape model{.hidden = 8192,
                                 .layers = 80,
                                 .heads = 64,
                                 .kv_heads = 8,
                                 .head_size = 128,
                                 .ffn = 28672,
                                 .vocabulary = 128256,
                                 .sequence = 8192,
                                 .gated_mlp = true};
    const ModelCost cost = model_cost(model, 1, 8192, {.ranks = 8, .forget = std::nullopt});
    CHECK(cost.collectives.size() == 9);
    CHECK(cost.layer_bytes_per_token == 4 * 1.75 * 8192 * 2);
    // A layer's 855 638 016 weights, and the scores of all pairs of tokens, over 8 ranks.
    CHECK(cost.layer_multiplications == 8192.0 * (855638016.0 + 2 * 8192.0 * 8192.0) / 8);
    CHECK(cost.communication_bytes_per_token == 80 * cost.layer_bytes_per_token + 1.75 * (2 * 8192 * 2 + 3 * 4));
    CHECK(model_cost(model, 1, 8192, {.ranks = 1, .forget = std::nullopt}).communication_bytes_per_token == 0);
    CHECK(cost.kv_head_copies == 1);
    CHECK(model_cost(model, 1, 8192, {.ranks = 32, .forget = std::nullopt}).kv_head_copies == 4);
    require_refused("heads", "64", [&] { model_cost(model, 1, 8192, {.ranks = 3, .forget = std::nullopt}); });
}

TEST_CASE("fewer key and value heads than ranks are copied, and the gradients of the copies are summed once a step",
          "[tensor-parallel][block]") {
    BlockShape shape;
    shape.heads = 8;
    shape.kv_heads = 2;
    const BlockRun run = run_random(Block::attention, shape, {.ranks = 8, .forget = std::nullopt});
    REQUIRE(run.collectives.size() == 3);
    CHECK(run.collectives.back().pass == Pass::step);
    CHECK(run.collectives.back().ranks == 4);
    CHECK(block_cost(Block::attention, shape, {.ranks = 8, .forget = std::nullopt}).kv_head_copies == 4);
    CHECK(block_cost(Block::attention, shape, {.ranks = 2, .forget = std::nullopt}).kv_head_copies == 1);
    CHECK(run.collectives.back().bytes == 2 * 2 * 16 * 8);
    // A query head, a key head and a value head of 2 x 16, and the output's 16 x 2.
    CHECK(run.weight_elements == std::vector<double>(8, 4 * 32));
    shape.heads = 6;
    shape.hidden = 18;
    require_refused("kv_heads", "2",
                    [&] { block_cost(Block::attention, shape, {.ranks = 3, .forget = std::nullopt}); });
}

TEST_CASE("forgotten all-reduces leave partial sums where they belong and nowhere else", "[tensor-parallel][mistake]") {
    for (const Block block : {Block::mlp, Block::attention}) {
        const BlockRun forward = run_random(block, {}, forgetting(Mistake::forward_all_reduce));
        CHECK(forward.output_error.max_rel > 0.1);
        CHECK(largest_relative(forward.gradient_errors) < 1e-12);
        CHECK(forward.collectives.size() == 1);
        const BlockRun backward = run_random(block, {}, forgetting(Mistake::backward_all_reduce));
        CHECK(backward.output_error.max_rel < 1e-12);
        CHECK(backward.gradient_errors.front().name == "input");
        CHECK(backward.gradient_errors.front().max_rel > 0.1);
        // The weights of this block get the right gradients: it is the layers below that learn from a part.
        CHECK(largest_relative({backward.gradient_errors.begin() + 1, backward.gradient_errors.end()}) < 1e-12);
    }
}

TEST_CASE("an activation of partial sums is not the activation of the sum", "[tensor-parallel][mistake]") {
    for (const Activation activation : {Activation::gelu, Activation::swiglu}) {
        BlockShape shape;
        shape.activation = activation;
        const BlockRun run = run_random(Block::mlp, shape, forgetting(Mistake::column_first));
        CHECK(run.output_error.max_rel > 0.05);
        CHECK(run.collectives.size() == 2);
    }
}

TEST_CASE("heads that are cut across mix queries with keys", "[tensor-parallel][mistake]") {
    CHECK(run_random(Block::attention, {}, forgetting(Mistake::whole_heads)).output_error.max_rel > 0.1);
    BlockShape shape;
    shape.kv_heads = 1;
    require_refused("forget", "whole-heads",
                    [&] { run_random(Block::attention, shape, forgetting(Mistake::whole_heads)); });
}

TEST_CASE("a block refuses sizes that do not divide, with the rule", "[tensor-parallel][block]") {
    const auto shaped = [](int heads, int kv_heads, int hidden, int ranks) {
        BlockShape shape;
        shape.heads = heads;
        shape.kv_heads = kv_heads;
        shape.hidden = hidden;
        return block_cost(Block::transformer, shape, {.ranks = ranks, .forget = std::nullopt});
    };
    require_refused("heads", "28", [&] { shaped(28, 4, 28 * 128, 8); });
    require_refused("hidden", "30", [&] { shaped(4, 4, 30, 2); });
    require_refused("heads", "4", [&] { shaped(4, 3, 16, 2); });
    require_refused("ffn", "64", [&] { shaped(12, 12, 24, 3); });
    require_refused("ranks", "0", [&] { shaped(4, 4, 16, 0); });
    BlockOptions in_parts{.ranks = 4, .sequence_parallel = true, .forget = std::nullopt};
    require_refused("sequence", "6", [&] { block_cost(Block::mlp, {.sequence = 6}, in_parts); });
    require_refused("forget", "column-first",
                    [] { run_random(Block::attention, {}, forgetting(Mistake::column_first)); });
    require_refused("sequence", "65536", [] { random_block_data(Block::attention, {.sequence = 65536}, 0); });
    require_refused("forget", "forward-all-reduce",
                    [] { run_random(Block::mlp, {}, {.ranks = 1, .forget = Mistake::forward_all_reduce}); });
    require_refused("dropout", "1", [] { weight_shapes(Block::mlp, {.dropout = 1}); });
}

TEST_CASE("a block that would hold more than a gigabyte is refused before anything is made",
          "[tensor-parallel][block]") {
    const auto made = [](Block block, const BlockShape& shape) { return random_block_data(block, shape, 0); };
    require_refused("batch", "16777216", [&] {
        made(Block::attention, {.hidden = 4, .heads = 1, .kv_heads = 1, .batch = 16777216, .sequence = 1});
    });
    require_refused("sequence", "16777216",
                    [&] { made(Block::mlp, {.hidden = 4, .ffn = 4, .batch = 1, .sequence = 16777216}); });
    require_refused("vocabulary", "8000000", [&] { made(Block::vocabulary, {.vocabulary = 8000000, .batch = 1}); });
    require_refused("hidden", "16384",
                    [&] { made(Block::mlp, {.hidden = 16384, .ffn = 16384, .batch = 1, .sequence = 1}); });
}

TEST_CASE("a model with RMSNorm sums a scale a norm once a step, and that of the last norm once",
          "[tensor-parallel][cost]") {
    TransformerShape model{.hidden = 8192, .layers = 80, .heads = 64, .kv_heads = 8, .head_size = 128, .ffn = 28672};
    model.vocabulary = 128256;
    model.gated_mlp = true;
    const auto of_step = [&] {
        std::vector<std::pair<double, int>> found;
        const ModelCost cost =
            model_cost(model, 1, 8192, {.ranks = 8, .sequence_parallel = true, .forget = std::nullopt});
        for (const auto& [call, count] : cost.collectives) {
            if (call.pass == Pass::step) {
                found.emplace_back(call.bytes, count);
            }
        }
        return found;
    };
    CHECK(of_step() == std::vector<std::pair<double, int>>{{65536, 80}, {32768, 1}});
    model.norm_bias = true;
    CHECK(of_step() == std::vector<std::pair<double, int>>{{131072, 80}, {65536, 1}});
}

TEST_CASE("a block refuses data of another shape or beyond all reason", "[tensor-parallel][block]") {
    const BlockShape shape;
    const auto run_with = [&](auto change) {
        BlockData data = random_block_data(Block::mlp, shape, 1);
        change(data);
        return run_block(Block::mlp, shape, data, {});
    };
    require_refused("input", "2 x 16", [&] { run_with([](BlockData& data) { data.input = zeros("input", 2, 16); }); });
    require_refused("up", "missing", [&] { run_with([](BlockData& data) { data.weights.erase("up"); }); });
    require_refused("down", "1e+31", [&] { run_with([](BlockData& data) { data.weights["down"](0, 0) = 1e31; }); });
    require_refused("output_gradient", "nan",
                    [&] { run_with([](BlockData& data) { data.output_gradient(0, 0) = std::nan(""); }); });
    BlockData words = random_block_data(Block::vocabulary, shape, 1);
    words.targets.front() = 64;
    require_refused("targets", "64", [&] { run_block(Block::vocabulary, shape, words, {}); });
    words.targets.clear();
    require_refused("targets", "0 tokens", [&] { run_block(Block::vocabulary, shape, words, {}); });
}

TEST_CASE("the cross-entropy of equal logits is the logarithm of the vocabulary", "[tensor-parallel][block]") {
    const BlockShape shape;
    BlockData data = random_block_data(Block::vocabulary, shape, 1);
    data.weights["head"] = zeros("head", shape.vocabulary, shape.hidden);
    for (const int ranks : {1, 5, 16}) {
        const BlockRun run = run_block(Block::vocabulary, shape, data, {.ranks = ranks, .forget = std::nullopt});
        for (const double loss_of_token : run.output) {
            REQUIRE(loss_of_token == Approx(std::log(64.0)).epsilon(1e-14));
        }
    }
}

TEST_CASE("a model has no cost beyond the positions that it has learned", "[tensor-parallel][cost]") {
    const TransformerShape model = model_preset("gpt2").shape;
    const auto cost_of = [&](int sequence) { model_cost(model, 1, sequence, {.ranks = 4, .forget = std::nullopt}); };
    cost_of(1024);
    require_refused("sequence", "1025", [&] { cost_of(1025); });
}

TEST_CASE("a model whose layers are no such blocks has no cost", "[tensor-parallel][cost]") {
    const auto cost_of = [](const char* preset) {
        model_cost(model_preset(preset).shape, 1, 2048, {.ranks = 8, .forget = std::nullopt});
    };
    cost_of("llama3-8b");
    require_refused("experts.count", "8", [&] { cost_of("mixtral-8x7b"); });
    require_refused("parallel_block", "true", [&] { cost_of("gpt-neox-20b"); });
    TransformerShape latent = model_preset("llama3-8b").shape;
    latent.latent = {.kv_rank = 8, .plain_head_size = 4, .value_head_size = 4};
    require_refused("latent.kv_rank", "8", [&] { model_cost(latent, 1, 2048, {.ranks = 8, .forget = std::nullopt}); });
}
