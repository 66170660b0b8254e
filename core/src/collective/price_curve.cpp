#include <algorithm>
#include <utility>

#include <shardlab/collective/price.hpp>
#include <shardlab/errors.hpp>

#include "check.hpp"
#include "ports.hpp"

namespace shardlab {
namespace {

using Lines = std::vector<PriceLine>;

bool flatter(const PriceLine& a, const PriceLine& b) {
    return std::pair(a.seconds_per_byte, a.latency_seconds) < std::pair(b.seconds_per_byte, b.latency_seconds);
}

/// A line over a link for a part of the tensor.
PriceLine line(double part, const Link& link) {
    return {.latency_seconds = link.latency_seconds, .seconds_per_byte = part / link.bytes_per_second};
}

/// The lines of a step's busiest ports, without one that is nowhere above the other.
Lines lines_of(const collective::PortLoad& load, const Links& links, double elements) {
    Lines lines;
    if (load.intra >= 0) {
        lines.push_back(line(load.intra / elements, links.intra));
    }
    if (load.inter >= 0) {
        lines.push_back(line(load.inter / elements, links.inter));
    }
    std::sort(lines.begin(), lines.end(), flatter);
    if (lines.size() == 2 && lines[0].latency_seconds <= lines[1].latency_seconds) {
        lines.erase(lines.begin());
    }
    return lines;
}

bool before(const Lines& a, const Lines& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), flatter);
}

/// Counts equal steps.
PriceCurve merged(std::vector<Lines> steps) {
    std::sort(steps.begin(), steps.end(), before);
    PriceCurve curve;
    for (Lines& lines : steps) {
        if (curve.steps.empty() || curve.steps.back().lines != lines) {
            curve.steps.push_back({.lines = std::move(lines), .count = 0});
        }
        ++curve.steps.back().count;
    }
    return curve;
}

}  // namespace

double PriceCurve::seconds(double bytes) const {
    constexpr double most_bytes = 1e290;
    require_between("bytes", bytes, 0, most_bytes);
    double sum = 0;
    for (const PricedSteps& equal : steps) {
        double longest = 0;
        for (const PriceLine& line : equal.lines) {
            longest = std::max(longest, line.latency_seconds + line.seconds_per_byte * bytes);
        }
        sum += equal.count * longest;
    }
    return sum;
}

PriceCurve price_curve(const CollectiveSchedule& schedule, const Links& links) {
    require_links(links);
    const auto elements = static_cast<double>(schedule.elements());
    require_count("elements", elements, 1);
    collective::Ports ports(schedule.ranks(), links.per_node);
    std::vector<Lines> steps;
    Step step;
    for (int index = 0; index < schedule.steps(); ++index) {
        schedule.generate(index, step);
        collective::require_inside(schedule, index, step);
        Lines lines = lines_of(ports.busiest(step), links, elements);
        if (!lines.empty()) {
            steps.push_back(std::move(lines));
        }
    }
    return merged(std::move(steps));
}

PriceCurve price_curve(Algorithm algorithm, int ranks, const ScheduleOptions& options, const Links& links) {
    const double elements = even_elements(algorithm, ranks, options);
    return price_curve(all_reduce_schedule(algorithm, ranks, elements, options), links);
}

}  // namespace shardlab
