// Schedules between real ranks, on as many as the launcher starts. Every rank runs every case, and what one finds the
// others are told, so that all fail together and none waits for another.

#include "run.hpp"

#include <cmath>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

#include <shardlab/collective.hpp>

#include "catch.hpp"
#include "group.hpp"
#include "random.hpp"
#include "reference.hpp"
#include "refusal.hpp"
#include "values.hpp"

using namespace shardlab;
using mpi::Values;

namespace {

const mpi::Group& group() {
    static int argc = 0;
    static char** argv = nullptr;
    static const mpi::Group ranks(argc, argv);
    return ranks;
}

/// How many of the ranks say so.
int ranks_that_say(bool statement) {
    int ranks = statement ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &ranks, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return ranks;
}

template <typename T>
MatrixOf<T> filled(Values values, std::uint64_t elements) {
    MatrixOf<T> buffers = zeros<T>("elements", group().ranks(), static_cast<double>(elements));
    for (int rank = 0; rank < group().ranks(); ++rank) {
        mpi::fill(values, rank, 0, row(buffers, static_cast<std::size_t>(rank)));
    }
    return buffers;
}

template <typename T>
std::vector<T> row_of(const MatrixOf<T>& buffers) {
    const std::span<const T> own = row(buffers, static_cast<std::size_t>(group().rank()));
    return {own.begin(), own.end()};
}

template <typename T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Whether a schedule leaves this rank what the core's execution leaves in its row.
template <typename T>
bool runs_as_executed(const CollectiveSchedule& schedule) {
    MatrixOf<T> buffers = filled<T>(Values::spread, schedule.elements());
    std::vector<T> own = row_of(buffers);
    mpi::Runner<T>(schedule, MPI_COMM_WORLD).run(own);
    execute(schedule, buffers);
    return same_bits(own, row_of(buffers));
}

CollectiveSchedule schedule_of(std::vector<Step> steps, std::uint64_t elements) {
    const int count = static_cast<int>(steps.size());
    const auto generate = [steps = std::move(steps)](int index, Step& step) {
        step = steps[static_cast<std::size_t>(index)];
    };
    return {group().ranks(), elements, count, generate};
}

bool passes_check(const Step& step, std::uint64_t elements) {
    try {
        check(schedule_of({step}, elements));
        return true;
    } catch (const invalid_argument&) {
        return false;
    }
}

/// A step of transfers that nobody would make, but which may stand together: to other places than they come from,
/// empty, several into one range, some added and some copied between the same two ranks.
Step some_step(Random& random, int elements) {
    Step step;
    for (int attempt = 0; attempt < 12; ++attempt) {
        const int source = random.whole(0, group().ranks() - 1);
        const int destination = random.whole(0, group().ranks() - 1);
        const int count = random.whole(0, elements / 3);
        step.transfers.push_back({.source = source,
                                  .destination = destination,
                                  .source_offset = static_cast<std::uint64_t>(random.whole(0, elements - count)),
                                  .destination_offset = static_cast<std::uint64_t>(random.whole(0, elements - count)),
                                  .count = static_cast<std::uint64_t>(count),
                                  .reduce = random.whole(0, 1) == 1});
        if (!passes_check(step, static_cast<std::uint64_t>(elements))) {
            step.transfers.pop_back();
        }
    }
    return step;
}

/// All algorithms that these ranks can do, with a few slices and nodes.
std::vector<CollectiveSchedule> all_reduces(double elements) {
    std::vector<CollectiveSchedule> schedules;
    for (const Algorithm algorithm : algorithms) {
        for (const int slices : {1, 5}) {
            const int per_node = group().ranks() % 2 == 0 ? 2 : 1;
            schedules.push_back(
                all_reduce_schedule(algorithm, group().ranks(), elements, {.slices = slices, .per_node = per_node}));
        }
    }
    return schedules;
}

}  // namespace

TEST_CASE("mpi: 200 random schedules give the bits of the core's execution", "[mpi]") {
    Random random(1);
    for (int trial = 0; trial < 200; ++trial) {
        const int elements = random.whole(0, 60);
        std::vector<Step> steps(static_cast<std::size_t>(random.whole(0, 8)));
        for (Step& step : steps) {
            step = some_step(random, elements);
        }
        const CollectiveSchedule schedule = schedule_of(steps, static_cast<std::uint64_t>(elements));
        REQUIRE(ranks_that_say(runs_as_executed<double>(schedule)) == group().ranks());
        REQUIRE(ranks_that_say(runs_as_executed<float>(schedule)) == group().ranks());
    }
}

TEST_CASE("mpi: every all-reduce gives the bits of the core's execution, of any number of elements", "[mpi]") {
    for (const double elements : {0, 1, 2, 3, 4, 73, 5000}) {
        for (const CollectiveSchedule& schedule : all_reduces(elements)) {
            REQUIRE(ranks_that_say(runs_as_executed<double>(schedule)) == group().ranks());
        }
    }
}

TEST_CASE("mpi: transfers of many messages do not wait for each other", "[mpi]") {
    // Every rank sends the first half of 8 MiB to every other rank, which adds it to its second half, and the other
    // way round.
    constexpr std::uint64_t elements = 1U << 20U;
    std::vector<Step> steps(2);
    for (int source = 0; source < group().ranks(); ++source) {
        for (int destination = 0; destination < group().ranks(); ++destination) {
            if (source != destination) {
                const Transfer there{.source = source,
                                     .destination = destination,
                                     .source_offset = 0,
                                     .destination_offset = elements / 2,
                                     .count = elements / 2,
                                     .reduce = true};
                Transfer back = there;
                std::swap(back.source_offset, back.destination_offset);
                steps[0].transfers.push_back(there);
                steps[1].transfers.push_back(back);
            }
        }
    }
    REQUIRE(ranks_that_say(runs_as_executed<double>(schedule_of(steps, elements))) == group().ranks());
}

TEST_CASE("mpi: a transfer is cut into messages of which none is lost, and an empty one is sent", "[mpi]") {
    const Transfer transfer{.source = 0, .destination = 1, .source_offset = 2, .destination_offset = 0, .count = 7};
    const Transfer empty{.source = 1, .destination = 0};
    const CollectiveSchedule schedule(2, 9, 1, [&](int, Step& step) { step.transfers.assign({transfer, empty}); });
    const std::vector<mpi::RankStep> sender = mpi::rank_steps(schedule, 0, 3);
    REQUIRE(sender.size() == 1);
    REQUIRE(sender[0].sent.size() == 3);
    CHECK(sender[0].sent[2].offset == 8);
    CHECK(sender[0].sent[2].count == 1);
    REQUIRE(sender[0].copied.size() == 1);
    CHECK(sender[0].copied[0].count == 0);
    CHECK(mpi::rank_steps(schedule, 1, 3)[0].copied.size() == 3);
}

TEST_CASE("mpi: a schedule that no rank could run is refused", "[mpi]") {
    CHECK(refusal_of([] { mpi::rank_steps(all_to_all_schedule(2, 4), 0, 100); }).parameter == "placement");
    const Transfer there{.source = 0, .destination = 1, .count = 2};
    const Transfer back{.source = 1, .destination = 0, .source_offset = 1, .destination_offset = 1, .count = 2};
    const CollectiveSchedule overlapping(2, 4, 1, [&](int, Step& step) { step.transfers.assign({there, back}); });
    CHECK(refusal_of([&] { mpi::rank_steps(overlapping, 0, 100); }).parameter == "schedule");
}

TEST_CASE("mpi: the windows of a schedule compute what the whole computes", "[mpi]") {
    constexpr std::uint64_t elements = 73;
    for (const CollectiveSchedule& schedule : all_reduces(elements)) {
        Matrix whole = filled<double>(Values::spread, elements);
        execute(schedule, whole);
        for (const auto& [first, count] : {std::pair<std::uint64_t, std::uint64_t>{0, 73}, {17, 20}, {70, 3}, {5, 0}}) {
            Matrix part = zeros("part", group().ranks(), static_cast<double>(count));
            for (int rank = 0; rank < group().ranks(); ++rank) {
                mpi::fill(Values::spread, rank, first, row(part, static_cast<std::size_t>(rank)));
            }
            execute(mpi::window(schedule, first, count), part);
            for (std::size_t index = 0; index < count; ++index) {
                REQUIRE(part(0, index) == whole(0, first + index));
            }
        }
    }
}

TEST_CASE("mpi: elements that are off are counted over all ranks, to the last bit", "[mpi]") {
    // More than one window for each rank.
    const CollectiveSchedule schedule = ring_all_reduce_schedule(group().ranks(), 600000);
    for (const Values values : {Values::whole, Values::spread}) {
        Matrix32 buffers = filled<float>(values, schedule.elements());
        execute(schedule, buffers);
        std::vector<float> own = row_of(buffers);
        CHECK(mpi::elements_off<float>(schedule, values, own, group()) == 0);
        own.front() = std::nextafter(own.front(), 1e9F);
        own.back() = std::nextafter(own.back(), 1e9F);
        if (group().is_first()) {
            own[300000] = std::nextafter(own[300000], 1e9F);
        }
        CHECK(mpi::elements_off<float>(schedule, values, own, group()) ==
              2 * static_cast<std::uint64_t>(group().ranks()) + 1);
    }
}

TEST_CASE("mpi: whole values add up alike in every order, spread ones do not", "[mpi]") {
    for (const Values values : {Values::whole, Values::spread}) {
        std::set<std::vector<float>> results;
        for (const CollectiveSchedule& schedule : all_reduces(73)) {
            Matrix32 buffers = filled<float>(values, 73);
            execute(schedule, buffers);
            results.insert(row_of(buffers));
        }
        // Of two numbers there is one order.
        CHECK((results.size() == 1) == (values == Values::whole || group().ranks() <= 2));
    }
}
