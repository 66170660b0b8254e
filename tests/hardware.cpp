#include <limits>

#include <shardlab/hardware.hpp>

#include "catch.hpp"
#include "refusal.hpp"

using namespace shardlab;

TEST_CASE("a message takes its latency and its bytes over the rate", "[hardware]") {
    const Link link{5e-6, 50e9};
    CHECK(message_seconds(0, link) == 5e-6);
    CHECK(message_seconds(1e9, link) == 5e-6 + 0.02);
}

TEST_CASE("a link is refused by the field that is no time or no rate", "[hardware]") {
    require_refused("latency_seconds", "-1", [] { require_link({-1, 1e9}); });
    require_refused("latency_seconds", "2000000000", [] { require_link({2e9, 1e9}); });
    require_refused("bytes_per_second", "0.5", [] { require_link({0, 0.5}); });
    CHECK(require_link({0, 1e18}).bytes_per_second == 1e18);
}

TEST_CASE("a message over no link, or of no number of bytes, is refused", "[hardware]") {
    require_refused("bytes", "nan", [] { message_seconds(std::numeric_limits<double>::quiet_NaN(), {0, 1}); });
    require_refused("bytes", "-1", [] { message_seconds(-1, {0, 1}); });
    require_refused("bytes_per_second", "0", [] { message_seconds(1, {0, 0}); });
}
