#include <algorithm>
#include <cmath>
#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/states.hpp>

#include "refuse.hpp"
#include "ring_share.hpp"

namespace shardlab {
namespace {

PrecisionRecipe recipe(const char* name, double weight, double gradient, double master, double moment,
                       double matrix_moment, const char* source) {
    return {name, weight, gradient, master, moment, matrix_moment, source};
}

void require_recipe(const PrecisionRecipe& recipe) {
    constexpr double most_bytes = 64;
    require_between("weight_bytes", recipe.weight_bytes, 0, most_bytes);
    require_between("gradient_bytes", recipe.gradient_bytes, 0, most_bytes);
    require_between("master_bytes", recipe.master_bytes, 0, most_bytes);
    require_between("moment_bytes", recipe.moment_bytes, 0, most_bytes);
    require_between("matrix_moment_bytes", recipe.matrix_moment_bytes, 0, most_bytes);
}

void require_sharding(const StateSharding& sharding) {
    require_int("zero_stage", sharding.zero_stage, 0, 3);
    require_count("ranks", sharding.ranks, 1);
    require_count("group", sharding.group, 0, sharding.ranks);
    if (sharding.group > 0 && std::fmod(sharding.ranks, sharding.group) != 0) {
        refuse("group", "#", "divide the ranks that have the same weights, which are #",
               {sharding.group, sharding.ranks});
    }
    if (sharding.offload == Offload::parameters && sharding.zero_stage < 3) {
        refuse("offload", "parameters", "come with zero_stage 3, not with #", {1.0 * sharding.zero_stage});
    }
}

/// The all-reduce of a shard's gradients between the groups of hybrid sharding.
double between_groups(double params, double gradient_bytes, const StateSharding& sharding, double group) {
    return 2 * gradient_bytes * ring_share(sharding.ranks / group) * params / group;
}

}  // namespace

const std::vector<PrecisionRecipe>& precision_recipes() {
    static const std::vector<PrecisionRecipe> all = {
        recipe("mixed-adam", 2, 2, 4, 8, 8, "Rajbhandari et al., arXiv:1910.02054, section 3.1: K = 12"),
        recipe("mixed-adam-fp32-gradients", 2, 4, 4, 8, 8,
               "Megatron-LM, docs of the distributed optimizer: 18 bytes, gradients are accumulated in 32 bits"),
        recipe("mixed-adam-both-gradients", 2, 6, 4, 8, 8,
               "16-bit gradients, and a 32-bit buffer that they are accumulated in: 20 bytes, Smith et al., "
               "arXiv:2201.11990, section 2.2"),
        recipe("adam-8bit", 2, 2, 4, 2, 2,
               "Dettmers et al., arXiv:2110.02861: moments of 8 bits; the scales of their blocks, 8 bytes in 2048 "
               "parameters, are left out"),
        recipe("sgd-momentum", 2, 2, 4, 4, 4, "16-bit weights and gradients, 32-bit master weights and momentum"),
        recipe("muon", 2, 2, 4, 8, 4,
               "Jordan et al., Muon: one momentum for the matrices inside layers, Adam for everything else"),
        recipe("fp32-adam", 4, 4, 0, 8, 8, "Kingma and Ba, arXiv:1412.6980, all in 32 bits"),
        recipe("fp32-sgd-momentum", 4, 4, 0, 4, 4, "all in 32 bits, one momentum"),
        recipe("bf16-adam", 2, 2, 0, 4, 4, "weights, gradients and moments in 16 bits, no master weights"),
    };
    return all;
}

const PrecisionRecipe& precision_recipe(std::string_view name) {
    std::string names;
    for (const PrecisionRecipe& recipe : precision_recipes()) {
        if (recipe.name == name) {
            return recipe;
        }
        names += (names.empty() ? "" : ", ") + recipe.name;
    }
    throw invalid_argument("recipe", std::string(name), "be one of " + names);
}

Offload offload_from_name(std::string_view name) {
    if (name == "none") {
        return Offload::none;
    }
    if (name == "optimizer") {
        return Offload::optimizer;
    }
    if (name == "parameters") {
        return Offload::parameters;
    }
    throw invalid_argument("offload", std::string(name), "be none, optimizer or parameters");
}

bool gradients_leave_card(int zero_stage, Offload offload) {
    return offload != Offload::none && zero_stage >= 2;
}

StateBytes& StateBytes::operator+=(const StateBytes& other) {
    weight_bytes += other.weight_bytes;
    gradient_bytes += other.gradient_bytes;
    optimizer_bytes += other.optimizer_bytes;
    host_bytes += other.host_bytes;
    return *this;
}

StateBytes state_bytes(const ParameterGroup& params, const PrecisionRecipe& recipe, const StateSharding& sharding) {
    require_recipe(recipe);
    require_sharding(sharding);
    require_between("params", params.all, 0, largest_count);
    require_between("matrices", params.matrices, 0, params.all);

    const double ranks = sharding.sharing_ranks();
    const auto held = [&](double elements, int sharded_from) {
        return sharding.zero_stage >= sharded_from ? std::ceil(elements / ranks) : elements;
    };
    StateBytes bytes{.weight_bytes = recipe.weight_bytes * held(params.all, 3),
                     .gradient_bytes = recipe.gradient_bytes * held(params.all, 2),
                     .optimizer_bytes = recipe.master_bytes * held(params.all, 1) +
                                        recipe.moment_bytes * held(params.all - params.matrices, 1) +
                                        recipe.matrix_moment_bytes * held(params.matrices, 1)};
    if (recipe.moment_bytes == recipe.matrix_moment_bytes) {
        bytes.optimizer_bytes = (recipe.master_bytes + recipe.moment_bytes) * held(params.all, 1);
    }
    if (sharding.offload != Offload::none) {
        bytes.host_bytes += bytes.optimizer_bytes;
        bytes.optimizer_bytes = 0;
    }
    if (gradients_leave_card(sharding.zero_stage, sharding.offload)) {
        bytes.host_bytes += bytes.gradient_bytes;
        bytes.gradient_bytes = 0;
    }
    if (sharding.offload == Offload::parameters) {
        bytes.host_bytes += bytes.weight_bytes;
        bytes.weight_bytes = 0;
    }
    return bytes;
}

double data_parallel_bytes(double params, const PrecisionRecipe& recipe, const StateSharding& sharding,
                           int micro_batches) {
    require_recipe(recipe);
    require_sharding(sharding);
    require_between("params", params, 0, largest_count);
    require_int("micro_batches", micro_batches, 1);

    constexpr double widest_gradient = 4;
    const double weight = recipe.weight_bytes;
    const double gradient = std::min(recipe.gradient_bytes, widest_gradient);
    const double group = sharding.sharing_ranks();
    const double times = micro_batches;
    switch (sharding.zero_stage) {
        case 0:
            return 2 * gradient * ring_share(sharding.ranks) * params;
        case 1:
            return (gradient + weight) * ring_share(group) * params + between_groups(params, gradient, sharding, group);
        case 2:
            return (gradient * times + weight) * ring_share(group) * params +
                   between_groups(params, gradient, sharding, group);
        default:
            return (gradient + 2 * weight) * times * ring_share(group) * params +
                   between_groups(params, gradient, sharding, group);
    }
}

}  // namespace shardlab
