#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <shardlab/errors.hpp>
#include <shardlab/footprint/footprint.hpp>

#include "../refuse.hpp"
#include "rank_parameters.hpp"
#include "require_request.hpp"

namespace shardlab {
namespace {

void require_allowances(const Allowances& allowances) {
    require_count("context_bytes", allowances.context_bytes);
    require_count("communication_bytes", allowances.communication_bytes);
    require_count("bucket_bytes", allowances.bucket_bytes);
    require_int("prefetched_layers", allowances.prefetched_layers, 0);
    require_between("fragmentation", allowances.fragmentation, 0, 1);
}

void require_experts(const FootprintRequest& request) {
    const int ep = request.layout.ep;
    const int count = request.shape.experts.count;
    if (count % ep != 0 || (count == 0 && ep > 1)) {
        refuse("ep", "#", "divide the experts of a layer, which are #", {1.0 * ep, 1.0 * count});
    }
}

}  // namespace

void require_request(const FootprintRequest& request) {
    require_shape(request.shape);
    require_layout(request.layout);
    require_setting(request.shape, activation_setting(request));
    require_experts(request);
    require_int("micro_batches", request.micro_batches, 1);
    require_int("recompute_every", request.recompute_every, 1);
    if (request.recompute_every > 1 && request.recompute != Recomputation::full) {
        refuse("recompute_every", "#", "be 1 unless recompute is full", {1.0 * request.recompute_every});
    }
    require_int("zero_stage", request.zero_stage, 0, 3);
    require_allowances(request.allowances);
}

namespace {

/// What one layer of a kind takes.
struct LayerSizes {
    RankParameters parameters;
    double kept = 0;             ///< activations of a micro-batch
    double weight_gradient = 0;  ///< of them, with output gradients, what waits for the weight gradient
    double recomputed = 0;       ///< what is made again for its backward
};

LayerSizes layer_sizes(const FootprintRequest& request, bool with_experts) {
    ActivationSetting setting = activation_setting(request);
    LayerSizes sizes{.parameters = layer_on_rank(request.shape, with_experts, request.layout),
                     .kept = total_bytes(layer_activations(request.shape, with_experts, setting)),
                     .weight_gradient = weight_gradient_bytes(request.shape, with_experts, setting)};
    if (request.recompute != Recomputation::none) {
        setting.recompute = Recomputation::none;
        const double whole = total_bytes(layer_activations(request.shape, with_experts, setting));
        sizes.recomputed = request.recompute == Recomputation::full ? whole : whole - sizes.kept;
    }
    return sizes;
}

/// Sizes that all stages share.
struct Sizes {
    LayerSizes dense;
    LayerSizes experts;
    double embedding_activations = 0;
    double head_activations = 0;  ///< without the logits
    double logits = 0;
    double stage_output = 0;
};

Sizes sizes_of(const FootprintRequest& request) {
    const ActivationSetting setting = activation_setting(request);
    Sizes sizes;
    sizes.dense = layer_sizes(request, false);
    if (request.shape.experts.count > 0) {
        sizes.experts = layer_sizes(request, true);
    }
    sizes.embedding_activations = total_bytes(embedding_activations(request.shape, setting));
    const std::vector<ActivationTerm> head = head_activations(request.shape, setting);
    sizes.logits = head.back().bytes;
    sizes.head_activations = total_bytes(head) - sizes.logits;
    // The stage's output is as large as the input of the last norm.
    sizes.stage_output = head.front().bytes;
    return sizes;
}

/// A contiguous run of layers: one model part.
struct Part {
    int dense = 0;
    int experts = 0;
    bool first = false;
    bool last = false;

    int layers() const { return dense + experts; }
};

std::vector<Part> cut(const FootprintRequest& request, int model_parts) {
    const std::vector<int> layers = settled_layers_per_part(request, model_parts);
    const std::vector<int>& dense_layers = request.shape.experts.dense_layers;
    std::vector<Part> parts;
    parts.reserve(layers.size());
    int begin = 0;
    for (const int count : layers) {
        const auto from = std::lower_bound(dense_layers.begin(), dense_layers.end(), begin);
        const auto to = std::lower_bound(from, dense_layers.end(), begin + count);
        const int dense = request.shape.experts.count == 0 ? count : static_cast<int>(to - from);
        parts.push_back({.dense = dense, .experts = count - dense});
        begin += count;
    }
    parts.front().first = true;
    parts.back().last = true;
    return parts;
}

/// Sizes one stage.
class Stage {
public:
    Stage(const FootprintRequest& request, const Sizes& sizes, const std::vector<Part>& parts,
          const std::vector<int>& own)
        : request_(request), sizes_(sizes), parts_(parts), own_(own) {}

    StageFootprint sized(int stage, const std::vector<HeldChunks>& worst) const {
        StageFootprint result;
        result.stage = stage;
        add_states(result);
        add_activations(result, worst);
        add_working_sets(result);
        add_allowances(result);
        return result;
    }

private:
    const Part& part(int index) const { return parts_[static_cast<std::size_t>(index)]; }

    /// Whether the model's first or last part is on the stage.
    bool has(bool Part::*end) const {
        return std::any_of(own_.begin(), own_.end(), [&](int index) { return part(index).*end; });
    }

    RankParameters parameters(const Part& part) const {
        RankParameters sum = part.dense * sizes_.dense.parameters;
        sum += part.experts * sizes_.experts.parameters;
        if (part.first) {
            sum.dense.all += vocabulary_on_rank(request_.shape, request_.layout) + positions_on_rank(request_.shape);
        }
        if (part.last) {
            // A tied head away from the embedding is a copy of it.
            const bool shared = request_.shape.tied_embeddings && has(&Part::first);
            sum.dense.all += final_norm_on_rank(request_.shape) + output_bias_on_rank(request_.shape, request_.layout) +
                             (shared ? 0 : vocabulary_on_rank(request_.shape, request_.layout));
        }
        return sum;
    }

    void add_states(StageFootprint& result) const {
        RankParameters sum;
        for (const int index : own_) {
            sum += parameters(part(index));
            result.layers += part(index).layers();
            result.expert_layers += part(index).experts;
        }
        result.parameters = sum.total();
        result.dense_parameters = sum.dense.all;
        const Layout& layout = request_.layout;
        result.states = state_bytes(sum.dense, request_.recipe, state_sharding(request_, layout.replicas()));
        result.states += state_bytes(sum.experts, request_.recipe, state_sharding(request_, layout.expert_replicas()));
    }

    int kept_layers(int layers) const {
        const int every = request_.recompute == Recomputation::full ? request_.recompute_every : 1;
        return (layers + every - 1) / every;
    }

    /// Activations of one micro-batch, without logits.
    double kept(const Part& part) const {
        // With inputs kept for every few layers, layers of both kinds keep the same.
        const double layers = request_.recompute == Recomputation::full
                                  ? kept_layers(part.layers()) * sizes_.dense.kept
                                  : part.dense * sizes_.dense.kept + part.experts * sizes_.experts.kept;
        const double output = request_.allowances.stage_outputs && !part.last ? sizes_.stage_output : 0;
        return layers + output + (part.first ? sizes_.embedding_activations : 0) +
               (part.last ? sizes_.head_activations : 0);
    }

    double waiting(const Part& part) const {
        return part.dense * sizes_.dense.weight_gradient + part.experts * sizes_.experts.weight_gradient;
    }

    void add_activations(StageFootprint& result, const std::vector<HeldChunks>& worst) const {
        double most = -1;
        for (const HeldChunks& held : worst) {
            double activations = 0;
            double logits = 0;
            double in_flight = 0;
            double waiting_for_weights = 0;
            for (std::size_t place = 0; place < own_.size(); ++place) {
                const Part& now = part(own_[place]);
                activations += held.whole[place] * kept(now) + held.waiting[place] * waiting(now);
                logits += now.last ? held.whole[place] * sizes_.logits : 0;
                in_flight += held.whole[place];
                waiting_for_weights += held.waiting[place];
            }
            if (activations + logits > most) {
                most = activations + logits;
                result.activation_bytes = activations;
                result.logit_bytes = logits;
                result.micro_batches_in_flight = in_flight;
                result.weight_gradients_waiting = waiting_for_weights;
            }
        }
        if (has(&Part::last) && request_.allowances.logit_gradients) {
            result.logit_bytes += sizes_.logits;
        }
    }

    /// The largest of what `size` gives for the kinds of layers that the stage has.
    template <typename Size>
    double largest_layer(Size size) const {
        double largest = 0;
        for (const int index : own_) {
            largest = std::max({largest, part(index).dense > 0 ? size(sizes_.dense) : 0.0,
                                part(index).experts > 0 ? size(sizes_.experts) : 0.0});
        }
        return largest;
    }

    void add_working_sets(StageFootprint& result) const {
        int most_layers = 0;
        for (const int index : own_) {
            most_layers = std::max(most_layers, part(index).layers());
        }
        const int at_once =
            request_.recompute == Recomputation::full ? std::min(request_.recompute_every, most_layers) : 1;
        result.recomputed_bytes = at_once * largest_layer([](const LayerSizes& layer) { return layer.recomputed; });
        result.gathered_bytes = gathered(result.layers);
    }

    /// Parameters of the largest units that visit a rank: what stage 3 gathers at a time is a layer, or the embedding
    /// or output head, which stand beside layers.
    struct Units {
        double layer = 0;
        double end = 0;
    };

    /// Of a rank's parameters those whose home is on other ranks too, or in host memory: the rest stays whole.
    double visiting(const RankParameters& parameters, bool from_host) const {
        if (from_host) {
            return parameters.total();
        }
        const auto shared = [&](double replicas) { return state_sharding(request_, replicas).sharing_ranks() > 1; };
        return (shared(request_.layout.replicas()) ? parameters.dense.all : 0) +
               (shared(request_.layout.expert_replicas()) ? parameters.experts.all : 0);
    }

    Units units(bool from_host) const {
        Units largest{
            .layer = largest_layer([&](const LayerSizes& sizes) { return visiting(sizes.parameters, from_host); })};
        const double vocabulary = vocabulary_on_rank(request_.shape, request_.layout);
        const double embedding = has(&Part::first) ? vocabulary + positions_on_rank(request_.shape) : 0;
        const double head = has(&Part::last) ? vocabulary + output_bias_on_rank(request_.shape, request_.layout) : 0;
        RankParameters end;
        end.dense.all = std::max(embedding, head);
        largest.end = visiting(end, from_host);
        return largest;
    }

    /// What is on the card of states whose home is on other ranks or in host memory: at stage 3, the weights of the
    /// unit at work and of the layers gathered behind it, and the gradients of one unit.
    double gathered(int layers) const {
        if (request_.zero_stage < 3) {
            return 0;
        }
        const Units weights = units(request_.offload == Offload::parameters);
        const Units gradients = units(gradients_leave_card(request_.zero_stage, request_.offload));
        const int ahead = request_.allowances.prefetched_layers;
        const double behind_layer = std::min(1.0 + ahead, 1.0 * layers) * weights.layer;
        const double behind_end = weights.end + std::min(ahead, layers) * weights.layer;
        return request_.recipe.weight_bytes * std::max(behind_layer, behind_end) +
               request_.recipe.gradient_bytes * std::max(gradients.layer, gradients.end);
    }

    void add_allowances(StageFootprint& result) const {
        const Allowances& allowances = request_.allowances;
        result.context_bytes = allowances.context_bytes;
        result.communication_bytes = request_.layout.ranks() > 1 ? allowances.communication_bytes : 0;
        const bool leave_card =
            request_.layout.replicas() > 1 || gradients_leave_card(request_.zero_stage, request_.offload);
        result.bucket_bytes = leave_card && request_.zero_stage < 3 ? allowances.bucket_bytes : 0;
        const double blocks = result.kept_bytes() + result.logit_bytes + result.recomputed_bytes +
                              result.gathered_bytes + result.bucket_bytes;
        result.fragmentation_bytes = std::ceil(allowances.fragmentation * blocks);
    }

    const FootprintRequest& request_;
    const Sizes& sizes_;
    const std::vector<Part>& parts_;
    const std::vector<int>& own_;
};

}  // namespace

ActivationSetting activation_setting(const FootprintRequest& request) {
    return {.sequence = request.sequence,
            .micro_batch = request.micro_batch,
            .tp = request.layout.tp,
            .cp = request.layout.cp,
            .sequence_parallel = request.sequence_parallel,
            .recompute = request.recompute,
            .flash = request.flash};
}

StateSharding state_sharding(const FootprintRequest& request, double replicas) {
    require_int("shard_ranks", request.shard_ranks, 0);
    if (request.shard_ranks > request.layout.replicas()) {
        refuse("shard_ranks", "#", "be at most the ranks that have the same weights, dp times cp, which are #",
               {1.0 * request.shard_ranks, request.layout.replicas()});
    }
    // Experts have fewer replicas than the rest, and all of these share where a group would be more.
    const double group = std::min(1.0 * request.shard_ranks, replicas);
    if (group > 0 && std::fmod(replicas, group) != 0) {
        refuse("shard_ranks", "#", "divide the ranks that have the same weights, which are #", {group, replicas});
    }
    return {.zero_stage = request.zero_stage, .ranks = replicas, .group = group, .offload = request.offload};
}

std::vector<int> settled_layers_per_part(const FootprintRequest& request, int parts) {
    std::vector<int> layers = request.layers_per_part;
    if (layers.empty()) {
        layers.assign(static_cast<std::size_t>(parts), request.shape.layers / parts);
        for (int extra = 0; extra < request.shape.layers % parts; ++extra) {
            ++layers[static_cast<std::size_t>(extra)];
        }
        return layers;
    }
    if (layers.size() != static_cast<std::size_t>(parts)) {
        refuse("layers_per_part", "# numbers", "be one for each of the # model parts",
               {static_cast<double>(layers.size()), 1.0 * parts});
    }
    double sum = 0;
    for (const int count : layers) {
        sum += require_int("layers_per_part", count, 0);
    }
    if (sum != request.shape.layers) {
        refuse("layers_per_part", "# in all", "add up to the layers, which are #", {sum, 1.0 * request.shape.layers});
    }
    return layers;
}

Footprint footprint(const FootprintRequest& request, InFlightCache& cache) {
    require_request(request);
    const PipelineInFlight& in_flight = of_pipeline([&]() -> const PipelineInFlight& {
        return cache.of(request.schedule, request.layout.pp, request.micro_batches, request.chunks);
    });
    const std::vector<Part> parts = cut(request, in_flight.model_parts);
    const Sizes sizes = sizes_of(request);

    Footprint result;
    result.notes = setting_notes(request.shape, activation_setting(request));
    result.per_stage.reserve(in_flight.parts.size());
    for (std::size_t stage = 0; stage < in_flight.parts.size(); ++stage) {
        const Stage sizer(request, sizes, parts, in_flight.parts[stage]);
        result.per_stage.push_back(sizer.sized(static_cast<int>(stage), in_flight.worst[stage]));
        const auto most = static_cast<std::size_t>(result.most_loaded_stage);
        if (result.per_stage[stage].total_bytes() > result.per_stage[most].total_bytes()) {
            result.most_loaded_stage = static_cast<int>(stage);
        }
    }
    return result;
}

}  // namespace shardlab
