#include "links.hpp"

#include <limits>
#include <string>

#include <shardlab/errors.hpp>

#include "convert.hpp"

namespace shardlab::wasm {
namespace {

/// Both fields of a link, or neither; `prefix` is what stands before their names in the core's words.
std::optional<Link> both_or_neither(std::optional<double> latency, std::optional<double> rate,
                                    const std::string& prefix) {
    const std::string names[] = {prefix + "latency_seconds", prefix + "bytes_per_second"};
    if (!latency && !rate) {
        return std::nullopt;
    }
    if (!latency || !rate) {
        throw invalid_argument(names[latency ? 1 : 0], "left out", "be given where " + names[latency ? 0 : 1] + " is");
    }
    return Link{.latency_seconds = *latency, .bytes_per_second = *rate};
}

}  // namespace

std::optional<Link> optional_link(const val& options) {
    return both_or_neither(optional_number(options, "latencySeconds"), optional_number(options, "bytesPerSecond"), "");
}

std::optional<Links> optional_links(const val& options) {
    const std::optional<Link> intra = optional_link(options);
    const std::optional<Link> inter = both_or_neither(optional_number(options, "interLatencySeconds"),
                                                      optional_number(options, "interBytesPerSecond"), "inter_");
    const int per_node = integer(options, "perNode", 1, std::numeric_limits<int>::max());
    if (!intra && inter) {
        throw invalid_argument("latency_seconds", "left out", "be given where inter_latency_seconds is");
    }
    if (!intra) {
        return std::nullopt;
    }
    return require_links(inter ? Links{.intra = *intra, .inter = *inter, .per_node = per_node} : uniform_links(*intra));
}

Links required_links(const val& options) {
    const std::optional<Links> links = optional_links(options);
    if (!links) {
        throw invalid_argument("latency_seconds", "left out", "be given, and bytes_per_second with it");
    }
    return *links;
}

}  // namespace shardlab::wasm
