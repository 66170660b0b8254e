#include <algorithm>

#include <shardlab/collective.hpp>
#include <shardlab/errors.hpp>

namespace shardlab {

double price_seconds(const CollectiveSchedule& schedule, const Link& link, double element_bytes) {
    require_link(link);
    require_count("element_bytes", element_bytes, 1);
    double seconds = 0;
    Step step;
    for (int index = 0; index < schedule.steps(); ++index) {
        schedule.generate(index, step);
        double longest = 0;
        for (const Transfer& transfer : step.transfers) {
            longest = std::max(longest, message_seconds(static_cast<double>(transfer.count) * element_bytes, link));
        }
        seconds += longest;
    }
    return seconds;
}

}  // namespace shardlab
