#include <algorithm>
#include <numeric>
#include <vector>

#include <shardlab/collective.hpp>
#include <shardlab/collective_cost.hpp>

#include "buffers.hpp"
#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

double sum_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

double largest_of(const std::vector<double>& values) {
    return *std::max_element(values.begin(), values.end());
}

}  // namespace

TEST_CASE("the ledger without numbers is the ledger of the execution, by every algorithm", "[collective][ledger]") {
    Random random(301);
    for (const Algorithm algorithm : algorithms) {
        for (int trial = 0; trial < 60; ++trial) {
            const Group group = some_group(random, algorithm, 40);
            const CollectiveSchedule schedule = schedule_of(algorithm, group, random.whole(0, 200));
            Matrix buffers = zeros("buffers", group.ranks, static_cast<double>(schedule.elements()));
            REQUIRE(execute(schedule, buffers) == ledger(schedule));
            Matrix32 halves(Matrix32::shape_type{buffers.shape(0), buffers.shape(1)}, 0.0F);
            REQUIRE(execute(schedule, halves) == ledger(schedule, sizeof(float)));
        }
    }
}

TEST_CASE("a ledger's ranks, steps and links add up to one total, over 500 random shapes", "[ledger]") {
    Random random(302);
    for (int trial = 0; trial < 500; ++trial) {
        const Algorithm algorithm = algorithms[random.whole(0, 5)];
        const Group group = some_group(random, algorithm, 40);
        const Ledger booked = ledger(schedule_of(algorithm, group, random.whole(0, 300)), 4);
        const double total = booked.total_bytes();
        CAPTURE(name(algorithm), group.ranks);
        REQUIRE(total == 4 * booked.elements_moved());
        REQUIRE(sum_of(booked.bytes_sent_per_rank()) == total);
        REQUIRE(sum_of(booked.bytes_received_per_rank()) == total);
        REQUIRE(sum_of(booked.bytes_per_step()) == total);
        REQUIRE(sum_of(booked.bytes_per_link()) == total);
        REQUIRE(booked.busiest_rank().bytes == largest_of(booked.bytes_sent_per_rank()));
        REQUIRE(booked.busiest_link().bytes == largest_of(booked.bytes_per_link()));
        REQUIRE(booked.link_bytes(booked.busiest_link().source, booked.busiest_link().destination) ==
                booked.busiest_link().bytes);
        // In one step no rank sends more than all ranks, nor all more than as many times the busiest.
        const std::vector<double> steps = booked.bytes_per_step();
        const std::vector<double> busiest = booked.busiest_bytes_per_step();
        for (std::size_t step = 0; step < steps.size(); ++step) {
            REQUIRE(busiest[step] <= steps[step]);
            REQUIRE(steps[step] <= group.ranks * busiest[step]);
        }
    }
}

TEST_CASE("no all-reduce beats the lower bound, and the ring attains it", "[ledger]") {
    Random random(303);
    for (const Algorithm algorithm : algorithms) {
        for (int trial = 0; trial < 300; ++trial) {
            const Group group = some_group(random, algorithm, 64);
            const double elements = random.whole(0, 400);
            const Ledger booked = ledger(schedule_of(algorithm, group, elements));
            const AllReduceBound bound = all_reduce_lower_bound(group.ranks, 8 * elements);
            CAPTURE(name(algorithm), group.ranks, elements);
            REQUIRE(booked.total_bytes() >= bound.total_bytes);
            REQUIRE(booked.busiest_rank_bytes() >= bound.busiest_rank_bytes);
        }
    }
    for (int ranks = 1; ranks <= 100; ++ranks) {
        const Ledger booked = ledger(ring_all_reduce_schedule(ranks, 3.0 * ranks));
        const AllReduceBound bound = all_reduce_lower_bound(ranks, 24.0 * ranks);
        CHECK(booked.total_bytes() == bound.total_bytes);
        CHECK(booked.busiest_rank_bytes() == bound.busiest_rank_bytes);
        // A tree sends as much in all, but not evenly.
        CHECK(ledger(binomial_tree_all_reduce_schedule(ranks, 3.0 * ranks)).total_bytes() == bound.total_bytes);
    }
}

TEST_CASE("the closed forms have the steps and the busiest rank's bytes of the schedule, over 500 even shapes each",
          "[ledger][cost]") {
    Random random(304);
    for (const Algorithm algorithm : algorithms) {
        for (int trial = 0; trial < 500; ++trial) {
            const Group group = some_group(random, algorithm, 70);
            const double elements = even_elements(algorithm, group.ranks, group.options) * random.whole(0, 3);
            const CollectiveSchedule schedule = schedule_of(algorithm, group, elements);
            const AllReduceCost cost = all_reduce_cost(algorithm, group.ranks, 8 * elements, group.options);
            CAPTURE(name(algorithm), group.ranks, group.options.slices, group.options.per_node, elements);
            REQUIRE(schedule.steps() == cost.steps);
            REQUIRE(ledger(schedule).busiest_rank_bytes() == Approx(cost.bytes_sent_per_rank).epsilon(1e-14));
        }
    }
}

TEST_CASE("a hierarchical all-reduce sends between nodes what a rank's shard takes", "[ledger]") {
    const int per_node = 4;
    const Ledger booked = ledger(hierarchical_all_reduce_schedule(12, 24, per_node), 1);
    double inside = 0;
    double between = 0;
    for (int source = 0; source < 12; ++source) {
        for (int destination = 0; destination < 12; ++destination) {
            const bool crosses = source / per_node != destination / per_node;
            (crosses ? between : inside) += booked.link_bytes(source, destination);
        }
    }
    CHECK(inside == 3 * 2 * 3 * 24);
    CHECK(between == 4 * 2 * 2 * 6);
}

TEST_CASE("a ledger of 1024 ranks is as exact as a small one", "[ledger]") {
    const Ledger booked = ledger(ring_all_reduce_schedule(1024, 1099511627776.0), 1);
    CHECK(booked.busiest_rank_bytes() == 2.0 * 1099511627776.0 * 1023 / 1024);
    CHECK(booked.busiest_link().bytes == booked.busiest_rank_bytes());
    CHECK(booked.steps() == 2046);
    CHECK(booked.bytes_per_step().size() == 2046);
}

TEST_CASE("a ledger of ranks, steps or elements that there are not is refused", "[ledger]") {
    require_refused("steps", "2147483647", [] { Ledger(2147483647, most_ranks, 8); });
    require_refused("ranks", "0", [] { Ledger(1, 0, 8); });
    require_refused("ranks", "1025", [] { Ledger(1, 1025, 8); });
    require_refused("element_bytes", "0", [] { Ledger(1, 1, 0); });
    Ledger booked(2, 3, 8);
    require_refused("step", "2", [&] { booked.record(2, {}); });
    require_refused("rank", "3", [&] { booked.record(0, {{{.source = 0, .destination = 3, .count = 1}}}); });
    require_refused("rank", "-1", [&] { booked.link_bytes(0, -1); });
    CHECK(booked == Ledger(2, 3, 8));
    require_refused("ranks", "0", [] { all_reduce_lower_bound(0, 8); });
    require_refused("bytes", "-8", [] { all_reduce_lower_bound(2, -8); });
}
