#pragma once

/// @file
/// Requests whose launches are looked at, and what is looked for in them.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <shardlab/launch.hpp>
#include <shardlab/transformer/presets.hpp>

#include "catch.hpp"
#include "shapes.hpp"

namespace shardlab {

using Values = std::map<std::string, std::string>;

inline FootprintRequest llama_on(const Layout& layout) {
    FootprintRequest request;
    request.shape = llama_3_70b();
    request.layout = layout;
    request.sequence = 4096;
    request.micro_batches = 16;
    request.recipe = precision_recipe("mixed-adam-fp32-gradients");
    request.flash = true;
    return request;
}

inline FootprintRequest mixture_on(const Layout& layout) {
    FootprintRequest request = llama_on(layout);
    request.shape = mixture_shape();
    return request;
}

inline Values values_of(const LaunchSettings& launch) {
    Values values;
    for (const LaunchSetting& setting : launch.settings) {
        CHECK(values.emplace(setting.name, setting.value).second);
        CHECK_FALSE(setting.meaning.empty());
    }
    return values;
}

inline Values values(const FootprintRequest& request, const std::string& framework) {
    return values_of(launch_settings(request, framework));
}

inline bool leaves_out(const FootprintRequest& request, const std::string& framework, const std::string& beginning) {
    const LaunchSettings launch = launch_settings(request, framework);
    return std::any_of(launch.left_out.begin(), launch.left_out.end(),
                       [&](const std::string& sentence) { return sentence.rfind(beginning + ": ", 0) == 0; });
}

/// Holds that values has these, and none of the absent.
inline void require_values(const Values& values, const Values& expected, const std::vector<std::string>& absent = {}) {
    for (const auto& [name, value] : expected) {
        INFO(name);
        REQUIRE(values.count(name) == 1);
        CHECK(values.at(name) == value);
    }
    for (const std::string& name : absent) {
        INFO(name);
        CHECK(values.count(name) == 0);
    }
}

}  // namespace shardlab
