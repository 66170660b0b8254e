#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include <shardlab/collective/price.hpp>
#include <shardlab/errors.hpp>

#include "check.hpp"
#include "ports.hpp"

namespace shardlab {
namespace {

double seconds_of(double elements, const Link& link, double element_bytes) {
    return elements < 0 ? 0 : message_seconds(elements * element_bytes, link);
}

/// The longer of the two kinds of link.
double seconds_of(const collective::PortLoad& load, const Links& links, double element_bytes) {
    return std::max(seconds_of(load.intra, links.intra, element_bytes),
                    seconds_of(load.inter, links.inter, element_bytes));
}

SlowRank require_slow(const CollectiveSchedule& schedule, const SlowRank& slow) {
    constexpr double slowest = 1e6;
    require_int("rank", slow.rank, 0, schedule.ranks() - 1);
    require_between("factor", slow.factor, 1, slowest);
    return slow;
}

}  // namespace

std::vector<double> seconds_per_step(const CollectiveSchedule& schedule, const Links& links, double element_bytes,
                                     std::optional<SlowRank> slow) {
    require_links(links);
    require_between("element_bytes", element_bytes, 0, largest_count);
    if (slow) {
        require_slow(schedule, *slow);
    }
    collective::Ports ports(schedule.ranks(), links.per_node);
    std::vector<double> seconds;
    seconds.reserve(static_cast<std::size_t>(schedule.steps()));
    Step step;
    for (int index = 0; index < schedule.steps(); ++index) {
        schedule.generate(index, step);
        collective::require_inside(schedule, index, step);
        double longest = seconds_of(ports.busiest(step), links, element_bytes);
        if (slow) {
            longest =
                std::max(longest, slow->factor * seconds_of(ports.of_rank(step, slow->rank), links, element_bytes));
        }
        seconds.push_back(longest);
    }
    return seconds;
}

double price_seconds(const CollectiveSchedule& schedule, const Links& links, double element_bytes,
                     std::optional<SlowRank> slow) {
    const std::vector<double> seconds = seconds_per_step(schedule, links, element_bytes, slow);
    return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

double price_seconds(const CollectiveSchedule& schedule, const Link& link, double element_bytes) {
    return price_seconds(schedule, uniform_links(link), element_bytes);
}

}  // namespace shardlab
