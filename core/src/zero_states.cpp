#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <shardlab/errors.hpp>
#include <shardlab/footprint.hpp>
#include <shardlab/transformer.hpp>
#include <shardlab/zero_states.hpp>

#include "refuse.hpp"
#include "ring_share.hpp"

namespace shardlab {
namespace {

constexpr const char* reduce_scatter = "reduce-scatter";
constexpr const char* all_gather = "all-gather";

void require_gathered(const FootprintRequest& request, Gathered gathered) {
    if (gathered == Gathered::kept && request.zero_stage < 3) {
        refuse("gathered", "kept", "come with zero_stage 3, not with #", {1.0 * request.zero_stage});
    }
}

/// The collectives for parameters that are sharded alike.
std::vector<StateCollective> collectives(double params, const FootprintRequest& request, double replicas,
                                         Gathered gathered) {
    constexpr double widest_gradient = 4;
    const StateSharding sharding = state_sharding(request, replicas);
    const double group = sharding.zero_stage > 0 ? sharding.sharing_ranks() : sharding.ranks;
    const double weight = request.recipe.weight_bytes;
    const double gradient = std::min(request.recipe.gradient_bytes, widest_gradient);
    const double each = request.micro_batches;
    const double inside = ring_share(group) * params;

    std::vector<StateCollective> all;
    if (sharding.zero_stage == 3) {
        all.push_back({all_gather, "forward", each, weight, weight * inside});
        if (gathered == Gathered::freed) {
            all.push_back({all_gather, "backward", each, weight, weight * inside});
        }
    }
    all.push_back({reduce_scatter, "backward", sharding.zero_stage < 2 ? 1 : each, gradient, gradient * inside});
    if (sharding.zero_stage < 3) {
        const double back = sharding.zero_stage == 0 ? gradient : weight;
        all.push_back({all_gather, "step", 1, back, back * inside});
    }
    if (group < sharding.ranks) {
        const double between = ring_share(sharding.ranks / group) * params / group;
        all.push_back({"all-reduce", "step", 1, gradient, 2 * gradient * between});
    }
    return all;
}

/// Experts have replicas of their own: they are sent in the same collectives, unless none shares them.
std::vector<StateCollective> collectives(const StageFootprint& stage, const FootprintRequest& request,
                                         Gathered gathered) {
    std::vector<StateCollective> all =
        collectives(stage.dense_parameters, request, request.layout.replicas(), gathered);
    const std::vector<StateCollective> experts =
        collectives(stage.parameters - stage.dense_parameters, request, request.layout.expert_replicas(), gathered);
    for (std::size_t i = 0; i < experts.size(); ++i) {
        all[i].bytes += experts[i].bytes;
    }
    return all;
}

std::vector<std::string> notes_of_cut(double params, double parts) {
    if (std::fmod(params, parts) == 0) {
        return {};
    }
    return {"params, " + number_text(params) + ", do not divide by tp times pp, " + number_text(parts) +
            ": the part is rounded up to whole parameters"};
}

ZeroStates of_stage(double params, const StageFootprint& stage, const FootprintRequest& request, Gathered gathered,
                    std::vector<std::string> notes) {
    ZeroStates result{.params = params,
                      .params_on_rank = stage.parameters,
                      .bytes_per_param = request.recipe.total(),
                      .states = stage.states,
                      .sent = collectives(stage, request, gathered),
                      .notes = std::move(notes)};
    if (gathered == Gathered::kept) {
        result.states.weight_bytes = request.recipe.weight_bytes * stage.parameters;
    }
    return result;
}

}  // namespace

Gathered gathered_from_name(std::string_view name) {
    if (name != "freed" && name != "kept") {
        throw invalid_argument("gathered", std::string(name), "be freed or kept");
    }
    return name == "kept" ? Gathered::kept : Gathered::freed;
}

double ZeroStates::sent_bytes() const {
    double sum = 0;
    for (const StateCollective& one : sent) {
        sum += one.times * one.bytes;
    }
    return sum;
}

ZeroStates zero_states(double params, const FootprintRequest& request, Gathered gathered) {
    require_count("params", params, 1);
    require_layout(request.layout);
    require_int("ep", request.layout.ep, 1, 1);
    require_int("micro_batches", request.micro_batches, 1);
    require_gathered(request, gathered);
    const double parts = 1.0 * request.layout.tp * request.layout.pp;
    StageFootprint stage;
    stage.parameters = stage.dense_parameters = std::ceil(params / parts);
    stage.states = state_bytes({.all = stage.parameters, .matrices = 0}, request.recipe,
                               state_sharding(request, request.layout.replicas()));
    return of_stage(params, stage, request, gathered, notes_of_cut(params, parts));
}

ZeroStates zero_states(const FootprintRequest& request, Gathered gathered) {
    require_int("micro_batches", request.micro_batches, 1);
    require_gathered(request, gathered);
    FootprintRequest sized = request;
    sized.sequence = request.layout.cp;  // states do not depend on it, nor on micro-batches
    sized.micro_batches = request.layout.pp;
    InFlightCache cache;
    const Footprint found = footprint(sized, cache);
    const StageFootprint& most = *std::max_element(
        found.per_stage.begin(), found.per_stage.end(),
        [](const StageFootprint& a, const StageFootprint& b) { return a.states.total() < b.states.total(); });
    return of_stage(count_parameters(request.shape).total, most, request, gathered, found.notes);
}

}  // namespace shardlab
