#include <algorithm>
#include <cstdint>
#include <vector>

#include <shardlab/collective.hpp>

#include "buffers.hpp"
#include "catch.hpp"
#include "difference.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

/// Holds an algorithm to the element-wise result over 500 random shapes of whole numbers, which all add up exactly.
void require_element_wise(Algorithm algorithm, std::uint64_t seed) {
    Random random(seed);
    for (int trial = 0; trial < 500; ++trial) {
        const Group group = some_group(random, algorithm, 40);
        Matrix buffers = random.whole_matrix(group.ranks, random.whole(0, 120), 1000000);
        const Matrix expected = reduced(buffers, Reduction::sum);
        const auto elements = static_cast<double>(buffers.shape(1));
        const CollectiveSchedule schedule = schedule_of(algorithm, group, elements);
        CAPTURE(group.ranks, elements, group.options.slices, group.options.per_node);
        REQUIRE_NOTHROW(check(schedule));
        execute(schedule, buffers);
        REQUIRE(difference(buffers, expected) == "");
    }
}

/// Elements from `begin` to `end`, which is not among them.
struct Range {
    std::size_t begin;
    std::size_t end;
};

/// Where chunk `rank` of the buffers stands.
Range owned(const Matrix& buffers, int rank) {
    const Chunk own = chunk(buffers.shape(1), static_cast<int>(buffers.shape(0)), rank);
    return {static_cast<std::size_t>(own.offset), static_cast<std::size_t>(own.offset + own.count)};
}

Matrix run(Kind kind, const Matrix& buffers, int slices) {
    return run_collective(kind, buffers, Reduction::sum, slices).buffers;
}

}  // namespace

TEST_CASE("naive: equals the element-wise sum bit for bit over 500 random shapes", "[collective]") {
    require_element_wise(Algorithm::naive, 101);
}

TEST_CASE("tree: equals the element-wise sum bit for bit over 500 random shapes and slices", "[collective][tree]") {
    require_element_wise(Algorithm::tree, 102);
}

TEST_CASE("double tree: equals the element-wise sum bit for bit over 500 random shapes and slices",
          "[collective][double-tree]") {
    require_element_wise(Algorithm::double_tree, 103);
}

TEST_CASE("halving-doubling: equals the element-wise sum bit for bit over 500 random shapes", "[collective]") {
    require_element_wise(Algorithm::halving_doubling, 104);
}

TEST_CASE("hierarchical: equals the element-wise sum bit for bit over 500 random shapes and nodes", "[collective]") {
    require_element_wise(Algorithm::hierarchical, 105);
}

TEST_CASE("ring: is a sound schedule over 500 random shapes", "[collective][ring]") {
    require_element_wise(Algorithm::ring, 106);
}

TEST_CASE("every all-reduce is sound on 1023 and 1024 ranks with fewer elements than ranks", "[collective]") {
    for (const Algorithm algorithm : algorithms) {
        for (const int ranks : {1023, 1024}) {
            const ScheduleOptions options{.slices = 3, .per_node = ranks == 1023 ? 33 : 32};
            // The ring's steps are all alike, and there are two thousand of them.
            const CollectiveSchedule schedule = all_reduce_schedule(algorithm, ranks, 1000, options);
            const CollectiveSchedule first(ranks, 1000, std::min(schedule.steps(), 70),
                                           [&](int index, Step& step) { schedule.generate(index, step); });
            CAPTURE(name(algorithm), ranks);
            REQUIRE_NOTHROW(check(first));
        }
    }
}

TEST_CASE("the order of ranks in a schedule does not depend on what was generated before", "[collective]") {
    for (const Algorithm algorithm : algorithms) {
        const CollectiveSchedule schedule = all_reduce_schedule(algorithm, 12, 29, {.slices = 3, .per_node = 4});
        Step once;
        Step again;
        for (int index = schedule.steps() - 1; index >= 0; --index) {
            schedule.generate(index, once);
            schedule.generate(schedule.steps() - 1 - index, again);
            schedule.generate(index, again);
            REQUIRE(once.transfers.size() == again.transfers.size());
            REQUIRE(std::equal(once.transfers.begin(), once.transfers.end(), again.transfers.begin(),
                               [](const Transfer& a, const Transfer& b) {
                                   return a.source == b.source && a.destination == b.destination &&
                                          a.source_offset == b.source_offset && a.count == b.count;
                               }));
        }
    }
}

TEST_CASE("tree: reduce and broadcast of different slices overlap", "[collective][tree]") {
    const CollectiveSchedule schedule = binomial_tree_all_reduce_schedule(8, 80, 10);
    CHECK(schedule.steps() == 2 * 3 + 10 - 1);
    Step step;
    schedule.generate(5, step);
    const auto is = [](Phase phase) { return [phase](const Transfer& transfer) { return transfer.phase == phase; }; };
    CHECK(std::any_of(step.transfers.begin(), step.transfers.end(), is(Phase::reduce)));
    CHECK(std::any_of(step.transfers.begin(), step.transfers.end(), is(Phase::broadcast)));
    CHECK(phase_of(step) == Phase::reduce);
}

TEST_CASE("reduce-scatter: rank r holds the sum of chunk r, over 300 random shapes", "[collective]") {
    Random random(107);
    for (int trial = 0; trial < 300; ++trial) {
        const Matrix buffers = random.whole_matrix(random.whole(1, 40), random.whole(0, 120), 1000000);
        const Matrix expected = reduced(buffers, Reduction::sum);
        const Matrix result = run(Kind::reduce_scatter, buffers, 1);
        for (std::size_t rank = 0; rank < buffers.shape(0); ++rank) {
            const Range own = owned(buffers, static_cast<int>(rank));
            for (std::size_t i = own.begin; i < own.end; ++i) {
                REQUIRE(result(rank, i) == expected(rank, i));
            }
        }
    }
}

TEST_CASE("all-gather: chunk r of rank r stands in every rank, over 300 random shapes", "[collective]") {
    Random random(108);
    for (int trial = 0; trial < 300; ++trial) {
        const Matrix buffers = random.whole_matrix(random.whole(1, 40), random.whole(0, 120), 1000000);
        Matrix expected(buffers.shape());
        for (std::size_t source = 0; source < buffers.shape(0); ++source) {
            const Range own = owned(buffers, static_cast<int>(source));
            for (std::size_t rank = 0; rank < buffers.shape(0); ++rank) {
                for (std::size_t i = own.begin; i < own.end; ++i) {
                    expected(rank, i) = buffers(source, i);
                }
            }
        }
        REQUIRE(difference(run(Kind::all_gather, buffers, 1), expected) == "");
    }
}

TEST_CASE("a reduce-scatter and then an all-gather is an all-reduce", "[collective]") {
    Random random(109);
    for (int trial = 0; trial < 50; ++trial) {
        const Matrix buffers = random.whole_matrix(random.whole(1, 20), random.whole(0, 60), 1000);
        const Matrix scattered = run(Kind::reduce_scatter, buffers, 1);
        REQUIRE(difference(run(Kind::all_gather, scattered, 1), reduced(buffers, Reduction::sum)) == "");
    }
}

TEST_CASE("broadcast and reduce: rank 0's tensor everywhere, and everyone's sum in rank 0", "[collective][tree]") {
    Random random(110);
    for (int trial = 0; trial < 300; ++trial) {
        const Matrix buffers = random.whole_matrix(random.whole(1, 40), random.whole(0, 60), 1000000);
        const int slices = random.whole(1, 7);
        const Matrix expected = reduced(buffers, Reduction::sum);
        const Matrix sent = run(Kind::broadcast, buffers, slices);
        const Matrix received = run(Kind::reduce, buffers, slices);
        for (std::size_t i = 0; i < buffers.shape(1); ++i) {
            REQUIRE(received(0, i) == expected(0, i));
            for (std::size_t rank = 0; rank < buffers.shape(0); ++rank) {
                REQUIRE(sent(rank, i) == buffers(0, i));
            }
        }
    }
}

TEST_CASE("all-to-all: block p of rank r becomes block r of rank p where the ranks divide the elements",
          "[collective]") {
    Random random(111);
    for (int trial = 0; trial < 200; ++trial) {
        const int ranks = random.whole(1, 30);
        const auto block = static_cast<std::size_t>(random.whole(0, 5));
        const Matrix buffers = random.whole_matrix(ranks, ranks * static_cast<int>(block), 1000000);
        const Matrix result = run(Kind::all_to_all, buffers, 1);
        for (std::size_t r = 0; r < buffers.shape(0); ++r) {
            for (std::size_t p = 0; p < buffers.shape(0); ++p) {
                for (std::size_t i = 0; i < block; ++i) {
                    REQUIRE(result(p, r * block + i) == buffers(r, p * block + i));
                }
            }
        }
    }
}

TEST_CASE("all-to-all: every element of every rank arrives once for any number of elements, and twice is home again",
          "[collective]") {
    Random random(112);
    for (int trial = 0; trial < 200; ++trial) {
        const int ranks = random.whole(1, 30);
        const int elements = random.whole(0, 100);
        Matrix buffers = zeros("buffers", ranks, elements);
        double value = 0;
        for (double& element : buffers) {
            element = value++;
        }
        Matrix once = run(Kind::all_to_all, buffers, 1);
        CAPTURE(ranks, elements);
        REQUIRE(difference(run(Kind::all_to_all, once, 1), buffers) == "");
        std::sort(once.begin(), once.end());
        REQUIRE(std::equal(once.begin(), once.end(), buffers.begin()));
    }
}

TEST_CASE("every collective holds the invariants of a schedule over 300 random shapes", "[collective]") {
    Random random(113);
    for (int trial = 0; trial < 300; ++trial) {
        const int ranks = random.whole(1, 50);
        const int elements = random.whole(0, 200);
        const int slices = random.whole(1, 6);
        CAPTURE(ranks, elements, slices);
        for (const Kind kind : {Kind::all_reduce, Kind::reduce_scatter, Kind::all_gather, Kind::broadcast, Kind::reduce,
                                Kind::all_to_all}) {
            REQUIRE_NOTHROW(check(collective_schedule(kind, ranks, elements, slices)));
        }
    }
}

TEST_CASE("builders refuse ranks that do not fill their nodes, slices and names that there are not", "[collective]") {
    require_refused("per_node", "4", [] { hierarchical_all_reduce_schedule(6, 8, 4); });
    CHECK(refusal_of([] { hierarchical_all_reduce_schedule(6, 8, 4); }).rule ==
          "divide the 6 ranks, so that every node is full");
    require_refused("per_node", "0", [] { hierarchical_all_reduce_schedule(6, 8, 0); });
    require_refused("slices", "0", [] { binomial_tree_all_reduce_schedule(4, 8, 0); });
    require_refused("slices", "65537", [] { double_tree_all_reduce_schedule(4, 8, 65537); });
    for (const Algorithm algorithm : algorithms) {
        CHECK(algorithm_from_name(name(algorithm)) == algorithm);
        require_refused("ranks", "0", [&] { all_reduce_schedule(algorithm, 0, 8); });
        require_refused("elements", "-1", [&] { all_reduce_schedule(algorithm, 8, -1); });
    }
    require_refused("algorithm", "star", [] { algorithm_from_name("star"); });
    CHECK(refusal_of([] { algorithm_from_name("star"); }).rule ==
          "be ring, naive, tree, double-tree, halving-doubling or hierarchical");
    require_refused("kind", "gather", [] { kind_from_name("gather"); });
    CHECK(kind_from_name("all-to-all") == Kind::all_to_all);
    require_refused("op", "mean", [] { reduction_from_name("mean"); });
    require_refused("algorithm", "9", [] { all_reduce_schedule(static_cast<Algorithm>(9), 2, 2); });
    require_refused("kind", "9", [] { collective_schedule(static_cast<Kind>(9), 2, 2); });
}
