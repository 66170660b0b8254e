// Memory of a rank: activations term by term, states, footprints and the changes that make them fit.

#include <initializer_list>
#include <string_view>
#include <vector>

#include <shardlab/accelerators.hpp>
#include <shardlab/footprint.hpp>

#include "functions.hpp"

namespace fuzz {
namespace {

/// Small and often valid: heads and features are products.
shardlab::TransformerShape shape_of(Arguments& arguments) {
    shardlab::TransformerShape shape;
    shape.kv_heads = arguments.within(1, 8);
    shape.heads = shape.kv_heads * arguments.within(1, 8);
    shape.head_size = arguments.within(1, 16);
    shape.hidden = arguments.flag() ? shape.heads * shape.head_size : arguments.whole();
    shape.layers = arguments.flag() ? arguments.within(1, 64) : arguments.whole();
    shape.ffn = arguments.flag() ? 8 * arguments.within(1, 64) : arguments.whole();
    shape.vocabulary = arguments.whole();
    shape.sequence = arguments.whole();
    shape.gated_mlp = arguments.flag();
    shape.tied_embeddings = arguments.flag();
    shape.learned_positions = arguments.flag();
    shape.dropout.scores = arguments.flag();
    shape.dropout.attention_output = shape.dropout.mlp_output = shape.dropout.embedding = arguments.flag();
    if (arguments.flag()) {
        shape.experts = {.count = arguments.within(0, 16),
                         .per_token = arguments.within(0, 4),
                         .ffn = 8 * arguments.within(1, 8),
                         .shared_ffn = 8 * arguments.within(0, 2),
                         .dense_layers = {}};
    }
    return shape;
}

shardlab::FootprintRequest request_of(Arguments& arguments) {
    static const std::vector<const char*> schedules = {"1f1b", "gpipe",    "interleaved", "looped-bfs", "zb-h1",
                                                       "zb-v", "dualpipe", "dualpipe-v",  "none"};
    shardlab::FootprintRequest request;
    request.shape = shape_of(arguments);
    request.layout = {.tp = arguments.within(0, 8),
                      .pp = arguments.within(0, 6),
                      .dp = arguments.within(0, 8),
                      .cp = arguments.within(0, 4),
                      .ep = arguments.within(0, 4)};
    request.sequence = arguments.flag() ? 64 * arguments.within(1, 64) : arguments.whole();
    request.micro_batch = arguments.within(0, 9);
    request.micro_batches = arguments.within(0, 20);
    request.sequence_parallel = arguments.flag();
    request.recompute = static_cast<shardlab::Recomputation>(arguments.within(0, 2));
    // With any other than full recomputation it is 1; now and then it is not, and refused.
    request.recompute_every =
        request.recompute == shardlab::Recomputation::full || arguments.flag() ? arguments.within(0, 4) : 1;
    request.flash = arguments.flag();
    request.schedule = schedules[static_cast<std::size_t>(arguments.within(0, 8))];
    if (arguments.flag()) {
        request.chunks = arguments.within(0, 3);
    }
    if (arguments.flag()) {
        request.layers_per_part = {arguments.within(-1, 9), arguments.within(0, 9)};
    }
    request.zero_stage = arguments.within(-1, 4);
    request.shard_ranks = arguments.within(0, 8);
    request.offload = static_cast<shardlab::Offload>(arguments.within(0, 2));
    request.recipe = shardlab::precision_recipes()[static_cast<std::size_t>(arguments.within(0, 5))];
    request.allowances.fragmentation = arguments.flag() ? 0.05 : arguments.number();
    request.allowances.context_bytes = arguments.flag() ? 1e9 : arguments.number();
    request.allowances.prefetched_layers = arguments.within(-1, 5);
    return request;
}

void require_stage(const shardlab::StageFootprint& stage) {
    require_finite({stage.total_bytes(), stage.parameters});
    for (const double bytes :
         {stage.states.weight_bytes, stage.states.gradient_bytes, stage.states.optimizer_bytes, stage.activation_bytes,
          stage.logit_bytes, stage.recomputed_bytes, stage.gathered_bytes, stage.bucket_bytes, stage.context_bytes,
          stage.communication_bytes, stage.fragmentation_bytes}) {
        require(bytes >= 0, "no part is less than nothing");
    }
}

}  // namespace

void footprint(Arguments& arguments) {
    const shardlab::FootprintRequest request = request_of(arguments);
    const double usable = arguments.flag() ? 1e6 * arguments.within(1, 1000) : arguments.number();
    shardlab::InFlightCache cache;
    const std::initializer_list<std::string_view> fields = {"hidden",
                                                            "layers",
                                                            "heads",
                                                            "kv_heads",
                                                            "head_size",
                                                            "ffn",
                                                            "vocabulary",
                                                            "sequence",
                                                            "params",
                                                            "experts.count",
                                                            "experts.per_token",
                                                            "experts.ffn",
                                                            "experts.shared_ffn",
                                                            "tp",
                                                            "pp",
                                                            "dp",
                                                            "cp",
                                                            "ep",
                                                            "ranks",
                                                            "micro_batch",
                                                            "micro_batches",
                                                            "recompute_every",
                                                            "schedule",
                                                            "chunks",
                                                            "stages",
                                                            "layers_per_part",
                                                            "zero_stage",
                                                            "shard_ranks",
                                                            "group",
                                                            "offload",
                                                            "fragmentation",
                                                            "context_bytes",
                                                            "prefetched_layers"};
    const auto sized = attempt(fields, [&] { return shardlab::footprint(request, cache); });
    if (!sized) {
        return;
    }
    require(sized->per_stage.size() == static_cast<std::size_t>(request.layout.pp), "a footprint for each stage");
    for (const shardlab::StageFootprint& stage : sized->per_stage) {
        require_stage(stage);
        require(stage.total_bytes() <= sized->most_loaded_rank_bytes(), "the answer is the most loaded rank");
    }
    const auto changes = attempt({"usable_bytes"}, [&] {
        return shardlab::changes_that_fit(request, {.usable_bytes = usable, .most_ranks = 4096}, cache);
    });
    if (changes) {
        require_finite({changes->cost.sent_bytes(), changes->cost.recomputed_flops});
        for (const shardlab::Change& change : changes->offered) {
            require(change.most_loaded_rank_bytes <= usable, "what is offered fits");
            require(change.request.layout.ranks() <= 4096, "what is offered takes no more cards than are allowed");
        }
    }
}

}  // namespace fuzz
