#include "parts.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <shardlab/errors.hpp>

#include "../footprint/rank_parameters.hpp"
#include "../footprint/require_request.hpp"

namespace shardlab::launch {
namespace {

PipelineRequest settled_pipeline(const FootprintRequest& request, FrameworkRules rules) {
    PipelineRequest pipeline;
    pipeline.schedule = request.schedule;
    pipeline.stages = request.layout.pp;
    pipeline.micro_batches = request.micro_batches;
    pipeline.chunks = request.chunks;
    pipeline.rules = rules;
    return of_pipeline([&] { return settled_request(pipeline); });
}

}  // namespace

Plan plan_of(const FootprintRequest& request) {
    require_request(request);
    state_bytes({}, request.recipe, state_sharding(request, request.layout.replicas()));
    state_bytes({}, request.recipe, state_sharding(request, request.layout.expert_replicas()));
    const PipelineRequest settled = settled_pipeline(request, FrameworkRules::none);
    // DualPipe's two chunks of a device are parts of two replicas.
    const int chunks = settled.schedule == "dualpipe" ? 1 : *settled.chunks;
    return {.request = request,
            .layers_per_part = settled_layers_per_part(request, request.layout.pp * chunks),
            .chunks = chunks};
}

double global_batch(const FootprintRequest& request) {
    return 1.0 * request.layout.dp * request.micro_batch * request.micro_batches;
}

bool even(const Plan& plan) {
    const std::vector<int>& layers = plan.layers_per_part;
    return std::all_of(layers.begin(), layers.end(), [&](int count) { return count == layers.front(); });
}

double sharing_ranks(const FootprintRequest& request) {
    return is_hybrid(request) ? request.shard_ranks : request.layout.replicas();
}

bool is_hybrid(const FootprintRequest& request) {
    return request.zero_stage > 0 && request.shard_ranks > 0 && request.shard_ranks < request.layout.replicas();
}

std::optional<std::string> refused_schedule(const FootprintRequest& request, FrameworkRules rules) {
    try {
        settled_pipeline(request, rules);
    } catch (const invalid_argument& error) {
        return std::string(error.what()) + ".";
    }
    return std::nullopt;
}

std::string schedule_field(const FootprintRequest& request) {
    std::string field = "schedule " + request.schedule;
    if (request.chunks) {
        field += ", chunks " + std::to_string(*request.chunks);
    }
    return field;
}

Optimizer optimizer_of(const PrecisionRecipe& recipe) {
    if (recipe.moment_bytes != recipe.matrix_moment_bytes) {
        return Optimizer::muon;
    }
    return recipe.name.find("sgd") == std::string::npos ? Optimizer::adam : Optimizer::sgd;
}

bool has_wide_moments(const PrecisionRecipe& recipe) {
    constexpr double two_moments = 8;
    constexpr double one_moment = 4;
    switch (optimizer_of(recipe)) {
        case Optimizer::sgd:
            return recipe.moment_bytes == one_moment;
        case Optimizer::muon:
            return recipe.moment_bytes == two_moments && recipe.matrix_moment_bytes == one_moment;
        default:
            return recipe.moment_bytes == two_moments;
    }
}

void set(LaunchSettings& launch, std::string name, std::string value, std::string meaning) {
    launch.settings.push_back({std::move(name), std::move(value), std::move(meaning)});
}

void set(LaunchSettings& launch, std::string name, double value, std::string meaning) {
    set(launch, std::move(name), number_text(value), std::move(meaning));
}

void leave_out(LaunchSettings& launch, std::string_view field, std::string_view reason) {
    std::string sentence(field);
    sentence += ": ";
    sentence += reason;
    launch.left_out.push_back(std::move(sentence));
}

void leave_out(LaunchSettings& launch, std::string_view field, double value, std::string_view reason) {
    std::string with_value(field);
    with_value += ' ';
    with_value += number_text(value);
    leave_out(launch, with_value, reason);
}

void leave_out_shape(LaunchSettings& launch, const Plan& plan, std::string_view where) {
    const TransformerShape& shape = plan.request.shape;
    std::string sizes = "layers " + std::to_string(shape.layers);
    sizes += ", hidden " + std::to_string(shape.hidden);
    sizes += ", vocabulary " + std::to_string(shape.vocabulary);
    sizes += " and the rest of the model's shape";
    leave_out(launch, sizes, where);
}

void leave_out_recomputation(LaunchSettings& launch, const FootprintRequest& request, std::string_view where) {
    if (request.recompute == Recomputation::none) {
        return;
    }
    std::string field = "recompute ";
    field += name_of(request.recompute);
    if (request.recompute == Recomputation::full && request.recompute_every > 1) {
        field += ", recompute_every " + std::to_string(request.recompute_every);
    }
    leave_out(launch, field, where);
}

void leave_out_scaled_positions(LaunchSettings& launch, const FootprintRequest& request) {
    if (!sequence_notes(request.shape, request.sequence).empty()) {
        leave_out(launch, "sequence beyond " + std::to_string(request.shape.sequence),
                  "the rotary positions must be scaled for it, and no setting here does so.");
    }
}

std::string quoted(std::string_view word) {
    std::string text = "\"";
    text += word;
    text += '"';
    return text;
}

}  // namespace shardlab::launch
