#include <cmath>
#include <string>

#include <shardlab/collective.hpp>
#include <shardlab/collective_cost.hpp>

#include "buffers.hpp"
#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"
#include "verified.hpp"

using namespace shardlab;

namespace {

constexpr Link fast{2e-6, 450e9};
constexpr Link slow{5e-6, 50e9};

/// A schedule that is one step.
CollectiveSchedule one_step(int ranks, std::vector<Transfer> transfers) {
    return {ranks, 100, 1, [=](int, Step& step) { step.transfers = transfers; }};
}

bool is_power_of_two(int ranks) {
    return (ranks & (ranks - 1)) == 0;
}

}  // namespace

TEST_CASE("a step lasts as long as its busiest port", "[price]") {
    const Link link{3, 10};
    const auto seconds = [&](std::vector<Transfer> transfers) {
        return price_seconds(one_step(4, std::move(transfers)), link, 1);
    };
    CHECK(seconds({}) == 0);
    CHECK(seconds({{0, 1, 0, 0, 0, false}}) == 3);
    CHECK(seconds({{0, 1, 0, 0, 20, false}, {2, 3, 0, 0, 40, false}}) == 3 + 4);
    // Two messages out of one port, two into one, and one each way.
    CHECK(seconds({{0, 1, 0, 0, 20, false}, {0, 2, 0, 0, 40, false}}) == 3 + 6);
    CHECK(seconds({{0, 2, 0, 0, 20, true}, {1, 2, 0, 20, 40, true}}) == 3 + 6);
    CHECK(seconds({{0, 1, 0, 0, 20, false}, {1, 0, 20, 20, 20, false}}) == 3 + 2);
}

TEST_CASE("inside and between nodes are ports of their own", "[price]") {
    const Links links{.intra = {1, 100}, .inter = {2, 10}, .per_node = 2};
    const auto seconds = [&](std::vector<Transfer> transfers) {
        return price_seconds(one_step(5, std::move(transfers)), links, 1);
    };
    CHECK(seconds({{0, 1, 0, 0, 50, false}}) == 1.5);
    CHECK(seconds({{1, 2, 0, 0, 50, false}}) == 7);
    CHECK(seconds({{0, 1, 0, 0, 50, false}, {0, 2, 0, 0, 10, false}}) == 3);
    CHECK(seconds({{3, 4, 0, 0, 10, false}}) == 3);
}

TEST_CASE("a slow rank takes longer over what it sends and receives, and over nothing else", "[price]") {
    const Links links = uniform_links({3, 10});
    const CollectiveSchedule schedule = one_step(3, {{0, 1, 0, 0, 20, false}});
    CHECK(price_seconds(schedule, links, 1, SlowRank{0, 2}) == 10);
    CHECK(price_seconds(schedule, links, 1, SlowRank{1, 3}) == 15);
    CHECK(price_seconds(schedule, links, 1, SlowRank{2, 3}) == 5);
    CHECK(price_seconds(ring_all_reduce_schedule(8, 80), links, 1, SlowRank{5, 2}) ==
          2 * price_seconds(ring_all_reduce_schedule(8, 80), links, 1));
    require_refused("rank", "3", [&] { price_seconds(schedule, links, 1, SlowRank{3, 2}); });
    require_refused("factor", "0.5", [&] { price_seconds(schedule, links, 1, SlowRank{0, 0.5}); });
}

TEST_CASE("each step has seconds of its own, and a step in which a slow rank rests is as short as ever", "[price]") {
    const Links links = uniform_links({1, 8});
    const CollectiveSchedule tree = all_reduce_schedule(Algorithm::tree, 4, 4, {});
    CHECK(seconds_per_step(tree, links, 8) == std::vector<double>{5, 5, 5, 5});
    CHECK(seconds_per_step(tree, links, 8, SlowRank{1, 2}) == std::vector<double>{10, 5, 5, 10});
    CHECK(seconds_per_step(tree, links, 0) == std::vector<double>{1, 1, 1, 1});
    CHECK(seconds_per_step(tree, links, 0.5) == std::vector<double>(4, 1.25));
    CHECK(seconds_per_step(ring_all_reduce_schedule(1, 4), links, 8).empty());
}

TEST_CASE("the price of a schedule is its closed form on one kind of link, over 500 even shapes each",
          "[price][cost]") {
    Random random(401);
    for (const Algorithm algorithm : algorithms) {
        for (int trial = 0; trial < 500; ++trial) {
            const Group group = some_group(random, algorithm, 66);
            const double elements = 1000 * even_elements(algorithm, group.ranks, group.options);
            const Link link{random.whole(0, 20) * 1e-6, random.whole(1, 1000) * 1e9};
            const double priced = price_seconds(schedule_of(algorithm, group, elements), link, 4);
            const double closed =
                *all_reduce_cost(algorithm, group.ranks, 4 * elements, group.options, uniform_links(link)).seconds;
            CAPTURE(name(algorithm), group.ranks, group.options.slices);
            if (algorithm == Algorithm::double_tree) {
                REQUIRE(priced <= closed * (1 + 1e-12));
            } else {
                REQUIRE(priced == Approx(closed).epsilon(1e-12));
            }
        }
    }
}

TEST_CASE("double tree: the closed form is exact on powers of two in whole or with many slices, and close elsewhere",
          "[price][cost]") {
    for (int ranks = 2; ranks <= 130; ++ranks) {
        for (const int slices : {1, 2, 3, 5, 8, 14, 16, 40}) {
            const ScheduleOptions options{.slices = slices};
            const double elements = even_elements(Algorithm::double_tree, ranks, options);
            const Link link{0, 1};
            const double slice = elements / (2 * slices);
            const double priced =
                price_seconds(all_reduce_schedule(Algorithm::double_tree, ranks, elements, options), link, 1) / slice;
            const double closed =
                *all_reduce_cost(Algorithm::double_tree, ranks, elements, options, uniform_links(link)).seconds / slice;
            CAPTURE(ranks, slices);
            int depth = 0;
            while ((1 << depth) < ranks) {
                ++depth;
            }
            const bool is_exact = ranks != 2 && is_power_of_two(ranks) && (slices == 1 || slices >= 2 * depth);
            if (is_exact || ranks == 2) {
                REQUIRE(priced == closed);
            }
            REQUIRE(priced <= closed);
            REQUIRE(closed - priced <= 8);
        }
    }
}

TEST_CASE("the price of ring, naive and hierarchical is their closed form on two kinds of link, over 500 even shapes",
          "[price][cost]") {
    Random random(402);
    for (const Algorithm algorithm : {Algorithm::ring, Algorithm::naive, Algorithm::hierarchical}) {
        for (int trial = 0; trial < 500; ++trial) {
            const Group group = some_group(random, algorithm, 66);
            const double elements = 1000 * even_elements(algorithm, group.ranks, group.options);
            const Links links{.intra = {random.whole(0, 9) * 1e-6, random.whole(1, 1000) * 1e9},
                              .inter = {random.whole(0, 9) * 1e-6, random.whole(1, 1000) * 1e9},
                              .per_node = group.options.per_node};
            const double priced = price_seconds(schedule_of(algorithm, group, elements), links, 4);
            const double closed = *all_reduce_cost(algorithm, group.ranks, 4 * elements, group.options, links).seconds;
            CAPTURE(name(algorithm), group.ranks, links.per_node);
            REQUIRE(priced == Approx(closed).epsilon(1e-12));
        }
    }
    const Links links{.intra = fast, .inter = slow, .per_node = 8};
    CHECK_FALSE(all_reduce_cost(Algorithm::tree, 16, 8, {}, links).seconds.has_value());
    CHECK(all_reduce_cost(Algorithm::tree, 8, 8, {}, links).seconds.has_value());
    CHECK_FALSE(all_reduce_cost(Algorithm::hierarchical, 16, 8, {.per_node = 4}, links).seconds.has_value());
}

TEST_CASE("the worked example of 4 nodes with 8 accelerators, to its printed digits", "[price][cost]") {
    CHECK(agreeing_cells("mleng_worked_example") == 5);

    const double bytes = 4294967296;
    const ScheduleOptions options{.per_node = 8};
    const Link nic{0, 50e9};
    const Link nvlink{0, 740.64e9};
    const auto milliseconds = [&](Algorithm algorithm, const Links& links) {
        const double priced = 1e3 * price_seconds(all_reduce_schedule(algorithm, 32, bytes / 4, options), links, 4);
        const double closed = 1e3 * *all_reduce_cost(algorithm, 32, bytes, options, links).seconds;
        CHECK(priced == Approx(closed).epsilon(1e-12));
        return priced;
    };
    CHECK(milliseconds(Algorithm::ring, {nvlink, nic, 8}) == Approx(166.42998272).epsilon(1e-12));
    CHECK(milliseconds(Algorithm::ring, {nvlink, {0, 400e9}, 8}) == Approx(20.80374784).epsilon(1e-12));
    const double serial = milliseconds(Algorithm::hierarchical, {nvlink, nic, 8});
    const double inside = 1e3 * *all_reduce_cost(8, bytes, nvlink).seconds;
    CHECK(inside == Approx(10.14824039749406).epsilon(1e-12));
    CHECK(serial - inside == Approx(16.10612736).epsilon(1e-12));

    // Its naive estimate is no all-reduce: the payload once through one network card. The naive all-reduce, which
    // gathers in one rank and broadcasts, takes 2(N - 1) times a whole message, those to other nodes over the card.
    const double naive = 1e3 * message_seconds(bytes, nic);
    CHECK(milliseconds(Algorithm::naive, {nvlink, nic, 8}) > 2 * (32 - 8) * naive);
}
