#include <limits>

#include <shardlab/errors.hpp>
#include <shardlab/hardware.hpp>

namespace shardlab {

Link require_link(Link link) {
    constexpr double longest_seconds = 1e9;
    constexpr double fastest_bytes_per_second = 1e18;
    require_between("latency_seconds", link.latency_seconds, 0, longest_seconds);
    require_between("bytes_per_second", link.bytes_per_second, 1, fastest_bytes_per_second);
    return link;
}

double message_seconds(double bytes, const Link& link) {
    require_between("bytes", bytes, 0, std::numeric_limits<double>::max());
    require_link(link);
    return link.latency_seconds + bytes / link.bytes_per_second;
}

}  // namespace shardlab
