// What a size costs: NCCL's tuning model, crossovers, fits.

#include <algorithm>
#include <cmath>
#include <vector>

#include <shardlab/crossover.hpp>
#include <shardlab/measure.hpp>
#include <shardlab/nccl_tuning.hpp>

#include "functions.hpp"

namespace fuzz {
namespace {

shardlab::Link link_of(Arguments& arguments) {
    return {.latency_seconds = arguments.number(), .bytes_per_second = arguments.number()};
}

/// Ranks that a curve is made of quickly, or none at all.
int few_ranks(Arguments& arguments) {
    const int ranks = arguments.whole();
    constexpr int few = 24;
    return ranks > few && ranks <= shardlab::most_ranks ? ranks % few : ranks;
}

std::optional<shardlab::PriceCurve> curve_of(Arguments& arguments, int ranks, const shardlab::ScheduleOptions& options,
                                             const shardlab::Links& links) {
    const std::string name = arguments.text(
        {"ring", "naive", "tree", "double-tree", "halving-doubling", "hierarchical", "pipelined-tree-bound"});
    return attempt({"algorithm", "ranks", "slices", "per_node", "latency_seconds", "bytes_per_second",
                    "inter_latency_seconds", "inter_bytes_per_second"},
                   [&] { return shardlab::price_curve_from_name(name, ranks, options, links); });
}

}  // namespace

void nccl_tuning(Arguments& arguments) {
    const shardlab::NcclGroup group{.version = arguments.text({"2.18", "v2.19.3-1", "2.27.7", "master", "2.8"}),
                                    .architecture = static_cast<shardlab::NcclArchitecture>(arguments.within(0, 3)),
                                    .ranks = arguments.whole(),
                                    .nodes = arguments.whole(),
                                    .link = static_cast<shardlab::NcclLink>(arguments.within(0, 2)),
                                    .channels = arguments.whole(),
                                    .channel_bytes_per_second = arguments.number() * (arguments.flag() ? 1e9 : 1),
                                    .cpu = static_cast<shardlab::NcclCpu>(arguments.within(0, 1)),
                                    .tree_pattern = arguments.flag()};
    const double bytes = arguments.number();
    attempt({"arch"}, [&] { return shardlab::nccl_architecture_from_name(arguments.text({"ampere", "Volta"})); });
    attempt({"link"}, [&] { return shardlab::nccl_link_from_name(arguments.text({"nvlink", "net"})); });
    attempt({"cpu"}, [&] { return shardlab::nccl_cpu_from_name(arguments.text({"intel", "AMD"})); });
    const auto tuning = attempt({"version", "arch", "ranks", "nodes", "channels", "channel_bytes_per_second", "bytes"},
                                [&] { return shardlab::nccl_tuning(group, bytes); });
    if (!tuning) {
        return;
    }
    for (const shardlab::NcclTime& time : tuning->times) {
        require_finite({time.seconds, time.latency_seconds, time.bytes_per_second});
        require(time.seconds >= time.latency_seconds && time.latency_seconds > 0,
                "a message takes its latency at least");
        require(time.bytes_per_second > 0, "a bandwidth is over 0");
        require(!time.enabled || tuning->choice.seconds <= time.seconds, "the choice is the shortest");
    }
}

void crossover(Arguments& arguments) {
    const int ranks = few_ranks(arguments);
    const shardlab::ScheduleOptions options{.slices = arguments.within(0, 9), .per_node = arguments.within(0, 9)};
    shardlab::Links links = shardlab::uniform_links({.latency_seconds = 1e-6, .bytes_per_second = 1e9});
    links.per_node = arguments.within(0, 9);
    links.intra = link_of(arguments);
    links.inter = arguments.flag() ? links.intra : link_of(arguments);
    const auto first = curve_of(arguments, ranks, options, links);
    const auto second = curve_of(arguments, ranks, options, links);
    if (!first || !second) {
        return;
    }
    const shardlab::Crossover compared = shardlab::crossover(*first, *second);
    require_finite(compared.crossings);
    require(std::is_sorted(compared.crossings.begin(), compared.crossings.end()), "crossings are in order");
    for (const double size : compared.crossings) {
        constexpr double rounding = 1e-9;
        constexpr double shortest = 1e-300;
        const double a = first->seconds(size);
        const double b = second->seconds(size);
        require(std::abs(a - b) <= rounding * std::max(a, b) + shortest, "both take the same time at a crossing");
    }
    double reached = 0;
    for (const shardlab::FasterRange& range : compared.ranges) {
        require(range.from_bytes == reached && range.to_bytes >= reached, "ranges follow each other");
        reached = range.to_bytes;
    }
    require(reached == shardlab::largest_count, "ranges reach every size");
}

void measure(Arguments& arguments) {
    std::vector<shardlab::Measurement> measurements(static_cast<std::size_t>(arguments.within(0, 16)));
    for (shardlab::Measurement& measurement : measurements) {
        measurement = {.bytes = arguments.number(), .seconds = arguments.number()};
    }
    const int regimes = arguments.whole();
    const auto fit = attempt({"measurements", "regimes"}, [&] {
        return arguments.flag() ? shardlab::fit_regimes(measurements) : shardlab::fit_regimes(measurements, regimes);
    });
    if (!fit) {
        return;
    }
    for (const shardlab::FittedPoint& point : fit->points) {
        require_finite({point.fitted_seconds, point.relative_error, point.left_out_relative_error.value_or(0)});
        require(point.fitted_seconds > 0, "every size takes time");
    }
    const double bytes = arguments.number();
    const auto seconds = attempt({"bytes"}, [&] { return shardlab::fitted_seconds(fit->regimes, bytes); });
    require_finite({seconds.value_or(0)});
}

}  // namespace fuzz
