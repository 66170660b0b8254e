#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include <shardlab/collective_cost.hpp>
#include <shardlab/crossover.hpp>
#include <shardlab/errors.hpp>

namespace shardlab {
namespace {

/// What rounding may leave between equal sums, relative to them.
constexpr double rounding = 1e-12;

/// The size at which the second of two lines overtakes the first.
double overtaken_at(const PriceLine& flat, const PriceLine& steep) {
    return (flat.latency_seconds - steep.latency_seconds) / (steep.seconds_per_byte - flat.seconds_per_byte);
}

/// Appends the sizes over 0 at which a curve bends.
void append_bends(const PriceCurve& curve, std::vector<double>& sizes) {
    for (const PricedSteps& steps : curve.steps) {
        for (std::size_t index = 1; index < steps.lines.size(); ++index) {
            const double size = overtaken_at(steps.lines[index - 1], steps.lines[index]);
            if (size > 0 && size < largest_count) {
                sizes.push_back(size);
            }
        }
    }
}

void sort_without_repeats(std::vector<double>& sizes) {
    std::sort(sizes.begin(), sizes.end());
    const auto same = [](double a, double b) { return b - a <= rounding * b; };
    sizes.erase(std::unique(sizes.begin(), sizes.end(), same), sizes.end());
}

/// The line that a curve follows around a size.
PriceLine line_at(const PriceCurve& curve, double bytes) {
    PriceLine sum;
    for (const PricedSteps& steps : curve.steps) {
        const auto seconds = [&](const PriceLine& line) {
            return line.latency_seconds + line.seconds_per_byte * bytes;
        };
        const PriceLine& longest =
            *std::max_element(steps.lines.begin(), steps.lines.end(),
                              [&](const PriceLine& a, const PriceLine& b) { return seconds(a) < seconds(b); });
        sum.latency_seconds += steps.count * longest.latency_seconds;
        sum.seconds_per_byte += steps.count * longest.seconds_per_byte;
    }
    return sum;
}

/// a - b, or 0 if that is what rounding left.
double difference(double a, double b) {
    return std::abs(a - b) <= rounding * std::max(a, b) ? 0 : a - b;
}

/// By how much the first curve is slower around a size, as a line.
PriceLine lead_at(const PriceCurve& first, const PriceCurve& second, double bytes) {
    const PriceLine a = line_at(first, bytes);
    const PriceLine b = line_at(second, bytes);
    return {.latency_seconds = difference(a.latency_seconds, b.latency_seconds),
            .seconds_per_byte = difference(a.seconds_per_byte, b.seconds_per_byte)};
}

Faster faster_at(const PriceCurve& first, const PriceCurve& second, double bytes) {
    const PriceLine lead = lead_at(first, second, bytes);
    const double seconds = lead.latency_seconds + lead.seconds_per_byte * bytes;
    return seconds == 0 ? Faster::equal : seconds < 0 ? Faster::first : Faster::second;
}

/// Appends where the curves meet between two bends, both of which they pass without bending.
void append_meetings(const PriceCurve& first, const PriceCurve& second, double from, double to,
                     std::vector<double>& sizes) {
    const PriceLine lead = lead_at(first, second, from + (to - from) / 2);
    if (lead.seconds_per_byte == 0) {
        if (lead.latency_seconds == 0) {
            sizes.insert(sizes.end(), {from, to});
        }
        return;
    }
    const double meeting = -lead.latency_seconds / lead.seconds_per_byte;
    if (meeting >= from * (1 - rounding) && meeting <= to * (1 + rounding)) {
        sizes.push_back(meeting);
    }
}

/// The sizes at which the curves meet, or begin or cease to run together, and maybe some inside such a range.
std::vector<double> meetings(const PriceCurve& first, const PriceCurve& second) {
    std::vector<double> bends = {0, largest_count};
    append_bends(first, bends);
    append_bends(second, bends);
    sort_without_repeats(bends);
    std::vector<double> sizes;
    for (std::size_t index = 1; index < bends.size(); ++index) {
        append_meetings(first, second, bends[index - 1], bends[index], sizes);
    }
    std::erase_if(sizes, [](double size) { return !(size > 0 && size < largest_count); });
    sort_without_repeats(sizes);
    return sizes;
}

}  // namespace

PriceCurve pipelined_tree_bound(int ranks, const Link& link) {
    require_int("ranks", ranks, 1, most_priced_ranks);
    require_link(link);
    if (ranks == 1) {
        return {};
    }
    const auto levels = static_cast<double>(std::bit_width(static_cast<unsigned>(ranks) - 1));
    const PriceLine line{.latency_seconds = 2 * levels * link.latency_seconds,
                         .seconds_per_byte = 2 / link.bytes_per_second};
    return {.steps = {{.lines = {line}, .count = 1}}};
}

PriceCurve price_curve_from_name(std::string_view name, int ranks, const ScheduleOptions& options, const Links& links) {
    require_links(links);
    if (name != pipelined_tree_bound_name) {
        return price_curve(algorithm_from_name(name), ranks, options, links);
    }
    const bool one_kind = links.intra.latency_seconds == links.inter.latency_seconds &&
                          links.intra.bytes_per_second == links.inter.bytes_per_second;
    if (!one_kind) {
        throw invalid_argument("algorithm", std::string(name), "stand with one kind of link, for which the bound is");
    }
    return pipelined_tree_bound(ranks, links.intra);
}

Crossover crossover(const PriceCurve& first, const PriceCurve& second) {
    const std::vector<double> sizes = meetings(first, second);
    Crossover result;
    double from = 0;
    for (std::size_t index = 0; index <= sizes.size(); ++index) {
        const double to = index < sizes.size() ? sizes[index] : largest_count;
        const Faster faster = faster_at(first, second, from + (to - from) / 2);
        const bool goes_on = !result.ranges.empty() && result.ranges.back().faster == faster;
        if (goes_on) {
            result.ranges.back().to_bytes = to;
        } else {
            result.ranges.push_back({.from_bytes = from, .to_bytes = to, .faster = faster});
        }
        // A size inside a range where the curves run together is no event.
        const bool inside_equal = goes_on && faster == Faster::equal;
        if (index > 0 && !inside_equal) {
            result.crossings.push_back(from);
        }
        from = to;
    }
    return result;
}

}  // namespace shardlab
