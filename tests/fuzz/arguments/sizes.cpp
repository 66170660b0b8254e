// Closed forms: activations, bubble, costs, links, parameter counts, ZeRO.

#include <algorithm>
#include <cmath>

#include <shardlab/activations.hpp>
#include <shardlab/bubble.hpp>
#include <shardlab/collective.hpp>
#include <shardlab/collective_cost.hpp>
#include <shardlab/hardware.hpp>
#include <shardlab/transformer.hpp>
#include <shardlab/zero.hpp>

#include "functions.hpp"

namespace fuzz {
namespace {

shardlab::Link link_of(Arguments& arguments) {
    return {.latency_seconds = arguments.number(), .bytes_per_second = arguments.number()};
}

void require_cost(const std::optional<shardlab::AllReduceCost>& cost, double bytes) {
    if (!cost) {
        return;
    }
    require_finite({cost->bytes_sent_per_rank, cost->bus_factor, cost->seconds.value_or(0)});
    require(cost->steps >= 0 && cost->steps % 2 == 0, "an all-reduce has as many steps there as back");
    require(cost->bus_factor >= 0 && cost->bus_factor <= 2, "the bus factor is 0 to 2");
    require(cost->bytes_sent_per_rank >= 0, "bytes are no less than none");
    require((cost->steps == 0 || bytes == 0) == (cost->bytes_sent_per_rank == 0), "one rank alone sends nothing");
    require(cost->seconds.value_or(0) >= 0, "time is no less than none");
}

void require_fraction(std::optional<double> fraction) {
    require(!fraction || (*fraction >= 0 && *fraction < 1), "a bubble is 0 to less than 1");
}

void zero_states(Arguments& arguments) {
    const double params = arguments.number();
    const int ranks = arguments.whole();
    const int stage = arguments.whole();
    const auto memory =
        attempt({"params", "ranks", "zero_stage"}, [&] { return shardlab::zero_memory_per_gpu(params, ranks, stage); });
    if (!memory) {
        return;
    }
    require_finite({memory->total_bytes});
    require(memory->parameter_bytes > 0 && memory->gradient_bytes > 0 && memory->optimizer_bytes > 0,
            "every part takes something");
    require(memory->parameter_bytes + memory->gradient_bytes + memory->optimizer_bytes == memory->total_bytes,
            "the parts add up to the total");
    require(stage == 0 || memory->total_bytes <= shardlab::zero_memory_per_gpu(params, ranks, stage - 1).total_bytes,
            "a higher stage takes no more");
}

void zero_buffer(Arguments& arguments) {
    const double elements = arguments.number();
    const int ranks = arguments.whole();
    const double alignment =
        arguments.flag() ? static_cast<double>(ranks) * arguments.within(1, 9) : arguments.number();
    if (costly(ranks, shardlab::most_partition_ranks)) {
        return;
    }
    const auto partition = attempt({"elements", "ranks", "alignment"},
                                   [&] { return shardlab::zero_partition(elements, ranks, alignment); });
    if (!partition) {
        return;
    }
    double padding = 0;
    for (const double rank_padding : partition->padding) {
        padding += rank_padding;
    }
    require(partition->padding.size() == static_cast<std::size_t>(ranks), "a part for each rank");
    require(partition->padded_elements - elements == padding, "the padding is what was added");
    require(std::is_sorted(partition->padding.begin(), partition->padding.end()), "the padding stands at the end");
    require(partition->elements_per_rank * ranks == partition->padded_elements, "all parts are equal");
}

}  // namespace

void activations(Arguments& arguments) {
    shardlab::ActivationShape shape{.sequence = arguments.whole(),
                                    .micro_batch = arguments.whole(),
                                    .hidden = arguments.whole(),
                                    .heads = arguments.whole(),
                                    .tp = arguments.whole(),
                                    .sequence_parallel = arguments.flag(),
                                    .recompute = static_cast<shardlab::Recomputation>(arguments.within(0, 2))};
    const int layers = arguments.whole();
    const int in_flight = arguments.whole();
    const std::string name = arguments.text({"none", "selective", "full"});
    attempt({"recompute"}, [&] { return shardlab::recomputation_from_name(name); });

    const auto layer = attempt({"sequence", "micro_batch", "hidden", "heads", "tp"},
                               [&] { return shardlab::activation_memory_bytes(shape); });
    const auto stage = attempt({"sequence", "micro_batch", "hidden", "heads", "tp", "layers", "in_flight"},
                               [&] { return shardlab::activation_memory_bytes(shape, layers, in_flight); });
    require(layer.has_value() || !stage.has_value(), "a stage is refused where its layer is");
    require_finite({layer.value_or(0), stage.value_or(0)});
    require(!layer || *layer > 0, "a layer keeps something");
    require(!stage || *stage >= *layer, "a stage keeps at least one layer");
    if (layer && shape.recompute == shardlab::Recomputation::none) {
        shape.recompute = shardlab::Recomputation::selective;
        require(shardlab::activation_memory_bytes(shape) < *layer, "recomputation keeps less");
    }
}

void bubble(Arguments& arguments) {
    const int stages = arguments.whole();
    const int micro_batches = arguments.whole();
    const int chunks = arguments.whole();
    const auto plain =
        attempt({"stages", "micro_batches"}, [&] { return shardlab::pipeline_bubble_fraction(stages, micro_batches); });
    const auto interleaved = attempt({"stages", "micro_batches", "chunks"}, [&] {
        return shardlab::interleaved_bubble_fraction(stages, micro_batches, chunks);
    });
    require_fraction(plain);
    require_fraction(interleaved);
    require(!interleaved || *interleaved <= *plain, "interleaving makes no bubble larger");
    require(!plain || (*plain == 0) == (stages == 1), "one stage alone has no bubble");
}

void collective_cost(Arguments& arguments) {
    const int ranks = arguments.whole();
    const double bytes = arguments.number();
    const shardlab::Link link = link_of(arguments);
    const double latency = arguments.number();
    attempt({"tree"}, [name = arguments.text({"binomial", "double-binary", "pipelined-bound"})] {
        return shardlab::tree_from_name(name);
    });

    const auto ring = attempt({"ranks", "bytes"}, [&] { return shardlab::all_reduce_cost(ranks, bytes); });
    require_cost(ring, bytes);
    require_cost(attempt({"ranks", "bytes", "latency_seconds", "bytes_per_second"},
                         [&] { return shardlab::all_reduce_cost(ranks, bytes, link); }),
                 bytes);
    require_cost(attempt({"ranks", "bytes", "latency_seconds", "bytes_per_second"},
                         [&] { return shardlab::tree_all_reduce_cost(ranks, bytes, link, shardlab::Tree::binomial); }),
                 bytes);
    require_cost(attempt({"ranks", "bytes", "latency_per_step"},
                         [&] { return shardlab::tree_all_reduce_cost(ranks, bytes, latency); }),
                 bytes);
    if (ring && ranks <= shardlab::most_ranks) {
        require(shardlab::ring_all_reduce_schedule(ranks, 1).steps() == ring->steps,
                "the closed form has the schedule's steps");
    }
}

void hardware(Arguments& arguments) {
    const shardlab::Link link = link_of(arguments);
    const double bytes = arguments.number();
    accepts({"latency_seconds", "bytes_per_second"}, [&] { shardlab::require_link(link); });
    const auto seconds = attempt({"latency_seconds", "bytes_per_second", "bytes"},
                                 [&] { return shardlab::message_seconds(bytes, link); });
    require_finite({seconds.value_or(0)});
    require(seconds.value_or(0) >= 0, "a message takes no less than no time");
}

void transformer(Arguments& arguments) {
    shardlab::TransformerShape shape{.hidden = arguments.whole(),
                                     .layers = arguments.whole(),
                                     .heads = arguments.whole(),
                                     .kv_heads = arguments.whole(),
                                     .head_size = arguments.whole(),
                                     .ffn = arguments.whole(),
                                     .vocabulary = arguments.whole(),
                                     .sequence = arguments.whole(),
                                     .gated_mlp = arguments.flag(),
                                     .tied_embeddings = arguments.flag(),
                                     .learned_positions = arguments.flag(),
                                     .qkv_bias = arguments.flag(),
                                     .attention_output_bias = arguments.flag(),
                                     .mlp_bias = arguments.flag(),
                                     .norm_bias = arguments.flag()};
    if (arguments.flag()) {
        shape.experts = {.count = arguments.whole(),
                         .per_token = arguments.whole(),
                         .ffn = arguments.whole(),
                         .shared_ffn = arguments.whole(),
                         .dense_layers = {arguments.whole(), arguments.whole()}};
    }
    const auto counts =
        attempt({"hidden", "layers", "heads", "kv_heads", "head_size", "ffn", "vocabulary", "sequence", "params",
                 "experts.count", "experts.per_token", "experts.ffn", "experts.shared_ffn", "experts.dense_layers"},
                [&] { return shardlab::count_parameters(shape); });
    if (counts) {
        require(counts->token_embedding + counts->position_embedding + counts->attention + counts->mlp +
                        counts->router + counts->experts + counts->shared_experts + counts->norms +
                        counts->output_head ==
                    counts->total,
                "the parts add up to the total");
        require(counts->total >= 1 && counts->total <= shardlab::largest_count, "the total is a count");
    }
}

void zero(Arguments& arguments) {
    arguments.flag() ? zero_states(arguments) : zero_buffer(arguments);
}

}  // namespace fuzz
