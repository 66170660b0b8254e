#include <cmath>
#include <limits>

#include <shardlab/collective_cost.hpp>

#include "catch.hpp"
#include "refusal.hpp"

using namespace shardlab;

TEST_CASE("ring cost: 2(N-1) steps and 2 S (N-1)/N bytes", "[cost]") {
    const double gibibyte = 1073741824;
    CHECK(all_reduce_cost(2, gibibyte).bytes_sent_per_rank == gibibyte);
    CHECK(all_reduce_cost(4, gibibyte).steps == 6);
    CHECK(all_reduce_cost(4, gibibyte).bytes_sent_per_rank == 1.5 * gibibyte);
    CHECK(all_reduce_cost(8, gibibyte).steps == 14);
    CHECK(all_reduce_cost(8, gibibyte).bytes_sent_per_rank == 1.75 * gibibyte);
    CHECK(all_reduce_cost(64, gibibyte).steps == 126);
    CHECK(all_reduce_cost(64, gibibyte).bytes_sent_per_rank == 1.96875 * gibibyte);
    CHECK(all_reduce_cost(1, gibibyte).bytes_sent_per_rank == 0);
    CHECK(all_reduce_cost(8, 0).bytes_sent_per_rank == 0);
    CHECK(all_reduce_cost(8, 1).bus_factor == 1.75);
    CHECK_FALSE(all_reduce_cost(8, 1).seconds.has_value());
}

TEST_CASE("ring cost: with a link, latency and bandwidth terms add up", "[cost]") {
    const Link link{5e-6, 50e9};
    CHECK(*all_reduce_cost(8, 1e9, link).seconds == Approx(14 * 5e-6 + 1.75e9 / 50e9).epsilon(1e-15));
    CHECK(*all_reduce_cost(1, 1e9, link).seconds == 0);
}

TEST_CASE("ring cost: latency is half of the time for a tensor of N latencies times the bandwidth", "[cost]") {
    // Their product is a whole number of bytes.
    const Link link{1.0 / 65536, 65536 * 700000.0};
    for (const int ranks : {2, 8, 1024}) {
        const double bytes = ranks * link.latency_seconds * link.bytes_per_second;
        const double latency = *all_reduce_cost(ranks, 0, link).seconds;
        CHECK(*all_reduce_cost(ranks, bytes, link).seconds == Approx(2 * latency).epsilon(1e-15));
    }
}

TEST_CASE("bytes are exact far beyond 32 bits", "[cost]") {
    constexpr double logits = 152064.0 * 8192 * 2;
    CHECK(logits == 2491416576.0);
    CHECK(all_reduce_cost(2, logits).bytes_sent_per_rank == 2491416576.0);
    CHECK(all_reduce_cost(4, 4503599627370496.0).bytes_sent_per_rank == 6755399441055744.0);
}

TEST_CASE("binomial tree cost: ring and tree take the same time at the published sizes", "[cost]") {
    const Link link{5e-6, 50e9};
    const auto tree_minus_ring = [&](int ranks, double bytes) {
        return *tree_all_reduce_cost(ranks, bytes, link, Tree::binomial).seconds -
               *all_reduce_cost(ranks, bytes, link).seconds;
    };
    // The crossover is where alpha (2(N-1) - 2 log N) = beta S (2 log N - 2(N-1)/N).
    CHECK(tree_minus_ring(8, 470588) < 0);
    CHECK(tree_minus_ring(8, 470589) > 0);
    CHECK(tree_minus_ring(64, 2.83e6) < 0);
    CHECK(tree_minus_ring(64, 2.85e6) > 0);
    CHECK(tree_all_reduce_cost(8, 100, link, Tree::binomial).bytes_sent_per_rank == 300);
    CHECK(tree_all_reduce_cost(5, 100, link, Tree::binomial).steps == 6);
}

TEST_CASE("binomial tree cost: the short form is latency alone", "[cost]") {
    CHECK(*tree_all_reduce_cost(64, 1024, 1e-6).seconds == 12 * 1e-6);
    CHECK(tree_all_reduce_cost(1, 1024, 1e-6).steps == 0);
    require_refused("latency_per_step", "-1", [] { tree_all_reduce_cost(4, 8, -1); });
}

TEST_CASE("costs refuse what is no count and no link", "[cost]") {
    require_refused("ranks", "0", [] { all_reduce_cost(0, 8); });
    require_refused("bytes", "-1", [] { all_reduce_cost(2, -1); });
    require_refused("bytes", "nan", [] { all_reduce_cost(2, std::numeric_limits<double>::quiet_NaN()); });
    require_refused("bytes", "1.5", [] { all_reduce_cost(2, 1.5); });
    require_refused("bytes_per_second", "0", [] { all_reduce_cost(2, 8, Link{0, 0}); });
    require_refused("latency_seconds", "-1e-06", [] { all_reduce_cost(2, 8, Link{-1e-6, 1}); });
    require_refused("tree", "fir", [] { tree_from_name("fir"); });
    for (const Tree tree : {Tree::binomial, Tree::double_binary, Tree::pipelined_bound}) {
        CHECK(tree_from_name(name(tree)) == tree);
    }
    require_refused("slices", "0", [] { tree_all_reduce_cost(4, 8, Link{0, 1}, Tree::double_binary, 0); });
    require_refused("tree", "7", [] { tree_all_reduce_cost(4, 8, Link{0, 1}, static_cast<Tree>(7)); });
    require_refused("algorithm", "7", [] { all_reduce_cost(static_cast<Algorithm>(7), 4, 8); });
    require_refused("per_node", "3", [] { all_reduce_cost(Algorithm::hierarchical, 8, 8, {.per_node = 3}); });
    const Links no_inter{.intra = {0, 1}, .inter = {0, 0}, .per_node = 2};
    require_refused("inter_bytes_per_second", "0", [&] { all_reduce_cost(Algorithm::ring, 8, 8, {}, no_inter); });
}

TEST_CASE("the largest accepted arguments still give finite costs", "[cost]") {
    const Link slowest{1e9, 1};
    const AllReduceCost ring = all_reduce_cost(1 << 30, 9007199254740992.0, slowest);
    CHECK(ring.steps == 2147483646);
    CHECK(std::isfinite(*ring.seconds));
    for (const Algorithm algorithm : algorithms) {
        const AllReduceCost cost =
            all_reduce_cost(algorithm, 1 << 30, 9007199254740992.0, {.slices = most_slices}, uniform_links(slowest));
        CHECK(cost.steps > 0);
        CHECK(std::isfinite(*cost.seconds));
    }
    CHECK(std::isfinite(*tree_all_reduce_cost(1 << 30, 9007199254740992.0, slowest, Tree::pipelined_bound).seconds));
}
