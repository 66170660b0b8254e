#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <shardlab/collective.hpp>

#include "buffers.hpp"
#include "catch.hpp"
#include "difference.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

constexpr Reduction reductions[] = {Reduction::sum, Reduction::max, Reduction::min, Reduction::average};

template <typename T>
MatrixOf<T> as(const Matrix& matrix) {
    MatrixOf<T> result(typename MatrixOf<T>::shape_type{matrix.shape(0), matrix.shape(1)});
    std::transform(matrix.begin(), matrix.end(), result.begin(), [](double value) { return static_cast<T>(value); });
    return result;
}

template <typename T>
AllReduceOptions options_of(Algorithm algorithm, const Group& group, Reduction reduction) {
    AllReduceOptions options;
    options.algorithm = algorithm;
    options.schedule = group.options;
    options.reduction = reduction;
    return options;
}

/// Small whole numbers, whose sums are exact in float32 too.
template <typename T>
void require_element_wise() {
    Random random(201);
    for (const Algorithm algorithm : algorithms) {
        for (const Reduction reduction : reductions) {
            for (int trial = 0; trial < 60; ++trial) {
                const Group group = some_group(random, algorithm, 33);
                const MatrixOf<T> buffers = as<T>(random.whole_matrix(group.ranks, random.whole(0, 60), 100000));
                const MatrixOf<T> expected = reduced(buffers, reduction);
                const MatrixOf<T> result = all_reduce(buffers, options_of<T>(algorithm, group, reduction)).buffers;
                CAPTURE(name(algorithm), name(reduction), group.ranks);
                REQUIRE(difference(result, expected) == "");
            }
        }
    }
}

template <typename T>
bool all_ranks_agree(const MatrixOf<T>& buffers) {
    const std::span<const T> first = row(buffers, 0);
    for (std::size_t rank = 1; rank < buffers.shape(0); ++rank) {
        const std::span<const T> other = row(buffers, rank);
        if (!std::equal(first.begin(), first.end(), other.begin(), other.end())) {
            return false;
        }
    }
    return true;
}

}  // namespace

TEST_CASE("all reductions by all algorithms equal the element-wise result in float64", "[collective]") {
    require_element_wise<double>();
}

TEST_CASE("all reductions by all algorithms equal the element-wise result in float32", "[collective]") {
    require_element_wise<float>();
}

TEST_CASE("every rank holds the same bits by every algorithm, in float32 and float64", "[collective]") {
    Random random(202);
    for (const Algorithm algorithm : algorithms) {
        for (int trial = 0; trial < 40; ++trial) {
            const Group group = some_group(random, algorithm, 40);
            const Matrix buffers = random.matrix(group.ranks, random.whole(1, 60));
            for (const Reduction reduction : {Reduction::sum, Reduction::average}) {
                CAPTURE(name(algorithm), group.ranks);
                REQUIRE(all_ranks_agree(all_reduce(buffers, options_of<double>(algorithm, group, reduction)).buffers));
                REQUIRE(all_ranks_agree(
                    all_reduce(as<float>(buffers), options_of<float>(algorithm, group, reduction)).buffers));
            }
        }
    }
}

TEST_CASE("the order of summation shows in the bits of float32, but halving a power of two adds as the tree does",
          "[collective]") {
    const Matrix32 buffers = as<float>(random_matrix(16, 200, 5));
    const Group group{.ranks = 16, .options = {.slices = 1, .per_node = 4}};
    std::vector<Matrix32> results;
    for (const Algorithm algorithm : algorithms) {
        results.push_back(all_reduce(buffers, options_of<float>(algorithm, group, Reduction::sum)).buffers);
    }
    for (std::size_t a = 0; a < results.size(); ++a) {
        for (std::size_t b = a + 1; b < results.size(); ++b) {
            const bool same_order = algorithms[a] == Algorithm::tree && algorithms[b] == Algorithm::halving_doubling;
            CHECK((difference(results[a], results[b]) == "") == same_order);
        }
    }
}

TEST_CASE("an average is the division of the sum, after the last step alone", "[collective]") {
    Matrix gradients = zeros("gradients", 4, 1);
    std::copy_n(std::vector<double>{4, 8, 12, 16}.begin(), 4, gradients.begin());
    AllReduceOptions options;
    options.reduction = Reduction::average;
    CHECK(all_reduce(gradients, options).buffers(3, 0) == 10);
    options.stop_after = 5;
    CHECK(all_reduce(gradients, options).buffers(0, 0) == 40);
    // What is only copied is not divided.
    CHECK(run_collective(Kind::broadcast, gradients, Reduction::average).buffers(3, 0) == 4);
    CHECK(run_collective(Kind::reduce, gradients, Reduction::average).buffers(0, 0) == 10);
}

TEST_CASE("sums that could overflow are refused, each in its own precision, and the largest values have a maximum",
          "[collective]") {
    const float largest = std::numeric_limits<float>::max();
    Matrix32 buffers(Matrix32::shape_type{4, 2}, 0.0F);
    buffers(2, 1) = largest;
    AllReduceOptions options;
    CHECK(refusal_of([&] { all_reduce(buffers, options); }).parameter == "buffers");
    options.reduction = Reduction::max;
    CHECK(all_reduce(buffers, options).buffers(0, 1) == largest);
    buffers(2, 1) = std::numeric_limits<float>::infinity();
    require_refused("buffers", "inf", [&] { all_reduce(buffers, options); });
    options.reduction = Reduction::sum;
    for (const int ranks : {1, 2, 3, 100, 1024}) {
        Matrix32 equal(Matrix32::shape_type{static_cast<std::size_t>(ranks), 1},
                       largest / static_cast<float>(ranks) * 0.9998F);
        const float sum = all_reduce(equal, options).buffers(0, 0);
        CHECK(std::isfinite(sum));
        CHECK(sum > 0.99F * largest);
    }
    require_refused("buffers", "1e+300", [] { to_float32("buffers", Matrix(Matrix::shape_type{1, 1}, 1e300)); });
    CHECK(to_float64(to_float32("buffers", Matrix(Matrix::shape_type{1, 1}, 0.1)))(0, 0) == 0.1F);
}

TEST_CASE("an out-of-place collective reads what stood there at the start", "[collective]") {
    Matrix buffers = powers_of_ten(3, 3);
    const CollectiveSchedule schedule = all_to_all_schedule(3, 3);
    CHECK(schedule.placement() == Placement::out_of_place);
    execute(schedule, buffers);
    for (std::size_t rank = 0; rank < 3; ++rank) {
        CHECK(buffers(rank, 0) == 1);
        CHECK(buffers(rank, 1) == 10);
        CHECK(buffers(rank, 2) == 100);
    }
}

TEST_CASE("stopping after any number of steps is the beginning of the whole", "[collective]") {
    for (const Algorithm algorithm : algorithms) {
        const Group group{.ranks = 8, .options = {.slices = 2, .per_node = 4}};
        const CollectiveSchedule schedule = schedule_of(algorithm, group, 20);
        Matrix whole = powers_of_ten(8, 20);
        execute(schedule, whole);
        for (int stop = 0; stop <= schedule.steps(); ++stop) {
            Matrix buffers = powers_of_ten(8, 20);
            const Ledger first = execute(schedule, buffers, stop);
            const CollectiveSchedule rest(8, 20, schedule.steps() - stop,
                                          [&](int index, Step& step) { schedule.generate(stop + index, step); });
            const Ledger second = execute(rest, buffers);
            CAPTURE(name(algorithm), stop);
            REQUIRE(difference(buffers, whole) == "");
            CHECK(first.elements_moved() + second.elements_moved() == ledger(schedule).elements_moved());
        }
        Matrix buffers = powers_of_ten(8, 20);
        require_refused("stop_after", "-1", [&] { execute(schedule, buffers, -1); });
    }
}
