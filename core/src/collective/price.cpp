#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include <shardlab/collective/price.hpp>
#include <shardlab/errors.hpp>

#include "check.hpp"
#include "ports.hpp"

namespace shardlab {
namespace {

/// The longest of the two kinds of link.
double busiest_seconds(const collective::PortLoad& load, const Links& links, double element_bytes) {
    const double intra = load.intra ? message_seconds(*load.intra * element_bytes, links.intra) : 0;
    const double inter = load.inter ? message_seconds(*load.inter * element_bytes, links.inter) : 0;
    return std::max(intra, inter);
}

SlowRank require_slow(const CollectiveSchedule& schedule, const SlowRank& slow) {
    constexpr double slowest = 1e6;
    require_int("rank", slow.rank, 0, schedule.ranks() - 1);
    require_between("factor", slow.factor, 1, slowest);
    return slow;
}

}  // namespace

double price_seconds(const CollectiveSchedule& schedule, const Links& links, double element_bytes,
                     std::optional<SlowRank> slow) {
    require_links(links);
    require_count("element_bytes", element_bytes, 1);
    if (slow) {
        require_slow(schedule, *slow);
    }
    collective::Ports ports(schedule.ranks(), links.per_node);
    double seconds = 0;
    Step step;
    for (int index = 0; index < schedule.steps(); ++index) {
        schedule.generate(index, step);
        collective::require_inside(schedule, index, step);
        const collective::StepLoad load = ports.load(step, slow ? slow->rank : 0);
        double longest = busiest_seconds(load.busiest, links, element_bytes);
        if (slow) {
            longest = std::max(longest, slow->factor * busiest_seconds(load.watched, links, element_bytes));
        }
        seconds += longest;
    }
    return seconds;
}

double price_seconds(const CollectiveSchedule& schedule, const Link& link, double element_bytes) {
    return price_seconds(schedule, uniform_links(link), element_bytes);
}

}  // namespace shardlab
