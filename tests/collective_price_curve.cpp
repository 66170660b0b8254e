#include <cmath>
#include <vector>

#include <shardlab/collective.hpp>
#include <shardlab/collective_cost.hpp>

#include "buffers.hpp"
#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

constexpr Link fast{2e-6, 450e9};
constexpr Link slow{5e-6, 50e9};

}  // namespace

TEST_CASE("a price curve gives the price of the schedule at every size that divides evenly", "[price]") {
    Random random(403);
    for (const Algorithm algorithm : algorithms) {
        for (int trial = 0; trial < 60; ++trial) {
            const Group group = some_group(random, algorithm, 50);
            const Links links{.intra = fast, .inter = slow, .per_node = random.whole(1, 20)};
            const PriceCurve curve = price_curve(algorithm, group.ranks, group.options, links);
            double steps = 0;
            for (const PricedSteps& equal : curve.steps) {
                steps += equal.count;
                REQUIRE(equal.lines.size() >= 1);
                REQUIRE(equal.lines.size() <= 2);
            }
            CAPTURE(name(algorithm), group.ranks, links.per_node);
            REQUIRE(steps == schedule_of(algorithm, group, 0).steps());
            for (const int multiple : {1, 37, 100000}) {
                const double elements = even_elements(algorithm, group.ranks, group.options) * multiple;
                const double priced = price_seconds(schedule_of(algorithm, group, elements), links, 2);
                REQUIRE(curve.seconds(2 * elements) == Approx(priced).epsilon(1e-12));
            }
        }
    }
}

TEST_CASE("a ring's price curve is one line, and steps over two kinds of link bend", "[price]") {
    const PriceCurve ring = price_curve(Algorithm::ring, 1024, {}, uniform_links(slow));
    REQUIRE(ring.steps.size() == 1);
    CHECK(ring.steps[0].count == 2046);
    CHECK(ring.steps[0].lines == std::vector<PriceLine>{{5e-6, 1.0 / 1024 / 50e9}});
    // Between nodes the latency is higher and the rate too: small tensors wait for one, large ones for the other.
    const Links bent{.intra = {1e-6, 1e9}, .inter = {1e-3, 1e10}, .per_node = 4};
    const PriceCurve curve = price_curve(Algorithm::ring, 8, {}, bent);
    REQUIRE(curve.steps.size() == 1);
    CHECK(curve.steps[0].lines.size() == 2);
    CHECK(curve.steps[0].lines[0].seconds_per_byte < curve.steps[0].lines[1].seconds_per_byte);
    CHECK(price_curve(Algorithm::ring, 1, {}, bent).steps.empty());
    CHECK(price_curve(Algorithm::ring, 1, {}, bent).seconds(1e9) == 0);
    require_refused("bytes", "-1", [&] { ring.seconds(-1); });
    require_refused("bytes", "nan", [&] { ring.seconds(std::nan("")); });
    require_refused("elements", "0", [&] { price_curve(ring_all_reduce_schedule(4, 0), bent); });
    CHECK(std::isfinite(ring.seconds(1e290)));
}

TEST_CASE("ring and tree cross where the published sizes say", "[price][cost]") {
    const auto crossing = [](int ranks, const Link& link, Tree tree) {
        // Both are lines, latency and seconds per byte, so their crossing follows from two sizes.
        const auto difference = [&](double bytes) {
            return *tree_all_reduce_cost(ranks, bytes, link, tree).seconds -
                   *all_reduce_cost(ranks, bytes, link).seconds;
        };
        const double bytes = 1e9;
        return -difference(0) * bytes / (difference(bytes) - difference(0));
    };
    CHECK(crossing(8, {5e-6, 50e9}, Tree::binomial) == Approx(470588.2).epsilon(1e-6));
    CHECK(crossing(64, {5e-6, 50e9}, Tree::binomial) == Approx(2841121.5).epsilon(1e-6));
    CHECK(crossing(8, {5e-6, 50e9}, Tree::pipelined_bound) == Approx(8e6).epsilon(1e-9));
    CHECK(crossing(64, {5e-6, 50e9}, Tree::pipelined_bound) == Approx(912e6).epsilon(1e-9));
    CHECK(crossing(64, {1e-6, 100e9}, Tree::binomial) == Approx(1136448.6).epsilon(1e-7));
    CHECK(crossing(64, {1e-6, 100e9}, Tree::pipelined_bound) == Approx(364.8e6).epsilon(1e-9));
}

TEST_CASE("no number of slices reaches the bound of a pipelined tree, and more come closer for large tensors",
          "[price][cost]") {
    const Link link{1e-6, 100e9};
    const double bytes = 1e11;
    const double bound = *tree_all_reduce_cost(64, bytes, link, Tree::pipelined_bound).seconds;
    double before = *tree_all_reduce_cost(64, bytes, link, Tree::double_binary, 1).seconds;
    for (const int slices : {2, 8, 64, 1024}) {
        const double seconds = *tree_all_reduce_cost(64, bytes, link, Tree::double_binary, slices).seconds;
        CHECK(seconds > bound);
        CHECK(seconds < before);
        before = seconds;
    }
    CHECK(before < 1.01 * bound);
}

TEST_CASE("halving-doubling is no slower than ring and trees on a power of two of equal links", "[price]") {
    for (const int ranks : {2, 4, 8, 64, 256}) {
        for (const double bytes : {1024.0, 1048576.0, 1073741824.0}) {
            const Links links = uniform_links(slow);
            const double best = price_curve(Algorithm::halving_doubling, ranks, {}, links).seconds(bytes);
            for (const Algorithm algorithm :
                 {Algorithm::ring, Algorithm::naive, Algorithm::tree, Algorithm::double_tree}) {
                for (const int slices : {1, 4, 16}) {
                    CHECK(best <=
                          price_curve(algorithm, ranks, {.slices = slices}, links).seconds(bytes) * (1 + 1e-12));
                }
            }
        }
    }
}
