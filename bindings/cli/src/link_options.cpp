#include "link_options.hpp"

#include <string>

namespace shardlab::cli {
namespace {

bool is_given(const Options& options, const std::string& prefix) {
    return options.given(prefix + "latency_seconds") || options.given(prefix + "bytes_per_second");
}

/// Both numbers of a link; the one that is missing is asked for by name.
Link link(const Options& options, const std::string& prefix) {
    return {.latency_seconds = options.number(prefix + "latency_seconds"),
            .bytes_per_second = options.number(prefix + "bytes_per_second")};
}

}  // namespace

void declare_shape(Options& options) {
    options.add_with_default("slices", "S", "1", "parts of the tensor that follow each other through a tree");
    options.add_with_default("per_node", "G", "8", "ranks in a node");
}

void declare_link(Options& options) {
    options.add("latency_seconds", "SECONDS", "alpha of the link, together with --bytes-per-second");
    options.add("bytes_per_second", "RATE", "rate of the link in one direction, together with --latency-seconds");
}

void declare_links(Options& options) {
    declare_link(options);
    options.add("inter_latency_seconds", "SECONDS", "alpha of the link between nodes, if that is another one");
    options.add("inter_bytes_per_second", "RATE", "rate of the link between nodes, if that is another one");
}

ScheduleOptions shape_asked_for(const Options& options, int most_per_node) {
    return {.slices = options.whole("slices", 1, most_slices), .per_node = options.whole("per_node", 1, most_per_node)};
}

Link required_link(const Options& options) {
    return require_link(link(options, ""));
}

std::optional<Links> links_asked_for(const Options& options, int per_node) {
    const bool nothing = !is_given(options, "") && !is_given(options, "inter_");
    return nothing ? std::nullopt : std::optional(required_links(options, per_node));
}

Links required_links(const Options& options, int per_node) {
    const std::optional<Link> inter =
        is_given(options, "inter_") ? std::optional(link(options, "inter_")) : std::nullopt;
    const Link intra = link(options, "");
    return require_links(inter ? Links{.intra = intra, .inter = *inter, .per_node = per_node} : uniform_links(intra));
}

}  // namespace shardlab::cli
