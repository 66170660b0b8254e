#pragma once

/// @file
/// What the frameworks' settings are made of.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <shardlab/launch.hpp>
#include <shardlab/pipeline/builders.hpp>

namespace shardlab::launch {

/// A request that was checked, and what every framework asks of it.
struct Plan {
    const FootprintRequest& request;
    std::vector<int> layers_per_part;  ///< in the model's order
    int chunks = 1;                    ///< model parts on each stage
};

/// Checks a request as footprint() does, without a simulation of its schedule.
Plan plan_of(const FootprintRequest& request);

/// Sequences of a step, dp·b·M.
double global_batch(const FootprintRequest& request);

/// Whether every model part has as many layers.
bool even(const Plan& plan);

/// Ranks that share one set of states: all replicas, or a group of them under hybrid sharding.
double sharing_ranks(const FootprintRequest& request);

/// Whether groups of the replicas have each a whole set of states.
bool is_hybrid(const FootprintRequest& request);

/// The sentence in which a framework's rules refuse the request's schedule.
std::optional<std::string> refused_schedule(const FootprintRequest& request, FrameworkRules rules);

/// The schedule, and its chunks where they were asked for, as a sentence of what is left out begins.
std::string schedule_field(const FootprintRequest& request);

/// Which optimizer a recipe's bytes are those of.
enum class Optimizer { adam, sgd, muon };
Optimizer optimizer_of(const PrecisionRecipe& recipe);

/// Whether the moments are as wide as the optimizer's own: 32 bits each.
bool has_wide_moments(const PrecisionRecipe& recipe);

void set(LaunchSettings& launch, std::string name, std::string value, std::string meaning);
void set(LaunchSettings& launch, std::string name, double value, std::string meaning);

/// A sentence of what is left out: field, its value where there is one, and why.
void leave_out(LaunchSettings& launch, std::string_view field, std::string_view reason);
void leave_out(LaunchSettings& launch, std::string_view field, double value, std::string_view reason);

/// For frameworks whose model stands in Python.
void leave_out_shape(LaunchSettings& launch, const Plan& plan, std::string_view where);

/// Recomputation where no setting turns it on.
void leave_out_recomputation(LaunchSettings& launch, const FootprintRequest& request, std::string_view where);

/// A sequence that the model's rotary positions are not made for.
void leave_out_scaled_positions(LaunchSettings& launch, const FootprintRequest& request);

/// A word in quotation marks, as JSON, TOML and Python write it. The word has no character that these escape.
std::string quoted(std::string_view word);

LaunchSettings megatron(const Plan& plan);
LaunchSettings deepspeed(const Plan& plan);
LaunchSettings torchtitan(const Plan& plan);
LaunchSettings fsdp2(const Plan& plan);

/// Megatron-LM's options of the model itself.
void add_megatron_shape(LaunchSettings& launch, const FootprintRequest& request);

}  // namespace shardlab::launch
