#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <shardlab/collective_cost.hpp>
#include <shardlab/crossover.hpp>

#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

constexpr Link slow_link = {.latency_seconds = 5e-6, .bytes_per_second = 50e9};
constexpr Link fast_link = {.latency_seconds = 1e-6, .bytes_per_second = 100e9};

Crossover between(const std::string& first, const std::string& second, int ranks, const Links& links,
                  const ScheduleOptions& options = {}) {
    return crossover(price_curve_from_name(first, ranks, options, links),
                     price_curve_from_name(second, ranks, options, links));
}

/// The only size at which the first, faster below, is overtaken by the second.
double overtaken_at(const std::string& small, const std::string& large, int ranks, const Link& link) {
    const Crossover compared = between(small, large, ranks, uniform_links(link));
    REQUIRE(compared.crossings.size() == 1);
    REQUIRE(compared.ranges.size() == 2);
    CHECK(compared.ranges[0].faster == Faster::first);
    CHECK(compared.ranges[1].faster == Faster::second);
    return compared.crossings[0];
}

std::vector<Faster> faster_of(const Crossover& compared) {
    std::vector<Faster> list;
    for (const FasterRange& range : compared.ranges) {
        list.push_back(range.faster);
    }
    return list;
}

/// A curve of one step that is the largest of some lines.
PriceCurve largest_of(std::vector<PriceLine> lines) {
    return {.steps = {{.lines = std::move(lines), .count = 1}}};
}

PriceCurve random_curve(Random& random) {
    PriceCurve curve;
    for (int step = random.whole(1, 2); step > 0; --step) {
        const double latency = random.whole(3, 5);
        const double slope = random.whole(1, 2);
        std::vector<PriceLine> lines = {{latency, slope}};
        if (random.whole(0, 3) > 0) {
            lines.push_back({latency - random.whole(1, 3), slope + random.whole(1, 4)});
        }
        curve.steps.push_back({.lines = lines, .count = static_cast<double>(random.whole(1, 4))});
    }
    return curve;
}

/// Which is faster by the times themselves.
Faster faster_by_time(const PriceCurve& first, const PriceCurve& second, double bytes) {
    const double a = first.seconds(bytes);
    const double b = second.seconds(bytes);
    return std::abs(a - b) <= 1e-12 * a ? Faster::equal : a < b ? Faster::first : Faster::second;
}

}  // namespace

TEST_CASE("Crossover: ring against the whole-message binomial tree", "[crossover]") {
    CHECK(overtaken_at("tree", "ring", 8, slow_link) == Approx(470588.235294).epsilon(1e-9));
    CHECK(overtaken_at("tree", "ring", 64, slow_link) == Approx(2841121.495327).epsilon(1e-9));
    CHECK(overtaken_at("tree", "ring", 64, fast_link) == Approx(1136448.598131).epsilon(1e-9));
}

TEST_CASE("Crossover: ring against the bound of a pipelined tree", "[crossover]") {
    CHECK(overtaken_at(pipelined_tree_bound_name, "ring", 8, slow_link) == Approx(8e6).epsilon(1e-12));
    CHECK(overtaken_at(pipelined_tree_bound_name, "ring", 64, slow_link) == Approx(912e6).epsilon(1e-12));
    CHECK(overtaken_at(pipelined_tree_bound_name, "ring", 64, fast_link) == Approx(364.8e6).epsilon(1e-12));
}

TEST_CASE("Crossover: the bound of a pipelined tree is its closed form, which no number of slices reaches",
          "[crossover]") {
    for (const int ranks : {1, 2, 3, 8, 100, 1024}) {
        const PriceCurve bound = pipelined_tree_bound(ranks, slow_link);
        for (const double bytes : {0.0, 1.0, 1e6, 1e12}) {
            CHECK(bound.seconds(bytes) ==
                  Approx(*tree_all_reduce_cost(ranks, bytes, slow_link, Tree::pipelined_bound).seconds).margin(1e-300));
        }
    }
    for (const int slices : {1, 4, 64}) {
        const Crossover compared =
            between(pipelined_tree_bound_name, "double-tree", 64, uniform_links(slow_link), {.slices = slices});
        CHECK(compared.ranges.back().faster == Faster::first);
    }
}

TEST_CASE("Crossover: two ranks need no tree, one rank needs nothing", "[crossover]") {
    const Crossover two = between("ring", "tree", 2, uniform_links(slow_link));
    CHECK(two.crossings.empty());
    CHECK(faster_of(two) == std::vector{Faster::first});
    const Crossover one = between("ring", "tree", 1, uniform_links(slow_link));
    CHECK(one.crossings.empty());
    CHECK(faster_of(one) == std::vector{Faster::equal});
}

TEST_CASE("Crossover: with two kinds of link an algorithm may be overtaken and overtake again", "[crossover]") {
    const Links links = {.intra = {.latency_seconds = 1e-6, .bytes_per_second = 10e9},
                         .inter = {.latency_seconds = 10e-6, .bytes_per_second = 10e9},
                         .per_node = 3};
    const Crossover compared = between("tree", "halving-doubling", 6, links, {.slices = 4, .per_node = 3});
    REQUIRE(compared.crossings.size() == 2);
    CHECK(compared.crossings[0] == Approx(240000).epsilon(1e-9));
    CHECK(compared.crossings[1] == Approx(960000).epsilon(1e-9));
    CHECK(faster_of(compared) == std::vector{Faster::second, Faster::first, Faster::second});
    CHECK(compared.ranges[1].from_bytes == compared.crossings[0]);
    CHECK(compared.ranges[1].to_bytes == compared.crossings[1]);
}

TEST_CASE("Crossover: halving-doubling keeps large messages inside the node", "[crossover]") {
    const Links links = {.intra = {.latency_seconds = 5e-6, .bytes_per_second = 450e9},
                         .inter = {.latency_seconds = 10e-6, .bytes_per_second = 50e9},
                         .per_node = 8};
    const double halving = price_curve(Algorithm::halving_doubling, 16, {}, links).seconds(1 << 28);
    const double hierarchical = price_curve(Algorithm::hierarchical, 16, {.per_node = 8}, links).seconds(1 << 28);
    CHECK(halving < hierarchical);
    CHECK(halving == Approx(1.77e-3).epsilon(0.01));
}

TEST_CASE("Crossover: curves that run together are equal there, and part where one bends", "[crossover]") {
    const PriceCurve level = largest_of({{1, 0}});
    const PriceCurve rising = largest_of({{1, 0}, {0, 0.1}});
    const Crossover parted = crossover(level, rising);
    CHECK(parted.crossings == std::vector{10.0});
    CHECK(faster_of(parted) == std::vector{Faster::equal, Faster::first});

    const Crossover met = crossover(largest_of({{1, 0}, {0, 0.1}}), largest_of({{0.5, 0.05}, {0, 0.1}}));
    CHECK(met.crossings == std::vector{10.0});
    CHECK(faster_of(met) == std::vector{Faster::second, Faster::equal});

    const Crossover same = crossover(rising, rising);
    CHECK(same.crossings.empty());
    CHECK(faster_of(same) == std::vector{Faster::equal});
}

TEST_CASE("Crossover: curves that touch meet there, and none overtakes", "[crossover]") {
    const Crossover touched = crossover(largest_of({{1, 0}, {0, 0.1}}), largest_of({{0.5, 0.05}}));
    CHECK(touched.crossings == std::vector{10.0});
    CHECK(faster_of(touched) == std::vector{Faster::second});
}

TEST_CASE("Crossover: the same latency is no crossing, and parallel curves never meet however large", "[crossover]") {
    CHECK(between("ring", "naive", 8, uniform_links(slow_link)).crossings.empty());
    const Crossover parallel = crossover(largest_of({{1e-9, 1e-3}}), largest_of({{2e-9, 1e-3}}));
    CHECK(parallel.crossings.empty());
    CHECK(faster_of(parallel) == std::vector{Faster::first});
}

TEST_CASE("Crossover: at every size the faster one is, on random curves", "[crossover]") {
    Random random(21);
    int several = 0;
    for (int round = 0; round < 2000; ++round) {
        const PriceCurve first = random_curve(random);
        const PriceCurve second = random_curve(random);
        const Crossover compared = crossover(first, second);
        several += compared.crossings.size() > 1 ? 1 : 0;
        CHECK(compared.ranges.front().from_bytes == 0);
        CHECK(compared.ranges.back().to_bytes == largest_count);
        for (std::size_t index = 0; index < compared.ranges.size(); ++index) {
            const FasterRange& range = compared.ranges[index];
            CAPTURE(round, index, range.from_bytes, range.to_bytes);
            CHECK((index == 0 || compared.ranges[index - 1].to_bytes == range.from_bytes));
            CHECK((index == 0 || compared.ranges[index - 1].faster != range.faster));
            const double last = std::min(range.to_bytes, range.from_bytes + 20);
            for (int sample = 1; sample < 8; ++sample) {
                const double bytes = range.from_bytes + (last - range.from_bytes) * sample / 8;
                const bool touching = std::any_of(compared.crossings.begin(), compared.crossings.end(),
                                                  [&](double size) { return std::abs(size - bytes) <= 1e-9 * size; });
                CHECK((touching || faster_by_time(first, second, bytes) == range.faster));
            }
        }
        for (const double size : compared.crossings) {
            CHECK(first.seconds(size) == Approx(second.seconds(size)).epsilon(1e-12));
            CHECK(size > 0);
        }
        CHECK(std::is_sorted(compared.crossings.begin(), compared.crossings.end()));
    }
    CHECK(several > 20);
}

TEST_CASE("Crossover: which is first does not matter", "[crossover]") {
    for (const Algorithm a : algorithms) {
        for (const Algorithm b : algorithms) {
            const Links links = {.intra = fast_link, .inter = slow_link, .per_node = 4};
            const ScheduleOptions options = {.slices = 3, .per_node = 4};
            const Crossover forth = between(name(a), name(b), 12, links, options);
            const Crossover back = between(name(b), name(a), 12, links, options);
            CHECK(forth.crossings == back.crossings);
            CHECK(forth.ranges.size() == back.ranges.size());
        }
    }
}

TEST_CASE("Crossover refuses names, ranks and links that there are not", "[crossover]") {
    const Links links = uniform_links(slow_link);
    require_refused("algorithm", "star", [&] { price_curve_from_name("star", 8, {}, links); });
    require_refused("ranks", "0", [&] { price_curve_from_name("ring", 0, {}, links); });
    require_refused("ranks", "0", [&] { price_curve_from_name(pipelined_tree_bound_name, 0, {}, links); });
    require_refused("bytes_per_second", "0",
                    [] { pipelined_tree_bound(8, {.latency_seconds = 0, .bytes_per_second = 0}); });
    const Links two_kinds = {.intra = fast_link, .inter = slow_link, .per_node = 4};
    require_refused("algorithm", pipelined_tree_bound_name,
                    [&] { price_curve_from_name(pipelined_tree_bound_name, 8, {}, two_kinds); });
}
