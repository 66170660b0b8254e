#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <shardlab/collective.hpp>
#include <shardlab/collective_cost.hpp>

#include "buffers.hpp"
#include "catch.hpp"
#include "difference.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

std::vector<std::uint64_t> chunk_counts(std::uint64_t elements, int chunks) {
    std::vector<std::uint64_t> counts;
    for (int index = 0; index < chunks; ++index) {
        counts.push_back(chunk(elements, chunks, index).count);
    }
    return counts;
}

/// The sum of all rows, in every row.
Matrix summed(const Matrix& buffers) {
    return reduced(buffers, Reduction::sum);
}

}  // namespace

TEST_CASE("chunks tile a tensor, the longer ones first", "[collective]") {
    CHECK(chunk_counts(73, 4) == std::vector<std::uint64_t>{19, 18, 18, 18});
    CHECK(chunk_counts(3, 4) == std::vector<std::uint64_t>{1, 1, 1, 0});
    CHECK(chunk_counts(0, 3) == std::vector<std::uint64_t>{0, 0, 0});
    Random random(2);
    for (int trial = 0; trial < 200; ++trial) {
        const auto elements = static_cast<std::uint64_t>(random.whole(0, 5000));
        const int chunks = random.whole(1, 1024);
        std::uint64_t next = 0;
        for (int index = 0; index < chunks; ++index) {
            REQUIRE(chunk(elements, chunks, index).offset == next);
            next += chunk(elements, chunks, index).count;
        }
        REQUIRE(next == elements);
    }
}

TEST_CASE("chunk offsets beyond 32 bits are exact", "[collective]") {
    constexpr std::uint64_t elements = 152064ULL * 8192 * 16;
    CHECK(chunk(elements, 3, 2).offset + chunk(elements, 3, 2).count == elements);
    CHECK(chunk(1ULL << 53, 4, 3) == Chunk{3ULL << 51, 1ULL << 51});
}

TEST_CASE("ring: in step s rank r sends chunk (r - s) mod N to rank r + 1", "[ring]") {
    constexpr int ranks = 5;
    const CollectiveSchedule schedule = ring_all_reduce_schedule(ranks, 23);
    Step step;
    for (int s = 0; s < ranks - 1; ++s) {
        schedule.generate(s, step);
        CHECK(phase_of(step) == Phase::reduce_scatter);
        REQUIRE(step.transfers.size() == ranks);
        for (const Transfer& transfer : step.transfers) {
            const Chunk sent = chunk(23, ranks, (transfer.source - s + ranks) % ranks);
            CHECK(transfer.destination == (transfer.source + 1) % ranks);
            CHECK(transfer.source_offset == sent.offset);
            CHECK(transfer.destination_offset == sent.offset);
            CHECK(transfer.count == sent.count);
            CHECK(transfer.reduce);
        }
    }
    schedule.generate(ranks - 1, step);
    CHECK(phase_of(step) == Phase::all_gather);
    CHECK(step.transfers[0].source_offset == chunk(23, ranks, 1).offset);
    CHECK_FALSE(step.transfers[0].reduce);
}

TEST_CASE("ring: equals the element-wise sum bit for bit over 2000 random shapes of whole numbers", "[ring]") {
    Random random(3);
    for (int trial = 0; trial < 2000; ++trial) {
        const Matrix buffers = random.whole_matrix(random.whole(1, 64), random.whole(0, 200), 1000000);
        CAPTURE(trial, buffers.shape(0), buffers.shape(1));
        REQUIRE(difference(ring_all_reduce(buffers).buffers, summed(buffers)) == "");
    }
}

TEST_CASE("ring: every rank holds the same bits for arbitrary numbers", "[ring]") {
    Random random(4);
    for (int trial = 0; trial < 200; ++trial) {
        const int ranks = random.whole(1, 64);
        const Matrix buffers = random.matrix(ranks, random.whole(1, 300));
        const Matrix result = ring_all_reduce(buffers).buffers;
        const std::span<const double> first = row(result, 0);
        for (std::size_t rank = 1; rank < result.shape(0); ++rank) {
            const std::span<const double> other = row(result, rank);
            REQUIRE(std::equal(first.begin(), first.end(), other.begin(), other.end()));
        }
        CHECK(relative_error(elements(result), elements(summed(buffers))) < 1e-13 * ranks);
    }
}

TEST_CASE("ring: 2(N-1) steps, and 2 bytes (N-1)/N per rank where N divides the elements", "[ring]") {
    for (int ranks = 1; ranks <= 64; ++ranks) {
        const int elements = 3 * ranks;
        const AllReduce reduced = ring_all_reduce(zeros("buffers", ranks, elements));
        const AllReduceCost cost = all_reduce_cost(ranks, 8.0 * elements);
        CHECK(reduced.ledger.steps() == cost.steps);
        for (const double bytes : reduced.ledger.bytes_sent_per_rank()) {
            CHECK(bytes == cost.bytes_sent_per_rank);
        }
    }
}

TEST_CASE("ring: 73 elements on 4 ranks take 6 steps and move 438 elements", "[ring]") {
    const AllReduce reduced = ring_all_reduce(powers_of_ten(4, 73));
    CHECK(reduced.schedule.steps() == 6);
    CHECK(reduced.ledger.elements_moved() == 438);
    CHECK(std::all_of(reduced.buffers.begin(), reduced.buffers.end(), [](double value) { return value == 1111; }));
}

TEST_CASE("ring: fewer elements than ranks, none, and one rank", "[ring]") {
    const AllReduce few = ring_all_reduce(powers_of_ten(4, 3));
    CHECK(std::all_of(few.buffers.begin(), few.buffers.end(), [](double value) { return value == 1111; }));
    CHECK(few.schedule.steps() == 6);

    const AllReduce none = ring_all_reduce(powers_of_ten(4, 0));
    CHECK(none.ledger.elements_moved() == 0);
    CHECK(none.buffers.size() == 0);

    const AllReduce alone = ring_all_reduce(powers_of_ten(1, 5));
    CHECK(alone.schedule.steps() == 0);
    CHECK(alone.ledger.bytes_sent_per_rank() == std::vector<double>{0});
    CHECK(difference(alone.buffers, powers_of_ten(1, 5)) == "");
}

TEST_CASE("ring: 10^r adds up exactly on 16 ranks", "[ring]") {
    const AllReduce reduced = ring_all_reduce(powers_of_ten(16, 20));
    CHECK(std::all_of(reduced.buffers.begin(), reduced.buffers.end(),
                      [](double value) { return value == 1111111111111111.0; }));
}

TEST_CASE("ring: after the reduce-scatter each rank has exactly one whole chunk", "[ring]") {
    constexpr int ranks = 6;
    const AllReduce half = ring_all_reduce(powers_of_ten(ranks, 2 * ranks), ranks - 1);
    for (int rank = 0; rank < ranks; ++rank) {
        int whole = 0;
        for (const double value : row(half.buffers, static_cast<std::size_t>(rank))) {
            whole += value == 111111 ? 1 : 0;
        }
        CHECK(whole == 2);
        const Chunk own = chunk(2 * ranks, ranks, (rank + 1) % ranks);
        CHECK(half.buffers(static_cast<std::size_t>(rank), static_cast<std::size_t>(own.offset)) == 111111);
    }
}

TEST_CASE("ring: the reduce-scatter sends half of the all-reduce's bytes, and so does the all-gather", "[ring]") {
    for (int ranks = 1; ranks <= 16; ++ranks) {
        const Matrix buffers = powers_of_ten(ranks, 3 * ranks);
        const std::vector<double> whole = ring_all_reduce(buffers).ledger.bytes_sent_per_rank();
        const std::vector<double> half = ring_all_reduce(buffers, ranks - 1).ledger.bytes_sent_per_rank();
        for (std::size_t rank = 0; rank < whole.size(); ++rank) {
            CHECK(2 * half[rank] == whole[rank]);
        }
    }
}

TEST_CASE("ring: stopping after a step books the steps that ran and no others", "[ring]") {
    const AllReduce stopped = ring_all_reduce(powers_of_ten(4, 8), 2);
    CHECK(stopped.schedule.steps() == 6);
    CHECK(stopped.ledger.elements_moved() == 2 * 4 * 2);
    CHECK(stopped.ledger.bytes_per_step() == std::vector<double>{64, 64, 0, 0, 0, 0});
    CHECK(stopped.ledger.busiest_bytes_per_step() == std::vector<double>{16, 16, 0, 0, 0, 0});
    require_refused("stop_after", "7", [] { ring_all_reduce(powers_of_ten(4, 8), 7); });
    require_refused("stop_after", "-1", [] { ring_all_reduce(powers_of_ten(4, 8), -1); });
}

TEST_CASE("binomial tree: equals the element-wise sum, and its root is the busiest rank", "[tree]") {
    Random random(7);
    for (int trial = 0; trial < 300; ++trial) {
        Matrix buffers = random.whole_matrix(random.whole(1, 70), random.whole(1, 50), 1000000);
        const Matrix expected = summed(buffers);
        const auto ranks = static_cast<int>(buffers.shape(0));
        const auto elements = static_cast<double>(buffers.shape(1));
        const CollectiveSchedule schedule = binomial_tree_all_reduce_schedule(ranks, elements);
        const Ledger booked = execute(schedule, buffers);
        REQUIRE(difference(buffers, expected) == "");

        const AllReduceCost cost = tree_all_reduce_cost(ranks, 8 * elements, Link{0, 1}, Tree::binomial);
        CHECK(schedule.steps() == cost.steps);
        CHECK(booked.busiest_rank_bytes() == cost.bytes_sent_per_rank);
        CHECK(booked.bytes_sent_per_rank()[0] == cost.bytes_sent_per_rank);
        CHECK(booked.elements_moved() == 2 * elements * (ranks - 1));
    }
}

TEST_CASE("the price of an executed schedule equals its closed form", "[collective]") {
    const Link link{5e-6, 50e9};
    for (const int ranks : {1, 2, 3, 4, 8, 12, 64, 1024}) {
        const double elements = 1000.0 * ranks;
        const double ring = price_seconds(ring_all_reduce_schedule(ranks, elements), link, 4);
        CHECK(ring == Approx(*all_reduce_cost(ranks, 4 * elements, link).seconds).epsilon(1e-12));
        const double tree = price_seconds(binomial_tree_all_reduce_schedule(ranks, elements), link, 4);
        CHECK(tree == Approx(*tree_all_reduce_cost(ranks, 4 * elements, link, Tree::binomial).seconds).epsilon(1e-12));
    }
}

TEST_CASE("a schedule that breaks an invariant is refused by name", "[collective]") {
    const auto one_step = [](std::vector<Transfer> transfers) {
        return CollectiveSchedule(3, 10, 1, [=](int, Step& step) { step.transfers = transfers; });
    };
    const auto rule = [&](std::vector<Transfer> transfers) {
        const CollectiveSchedule schedule = one_step(std::move(transfers));
        return refusal_of([&] { check(schedule); }).rule;
    };
    CHECK(rule({{0, 1, 0, 0, 5, true}}).empty());
    CHECK(rule({{0, 1, 0, 0, 5, true}, {0, 2, 0, 0, 5, true}}).empty());
    CHECK(rule({{0, 3, 0, 0, 5, true}}) == "join two different ranks from 0 to 2");
    CHECK(rule({{1, 1, 0, 5, 5, true}}) == "join two different ranks from 0 to 2");
    CHECK(rule({{0, 1, 6, 0, 5, true}}) == "stay inside buffers of 10 elements");
    CHECK(rule({{0, 1, 0, 11, 0, true}}) == "stay inside buffers of 10 elements");
    CHECK(rule({{0, 1, ~0ULL, 0, 2, true}}) == "stay inside buffers of 10 elements");
    const std::string simultaneous =
        "receive once into a range unless all is added, and not send from it in the same step";
    CHECK(rule({{0, 1, 0, 0, 5, true}, {1, 2, 4, 0, 5, true}}) == simultaneous);
    CHECK(rule({{0, 1, 0, 4, 5, true}, {1, 2, 0, 0, 5, true}}) == simultaneous);
    CHECK(rule({{0, 1, 0, 0, 5, true}, {2, 1, 0, 3, 5, false}}) == simultaneous);
    CHECK(rule({{0, 1, 0, 0, 5, false}, {2, 1, 0, 3, 5, true}}) == simultaneous);
    CHECK(rule({{0, 1, 0, 0, 5, false}, {2, 1, 0, 3, 5, false}}) == simultaneous);
    CHECK(rule({{0, 1, 0, 0, 5, true}, {2, 1, 0, 3, 5, true}, {1, 2, 7, 0, 1, true}}) == simultaneous);
    CHECK(rule({{0, 1, 0, 0, 5, true}, {2, 1, 0, 3, 5, true}}).empty());

    Matrix buffers = zeros("buffers", 3, 10);
    require_refused("schedule", "a transfer of rank 0 in step 0 with 5 elements", [&] {
        execute(one_step({{0, 1, 6, 0, 5, true}}), buffers);
    });
    Matrix other = zeros("buffers", 2, 10);
    require_refused("buffers", "2 x 10", [&] { execute(one_step({}), other); });
}

TEST_CASE("an all-reduce refuses ranks, elements and values that it cannot take", "[ring]") {
    require_refused("ranks", "0", [] { ring_all_reduce(zeros("buffers", 0, 4)); });
    require_refused("ranks", "1025", [] { ring_all_reduce(zeros("buffers", 1025, 4)); });
    require_refused("ranks", "-3", [] { ring_all_reduce_schedule(-3, 4); });
    require_refused("elements", "2.5", [] { ring_all_reduce_schedule(3, 2.5); });
    Matrix buffers = zeros("buffers", 2, 2);
    buffers(1, 0) = std::numeric_limits<double>::quiet_NaN();
    require_refused("buffers", "nan", [&] { ring_all_reduce(buffers); });
    buffers(1, 0) = std::numeric_limits<double>::max();
    require_refused("buffers", "1.7976931348623157e+308", [&] { ring_all_reduce(buffers); });
    buffers(1, 0) = std::numeric_limits<double>::max() / 2;
    CHECK(ring_all_reduce(buffers).buffers(0, 0) == buffers(1, 0));
}

TEST_CASE("a schedule of 1024 ranks is priced without its transfers in memory", "[collective]") {
    const CollectiveSchedule schedule = ring_all_reduce_schedule(1024, 1e15);
    CHECK(schedule.steps() == 2046);
    Step step;
    schedule.generate(2045, step);
    CHECK(step.transfers.size() == 1024);
    require_refused("index", "2046", [&] { schedule.generate(2046, step); });
}

TEST_CASE("a price refuses elements of less than no bytes or of endlessly many", "[collective]") {
    const CollectiveSchedule schedule = ring_all_reduce_schedule(2, 2);
    require_refused("element_bytes", "inf", [&] {
        price_seconds(schedule, Link{0, 1}, std::numeric_limits<double>::infinity());
    });
    require_refused("element_bytes", "-1", [&] { price_seconds(schedule, Link{0, 1}, -1); });
}

TEST_CASE("a schedule out of place may send from where it receives, but receive only once", "[collective]") {
    const auto rule = [](std::vector<Transfer> transfers) {
        const CollectiveSchedule schedule(
            3, 10, 1, [=](int, Step& step) { step.transfers = transfers; }, Placement::out_of_place);
        return refusal_of([&] { check(schedule); }).rule;
    };
    CHECK(rule({{0, 1, 0, 0, 5, false}, {1, 2, 0, 0, 5, false}}).empty());
    CHECK_FALSE(rule({{0, 1, 0, 0, 5, false}, {2, 1, 0, 4, 5, false}}).empty());
}

TEST_CASE("a schedule of too many steps or elements is refused before anything is made", "[collective]") {
    const auto idle = [](int, Step&) {};
    require_refused("steps", "2147483647", [&] { CollectiveSchedule(1, 0, 2147483647, idle); });
    require_refused("elements", "1.8446744073709552e+19", [&] { CollectiveSchedule(1, ~0ULL, 1, idle); });
}

TEST_CASE("a schedule without a generator is refused", "[collective]") {
    require_refused("generator", "empty", [] { CollectiveSchedule(2, 0, 1, CollectiveSchedule::Generator()); });
}

TEST_CASE("equal parts of the largest double never add up to infinity", "[ring]") {
    constexpr double largest = std::numeric_limits<double>::max();
    const auto sum = [](int ranks, double part) {
        Matrix buffers = zeros("buffers", ranks, 1);
        std::fill(buffers.begin(), buffers.end(), part);
        return ring_all_reduce(std::move(buffers)).buffers(0, 0);
    };
    CHECK(sum(1, largest) == largest);
    CHECK(sum(2, largest / 2) == largest);
    // A third is rounded up, and three of them would be infinite.
    for (int ranks = 3; ranks <= 128; ++ranks) {
        CHECK(refusal_of([&] { sum(ranks, largest / ranks); }).parameter == "buffers");
        CHECK(sum(ranks, largest / ranks * (1 - 1e-12)) <= largest);
    }
}
