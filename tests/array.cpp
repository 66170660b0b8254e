#include <limits>
#include <vector>

#include <shardlab/array.hpp>

#include "catch.hpp"
#include "difference.hpp"
#include "refusal.hpp"

using namespace shardlab;

TEST_CASE("random matrices lie from -1 to below 1 and depend on the seed alone", "[array]") {
    const Matrix matrix = random_matrix(100, 100, 7);
    CHECK(difference(matrix, random_matrix(100, 100, 7)) == "");
    CHECK(difference(matrix, random_matrix(100, 100, 8)) != "");
    double sum = 0;
    for (const double element : matrix) {
        REQUIRE(element >= -1);
        REQUIRE(element < 1);
        sum += element;
    }
    // The mean of 10 000 such numbers has a standard deviation of 0.0058.
    CHECK(std::abs(sum / 10000) < 0.03);
}

TEST_CASE("an array that is too large is refused before it is allocated", "[array]") {
    require_refused("elements", "4 x 1000000000000", [] { zeros("elements", 4, 1e12); });
    require_refused("elements", "67108865 x 1", [] { zeros("elements", 67108865, 1); });
    CHECK(zeros("elements", 67108864, 0).size() == 0);
    require_refused("rows", "1.5", [] { random_matrix(1.5, 1, 0); });
    require_refused("seed", "-1", [] { random_matrix(1, 1, -1); });
}

TEST_CASE("the relative error is the largest difference over the largest element", "[array]") {
    const std::vector<double> a = {1, 2, 3};
    const std::vector<double> b = {1, 4, 2};
    const std::vector<double> none = {0, 0, 0};
    CHECK(max_abs_difference(a, b) == 2);
    CHECK(relative_error(a, b) == 0.5);
    CHECK(relative_error(none, none) == 0);
    CHECK(relative_error(a, none) == 1);
    CHECK(max_abs_difference(std::vector<double>{}, std::vector<double>{}) == 0);
    require_refused("b", "2 elements", [&] { max_abs_difference(a, std::vector<double>{1, 2}); });
}

TEST_CASE("the first element that is not finite is named", "[array]") {
    Matrix matrix = zeros("x", 2, 3);
    CHECK_NOTHROW(require_finite("x", matrix));
    matrix(1, 2) = std::numeric_limits<double>::infinity();
    const Refusal refusal = refusal_of([&] { require_finite("x", matrix); });
    CHECK(refusal.value == "inf");
    CHECK(refusal.rule == "be finite in every element; row 1, element 2 is not");
}

TEST_CASE("an empty array with a side that nobody could walk along is refused", "[array]") {
    require_refused("elements", "9007199254740992", [] { zeros("elements", largest_count, 0); });
    require_refused("elements", "67108865", [] { zeros("elements", 0, 67108865); });
    // Such shapes need no memory, so xtensor makes them.
    const Matrix tall(Matrix::shape_type{std::size_t{1} << 30U, 0});
    CHECK_NOTHROW(require_finite("x", tall));
}

TEST_CASE("a difference that is not finite is refused and not taken for none", "[array]") {
    const std::vector<double> one = {1};
    const std::vector<double> not_a_number = {std::numeric_limits<double>::quiet_NaN()};
    const std::vector<double> infinite = {std::numeric_limits<double>::infinity()};
    require_refused("a", "nan", [&] { max_abs_difference(not_a_number, one); });
    require_refused("a", "1", [&] { max_abs_difference(one, not_a_number); });
    require_refused("a", "inf", [&] { relative_error(infinite, infinite); });
}

TEST_CASE("a relative error that no double can hold is the largest double", "[array]") {
    CHECK(relative_error(std::vector<double>{1e300}, std::vector<double>{1e-300}) ==
          std::numeric_limits<double>::max());
}
