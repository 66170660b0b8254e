#pragma once

/// @file
/// A footprint's request in the words of the frameworks that train: which options to launch them with.

#include <string>
#include <string_view>
#include <vector>

#include <shardlab/footprint/footprint.hpp>

namespace shardlab {

/// One option of a framework.
struct LaunchSetting {
    std::string name;     ///< as the framework spells it; of a nested one, its path with dots
    std::string value;    ///< as it is written there; empty for a switch
    std::string meaning;  ///< what it does, in our words
};

/// What a request comes to under one framework. Nothing of it was run.
struct LaunchSettings {
    std::string framework;                ///< `megatron`, `deepspeed`, `torchtitan` or `fsdp2`
    std::string version;                  ///< where the names of the options were read
    std::vector<LaunchSetting> settings;  ///< in the order of the text
    std::vector<std::string> left_out;    ///< what of the request is not among them, and why, in sentences that begin
                                          ///< with the field
    std::string text;  ///< to be copied: Megatron-LM's arguments, a DeepSpeed JSON object, a torchtitan TOML file, or
                       ///< Python that wraps a model by FSDP2's fully_shard
};

/// The options that ask a framework for what the request sizes.
///
/// A request knows neither data nor learning rate nor how many steps there are: the settings are what decides memory,
/// not a whole run. Its allowances are a matter of the estimate, and no setting.
/// @param framework `megatron`, `deepspeed`, `torchtitan` or `fsdp2`
/// @throws invalid_argument as footprint() does, but for a number of micro-batches that only the schedule itself
/// refuses;
///         naming framework
LaunchSettings launch_settings(const FootprintRequest& request, std::string_view framework);

}  // namespace shardlab
