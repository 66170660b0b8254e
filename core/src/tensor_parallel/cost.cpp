#include <cmath>
#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/tensor_parallel/cost.hpp>

#include "attention_part.hpp"
#include "check.hpp"
#include "group.hpp"

namespace shardlab {
namespace {

using tensor_parallel::head_share;
using tensor_parallel::HeadShare;
using tensor_parallel::ring_call;

/// Adds up what a block costs a rank.
class Costs {
public:
    Costs(const BlockShape& shape, const BlockOptions& options, const ElementBytes& bytes)
        : shape_(shape), options_(options), bytes_(bytes) {}

    double tokens() const { return static_cast<double>(shape_.batch) * shape_.sequence; }
    double ranks() const { return options_.ranks; }

    /// f and g of the forward.
    void forward(const std::string& sublayer) {
        enter(sublayer + " input");
        leave(sublayer + " output");
    }

    /// g and f of the backward.
    void backward(const std::string& sublayer) {
        leave_backward(sublayer + " output gradient");
        enter_again(sublayer + " input");
        enter_backward(sublayer + " input gradient");
    }

    void enter(const std::string& tensor) {
        if (options_.sequence_parallel) {
            activation(Kind::all_gather, Pass::forward, tensor);
            cost.gathered_elements_kept +=
                options_.keep_gathered ? tokens() * shape_.hidden * (ranks() - 1) / ranks() : 0;
        }
    }

    void leave(const std::string& tensor) { activation(sum(), Pass::forward, tensor); }

    void leave_backward(const std::string& tensor) {
        if (options_.sequence_parallel) {
            activation(Kind::all_gather, Pass::backward, tensor);
        }
    }

    void enter_again(const std::string& tensor) {
        if (options_.sequence_parallel && !options_.keep_gathered) {
            activation(Kind::all_gather, Pass::backward, tensor);
        }
    }

    void enter_backward(const std::string& tensor) { activation(sum(), Pass::backward, tensor); }

    /// An all-reduce of numbers that must not lose digits.
    void reduction(Pass pass, const std::string& tensor, int ranks, double elements) {
        if (ranks > 1) {
            cost.collectives.push_back(ring_call(Kind::all_reduce, pass, tensor, ranks, elements, bytes_.reduction));
        }
    }

    BlockCost cost;

private:
    Kind sum() const { return options_.sequence_parallel ? Kind::reduce_scatter : Kind::all_reduce; }

    void activation(Kind kind, Pass pass, const std::string& tensor) {
        if (options_.ranks > 1) {
            cost.collectives.push_back(
                ring_call(kind, pass, tensor, options_.ranks, tokens() * shape_.hidden, bytes_.activation));
        }
    }

    const BlockShape& shape_;
    const BlockOptions& options_;
    const ElementBytes& bytes_;
};

void add_mlp(Costs& costs, const BlockShape& shape) {
    const double matrices = shape.activation == Activation::swiglu ? 3 : 2;
    const double elements = matrices * shape.hidden * shape.ffn / costs.ranks();
    costs.cost.weight_elements += elements;
    costs.cost.multiplications += costs.tokens() * elements;
}

void add_attention(Costs& costs, const BlockShape& shape, const HeadShare& share) {
    const double head_size = tensor_parallel::head_size_of(shape);
    const double elements = 2.0 * (share.heads + share.kv_heads) * head_size * shape.hidden;
    costs.cost.weight_elements += elements;
    costs.cost.multiplications += costs.tokens() * (elements + 2.0 * shape.sequence * share.heads * head_size);
}

/// The gradients of key and value heads that several ranks hold.
void add_copies(Costs& costs, const BlockShape& shape, const HeadShare& share) {
    const double head_size = tensor_parallel::head_size_of(shape);
    costs.reduction(Pass::step, "key and value gradients", share.copies,
                    2.0 * share.kv_heads * head_size * shape.hidden);
}

void add_vocabulary(Costs& costs, const BlockShape& shape) {
    costs.leave("embedding output");
    costs.enter("head input");
    for (const char* tensor : {"largest logits", "target logits", "sums of exponentials"}) {
        costs.reduction(Pass::forward, tensor, static_cast<int>(costs.ranks()), costs.tokens());
    }
    costs.enter_again("head input");
    costs.enter_backward("head input gradient");
    costs.leave_backward("embedding output gradient");
    const double elements = std::ceil(shape.vocabulary / costs.ranks()) * shape.hidden;
    costs.cost.weight_elements = 2 * elements;
    costs.cost.multiplications = costs.tokens() * elements;
}

void add_transformer(Costs& costs, const BlockShape& shape, const BlockOptions& options) {
    const HeadShare share = head_share(shape, options.ranks);
    costs.cost.kv_head_copies = share.copies;
    costs.forward("attention");
    costs.forward("mlp");
    costs.backward("mlp");
    costs.backward("attention");
    add_copies(costs, shape, share);
    const double norms = 2.0 * tensor_parallel::norm_vectors(shape) * shape.hidden;
    if (options.sequence_parallel) {
        costs.reduction(Pass::step, "norm gradients", options.ranks, norms);
    }
    add_attention(costs, shape, share);
    add_mlp(costs, shape);
    costs.cost.weight_elements += norms;
}

}  // namespace

BlockCost block_cost(Block block, const BlockShape& shape, const BlockOptions& options, const ElementBytes& bytes) {
    tensor_parallel::require_shape(block, shape);
    tensor_parallel::require_divisible(block, shape, options);
    constexpr double most_bytes = 16;
    require_count("activation", bytes.activation, 1, most_bytes);
    require_count("reduction", bytes.reduction, 1, most_bytes);

    Costs costs(shape, options, bytes);
    switch (block) {
        case Block::mlp:
            costs.forward("mlp");
            costs.backward("mlp");
            add_mlp(costs, shape);
            break;
        case Block::attention:
            costs.forward("attention");
            costs.backward("attention");
            costs.cost.kv_head_copies = head_share(shape, options.ranks).copies;
            add_copies(costs, shape, head_share(shape, options.ranks));
            add_attention(costs, shape, head_share(shape, options.ranks));
            break;
        case Block::transformer:
            add_transformer(costs, shape, options);
            break;
        case Block::vocabulary:
            add_vocabulary(costs, shape);
            break;
    }
    return std::move(costs.cost);
}

namespace {

void require_plain_layers(const TransformerShape& model) {
    constexpr const char* rule = "be 0: the layers of a dense model are sharded";
    if (model.experts.count != 0) {
        throw invalid_argument("experts.count", std::to_string(model.experts.count), rule);
    }
    if (model.latent.kv_rank != 0) {
        throw invalid_argument("latent.kv_rank", std::to_string(model.latent.kv_rank), rule);
    }
    if (model.parallel_block) {
        throw invalid_argument("parallel_block", "true", "be false: attention and MLP are sharded one after the other");
    }
}

}  // namespace

ModelCost model_cost(const TransformerShape& model, int micro_batch, int sequence, const BlockOptions& options,
                     const ElementBytes& bytes) {
    require_plain_layers(model);
    require_sequence(model, sequence);
    const BlockShape shape{.hidden = model.hidden,
                           .heads = model.heads,
                           .kv_heads = model.kv_heads,
                           .head_size = model.head_size,
                           .ffn = model.ffn,
                           .vocabulary = model.vocabulary,
                           .batch = micro_batch,
                           .sequence = sequence,
                           .activation = model.gated_mlp ? Activation::swiglu : Activation::gelu,
                           .norm = model.norm_bias ? Norm::layer : Norm::rms};
    require_int("layers", model.layers, 1, 1 << 16);
    ModelCost cost;
    const double tokens = static_cast<double>(micro_batch) * sequence;
    const auto add = [&](Block block, int count) {
        const BlockCost block_of_rank = block_cost(block, shape, options, bytes);
        const std::vector<CollectiveCall>& calls = block_of_rank.collectives;
        for (const CollectiveCall& call : calls) {
            cost.collectives.push_back({.call = call, .count = count});
        }
        const double sent = bytes_sent_per_rank(calls, Pass::forward) + bytes_sent_per_rank(calls, Pass::backward);
        cost.communication_bytes_per_token += count * sent / tokens;
        if (block == Block::transformer) {
            cost.layer_bytes_per_token = sent / tokens;
            cost.layer_multiplications = block_of_rank.multiplications;
            cost.kv_head_copies = block_of_rank.kv_head_copies;
        }
    };
    add(Block::transformer, model.layers);
    add(Block::vocabulary, 1);
    if (options.sequence_parallel && options.ranks > 1) {
        const double elements = static_cast<double>(tensor_parallel::norm_vectors(shape)) * shape.hidden;
        cost.collectives.push_back({.call = ring_call(Kind::all_reduce, Pass::step, "final norm gradients",
                                                      options.ranks, elements, bytes.reduction),
                                    .count = 1});
    }
    return cost;
}

double bytes_sent_per_rank(const std::vector<CollectiveCall>& calls, Pass pass) {
    double bytes = 0;
    for (const CollectiveCall& call : calls) {
        bytes += call.pass == pass ? call.bytes_sent_per_rank : 0;
    }
    return bytes;
}

}  // namespace shardlab
