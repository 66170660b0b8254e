#include <array>

#include <shardlab/errors.hpp>
#include <shardlab/launch.hpp>

#include "parts.hpp"

namespace shardlab {
namespace {

struct Named {
    std::string_view name;
    LaunchSettings (*settings)(const launch::Plan& plan);
};

constexpr std::array<Named, 4> frameworks{{
    {"megatron", launch::megatron},
    {"deepspeed", launch::deepspeed},
    {"torchtitan", launch::torchtitan},
    {"fsdp2", launch::fsdp2},
}};

}  // namespace

LaunchSettings launch_settings(const FootprintRequest& request, std::string_view framework) {
    for (const Named& named : frameworks) {
        if (named.name == framework) {
            LaunchSettings launch = named.settings(launch::plan_of(request));
            launch.framework = framework;
            launch::leave_out_scaled_positions(launch, request);
            return launch;
        }
    }
    throw invalid_argument("framework", std::string(framework), "be megatron, deepspeed, torchtitan or fsdp2");
}

}  // namespace shardlab
