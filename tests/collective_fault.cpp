#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <shardlab/collective.hpp>

#include "buffers.hpp"
#include "catch.hpp"
#include "difference.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

std::vector<int> all_ranks(int ranks) {
    std::vector<int> list(static_cast<std::size_t>(ranks));
    std::iota(list.begin(), list.end(), 0);
    return list;
}

FaultyRun<double> ring_with(const std::string& fault, const Matrix& buffers, Reduction reduction = Reduction::sum) {
    return run_with_fault(
        ring_all_reduce_schedule(static_cast<int>(buffers.shape(0)), static_cast<double>(buffers.shape(1))), buffers,
        fault_from_text(fault), reduction);
}

Matrix gradients() {
    Matrix matrix = zeros("gradients", 4, 1);
    std::copy_n(std::vector<double>{4, 8, 12, 16}.begin(), 4, matrix.begin());
    return matrix;
}

}  // namespace

TEST_CASE("faults are read from text, and named in the refusal", "[fault]") {
    const Fault hop = fault_from_text("miss-hop:2:3");
    CHECK(hop.kind == FaultKind::miss_hop);
    CHECK(hop.rank == 2);
    CHECK(hop.step == 3);
    CHECK(fault_from_text("double:0").kind == FaultKind::duplicated);
    CHECK(fault_from_text("stale:1:4").step == 4);
    CHECK(fault_from_text("slow:1").factor == 2);
    CHECK(fault_from_text("slow:1:1.5").factor == 1.5);
    CHECK(fault_from_text("drop:1023").rank == 1023);
    for (const char* text : {"",           ":",          "drop",           "drop:",      "drop:x",
                             "drop:-1",    "drop:1:2",   "drop:1.5",       "miss-hop:1", "miss-hop:1:2:3",
                             "stale:1:",   "slow:1:0.5", "slow:1:1000001", "slow:1:nan", "slow:1:",
                             "slow:1:2.",  "slow::2",    "hang:1",         "drop: 1",    "drop:99999999999999999999",
                             "slow:1:1e3", "DROP:1"}) {
        CAPTURE(text);
        require_refused("fault", text, [&] { fault_from_text(text); });
    }
}

TEST_CASE("a dropped rank leaves a zero where its digit was, and all replicas agree on it", "[fault]") {
    const FaultyRun<double> run = ring_with("drop:3", powers_of_ten(4, 8));
    CHECK(difference(run.executed.buffers, Matrix(Matrix::shape_type{4, 8}, 111.0)) == "");
    CHECK(run.diverged_ranks == all_ranks(4));
    CHECK(run.max_abs_difference == 1000);
    CHECK(run.max_replica_difference == 0);
    // The gradients 4, 8, 12 and 16 average to 10; without the last it is 6, not 8.
    const FaultyRun<double> averaged = ring_with("drop:3", gradients(), Reduction::average);
    CHECK(averaged.executed.buffers(0, 0) == 6);
    CHECK(averaged.expected(0, 0) == 10);
}

TEST_CASE("a contribution that counts twice shows as a two in a sum, and not in a maximum", "[fault]") {
    const FaultyRun<double> run = ring_with("double:2", powers_of_ten(4, 8));
    CHECK(run.executed.buffers(1, 5) == 1211);
    CHECK(run.max_abs_difference == 100);
    for (const Reduction reduction : {Reduction::max, Reduction::min}) {
        const FaultyRun<double> idempotent = ring_with("double:2", powers_of_ten(4, 8), reduction);
        CHECK(idempotent.diverged_ranks.empty());
        CHECK(idempotent.max_abs_difference == 0);
    }
    CHECK(ring_with("drop:3", powers_of_ten(4, 8), Reduction::max).executed.buffers(0, 0) == 100);
    CHECK(ring_with("drop:0", powers_of_ten(4, 8), Reduction::min).executed.buffers(0, 0) == 10);
}

TEST_CASE("a missed hop of the all-gather leaves replicas that differ", "[fault]") {
    // In step 4, the second of the all-gather, rank 1 passes a whole chunk on to rank 2, and what rank 2 and 3 have of
    // it from then on is a partial sum.
    const FaultyRun<double> run = ring_with("miss-hop:1:4", powers_of_ten(4, 8));
    CHECK(run.diverged_ranks == std::vector<int>{2, 3});
    CHECK(run.max_replica_difference > 0);
    CHECK(run.max_abs_difference == run.max_replica_difference);
    // A missed hop of the reduce-scatter makes the sum wrong, but alike everywhere.
    const FaultyRun<double> reduced_wrong = ring_with("miss-hop:1:1", powers_of_ten(4, 8));
    CHECK(reduced_wrong.diverged_ranks == all_ranks(4));
    CHECK(reduced_wrong.max_replica_difference == 0);
}

TEST_CASE("a stale value is one that stood there before the step before", "[fault]") {
    // In step 1 rank 1 sends its partial sum of two ranks; stale, it sends its own value, and rank 0's is missing.
    const FaultyRun<double> run = ring_with("stale:1:1", powers_of_ten(4, 4));
    const Chunk late = chunk(4, 4, 0);
    for (std::size_t element = 0; element < 4; ++element) {
        CHECK(run.executed.buffers(0, element) == (element == late.offset ? 1110 : 1111));
    }
    CHECK(run.max_abs_difference == 1);
    // What was written two steps before is no older than a step.
    const FaultyRun<double> late_copy = ring_with("stale:1:4", powers_of_ten(4, 4));
    CHECK(late_copy.max_replica_difference > 0);
}

TEST_CASE("a slow rank changes no bit", "[fault]") {
    Random random(501);
    for (const Algorithm algorithm : algorithms) {
        const Group group = some_group(random, algorithm, 20);
        const CollectiveSchedule schedule = schedule_of(algorithm, group, 30);
        const FaultyRun<double> run =
            run_with_fault(schedule, random.matrix(group.ranks, 30), fault_from_text("slow:0:3"));
        CHECK(run.diverged_ranks.empty());
        CHECK(run.max_abs_difference == 0);
        CHECK(run.max_replica_difference == 0);
    }
    const std::optional<SlowRank> slow = slow_rank(fault_from_text("slow:5:3"));
    REQUIRE(slow.has_value());
    CHECK(slow->rank == 5);
    CHECK(slow->factor == 3);
    CHECK_FALSE(slow_rank(fault_from_text("drop:5")).has_value());
}

TEST_CASE("faults in every algorithm: who is said to have diverged has, and nobody else", "[fault]") {
    Random random(502);
    int diverged = 0;
    for (const Algorithm algorithm : algorithms) {
        for (int trial = 0; trial < 100; ++trial) {
            const Group group = some_group(random, algorithm, 16);
            const CollectiveSchedule schedule = schedule_of(algorithm, group, random.whole(0, 40));
            Fault fault{.kind = static_cast<FaultKind>(random.whole(0, 4)), .rank = random.whole(0, group.ranks - 1)};
            fault.step = random.whole(0, std::max(0, schedule.steps() - 1));
            const auto columns = static_cast<int>(schedule.elements());
            const Matrix32 buffers = to_float32("buffers", random.matrix(group.ranks, columns));
            FaultyRun<float> run{
                .executed = {buffers, schedule, ledger(schedule)}, .expected = buffers, .diverged_ranks = {}};
            try {
                run = run_with_fault(schedule, buffers, fault);
            } catch (const invalid_argument& error) {
                REQUIRE(error.parameter() == "fault");
                continue;
            }
            Matrix32 expected = buffers;
            execute(schedule, expected);
            REQUIRE(difference(run.expected, expected) == "");
            std::vector<int> differing;
            for (std::size_t rank = 0; rank < expected.shape(0); ++rank) {
                const auto held = row(run.executed.buffers, rank);
                const auto wanted = row(expected, rank);
                if (!std::equal(held.begin(), held.end(), wanted.begin())) {
                    differing.push_back(static_cast<int>(rank));
                }
            }
            CAPTURE(name(algorithm), name(fault.kind), fault.rank, fault.step);
            REQUIRE(run.diverged_ranks == differing);
            REQUIRE((run.max_abs_difference > 0) == !differing.empty());
            diverged += differing.empty() ? 0 : 1;
        }
    }
    CHECK(diverged > 200);
}

TEST_CASE("a fault is judged by what the collective defines, not by the partial sums beside it", "[fault]") {
    const auto run = [](Kind kind, int elements, const char* fault, Reduction reduction = Reduction::sum) {
        return run_with_fault(collective_schedule(kind, 4, elements), powers_of_ten(4, elements),
                              fault_from_text(fault), reduction, std::nullopt, kind);
    };
    // Of the reduce-scatter rank 1 owns chunk 1, which what rank 0 sends in step 0 is no part of.
    const FaultyRun<double> scattered = run(Kind::reduce_scatter, 4, "miss-hop:0:0");
    CHECK(scattered.diverged_ranks.size() == 1);
    CHECK(scattered.max_replica_difference == 0);
    const FaultyRun<double> reduced = run(Kind::reduce, 4, "miss-hop:3:0", Reduction::min);
    CHECK(reduced.diverged_ranks.empty());
    CHECK(reduced.max_abs_difference == 0);
    CHECK(run(Kind::reduce, 4, "drop:2").diverged_ranks == std::vector{0});
    for (const Kind kind : {Kind::all_gather, Kind::broadcast, Kind::all_to_all}) {
        CHECK(refusal_of([&] { run(kind, 4, "drop:0"); }).rule ==
              std::string("be miss-hop, stale or slow: ") + name(kind) + " reduces nothing");
        CHECK(refusal_of([&] { run(kind, 4, "double:0"); }).parameter == "fault");
    }
    CHECK(run(Kind::broadcast, 4, "miss-hop:0:0").max_replica_difference > 0);
}

TEST_CASE("a fault that cannot be is refused with its rule", "[fault]") {
    const Matrix four = powers_of_ten(4, 8);
    require_refused("fault", "drop:4", [&] { ring_with("drop:4", four); });
    require_refused("fault", "miss-hop:1:6", [&] { ring_with("miss-hop:1:6", four); });
    require_refused("fault", "stale:1:0", [&] { ring_with("stale:1:0", four); });
    require_refused("fault", "drop:0", [] { ring_with("drop:0", powers_of_ten(1, 3), Reduction::max); });
    CHECK(ring_with("drop:0", powers_of_ten(1, 3)).executed.buffers(0, 0) == 0);
    const CollectiveSchedule tree = binomial_tree_all_reduce_schedule(4, 8);
    require_refused("fault", "miss-hop:0:0", [&] { run_with_fault(tree, four, fault_from_text("miss-hop:0:0")); });
    CHECK(refusal_of([&] { run_with_fault(tree, four, fault_from_text("miss-hop:0:0")); }).rule ==
          "name a step in which the rank sends something; rank 0 sends nothing in step 0");
    // An empty chunk is nothing.
    require_refused("fault", "miss-hop:3:0", [&] { ring_with("miss-hop:3:0", powers_of_ten(4, 3)); });
    CHECK(refusal_of([] { ring_with("double:0", Matrix(Matrix::shape_type{2, 1}, 8e307)); }).parameter == "buffers");
}

TEST_CASE("every fault says what a real library does", "[fault]") {
    for (const FaultKind kind :
         {FaultKind::drop, FaultKind::duplicated, FaultKind::miss_hop, FaultKind::stale, FaultKind::slow}) {
        CHECK(std::string(consequence(kind)).find("NCCL") == 0);
    }
}
