#include <shardlab/collective_cost.hpp>
#include <shardlab/nccl_tuning.hpp>

#include "convert.hpp"
#include "routines.hpp"

namespace shardlab::wasm {
namespace {

val nccl_time(const NcclTime& time) {
    val object = val::object();
    object.set("algorithm", val(name(time.algorithm)));
    object.set("protocol", val(name(time.protocol)));
    object.set("seconds", time.seconds);
    object.set("latencySeconds", time.latency_seconds);
    object.set("bytesPerSecond", time.bytes_per_second);
    object.set("latencyFactor", time.latency_factor);
    object.set("bandwidthFactor", time.bandwidth_factor);
    object.set("enabled", time.enabled);
    return object;
}

}  // namespace

val nccl_tuning(const val& options) {
    const NcclGroup group{.version = text(options, "version"),
                          .architecture = nccl_architecture_from_name(text(options, "arch")),
                          .ranks = integer(options, "ranks", 2, most_priced_ranks),
                          .nodes = integer(options, "nodes", 1, most_priced_ranks),
                          .link = nccl_link_from_name(text(options, "link")),
                          .channels = integer(options, "channels", 1),
                          .channel_bytes_per_second = number(options, "channelBytesPerSecond"),
                          .cpu = nccl_cpu_from_name(text(options, "cpu")),
                          .tree_pattern = flag(options, "treePattern")};
    const NcclTuning tuning = shardlab::nccl_tuning(group, number(options, "bytes"));
    val times = val::array();
    for (const NcclTime& time : tuning.times) {
        times.call<void>("push", nccl_time(time));
    }
    val result = val::object();
    result.set("times", times);
    result.set("choice", nccl_time(tuning.choice));
    return result;
}

}  // namespace shardlab::wasm
