#include <limits>

#include <shardlab/errors.hpp>
#include <shardlab/hardware.hpp>

namespace shardlab {
namespace {

void require_fields(const Link& link, const char* latency_name, const char* rate_name) {
    constexpr double longest_seconds = 1e9;
    constexpr double fastest_bytes_per_second = 1e18;
    require_between(latency_name, link.latency_seconds, 0, longest_seconds);
    require_between(rate_name, link.bytes_per_second, 1, fastest_bytes_per_second);
}

}  // namespace

Link require_link(Link link) {
    require_fields(link, "latency_seconds", "bytes_per_second");
    return link;
}

Links uniform_links(const Link& link) {
    return {.intra = link, .inter = link, .per_node = std::numeric_limits<int>::max()};
}

Links require_links(Links links) {
    require_fields(links.intra, "latency_seconds", "bytes_per_second");
    require_fields(links.inter, "inter_latency_seconds", "inter_bytes_per_second");
    require_int("per_node", links.per_node, 1);
    return links;
}

double message_seconds(double bytes, const Link& link) {
    require_between("bytes", bytes, 0, std::numeric_limits<double>::max());
    require_link(link);
    return link.latency_seconds + bytes / link.bytes_per_second;
}

}  // namespace shardlab
