#include <limits>
#include <string>

#include <shardlab/errors.hpp>

#include "catch.hpp"
#include "refusal.hpp"

using namespace shardlab;

TEST_CASE("an error is one sentence of parameter, value and rule", "[errors]") {
    const invalid_argument error("ranks", "0", "be a whole number from 1 to 1024");
    CHECK(std::string(error.what()) == "ranks is 0; it must be a whole number from 1 to 1024");
    CHECK(error.parameter() == "ranks");
    CHECK(error.value() == "0");
    CHECK(error.rule() == "be a whole number from 1 to 1024");
}

TEST_CASE("numbers in messages are the shortest text that reads back", "[errors]") {
    CHECK(number_text(0) == "0");
    CHECK(number_text(-3) == "-3");
    CHECK(number_text(0.1) == "0.1");
    CHECK(number_text(1.0 / 3) == "0.3333333333333333");
    CHECK(number_text(67108864) == "67108864");
    CHECK(number_text(1e30) == "1e+30");
    CHECK(number_text(std::numeric_limits<double>::infinity()) == "inf");
}

TEST_CASE("a count is a whole number in its range and nothing else", "[errors]") {
    CHECK(require_count("bytes", 0) == 0);
    CHECK(require_count("bytes", largest_count) == largest_count);
    const double not_a_number = std::numeric_limits<double>::quiet_NaN();
    const double infinite = std::numeric_limits<double>::infinity();
    for (const double wrong : {-1.0, 0.5, 1e300, not_a_number, infinite, -infinite}) {
        CHECK(refusal_of([&] { require_count("bytes", wrong); }).parameter == "bytes");
    }
    require_refused("bytes", "0.5", [] { require_count("bytes", 0.5); });
    require_refused("ranks", "1000000000000", [] { require_int("ranks", 1e12, 1, 1000000); });
    require_refused("ranks", "0", [] { require_int("ranks", 0, 1); });
}

TEST_CASE("a quantity lies in its range and is no NaN", "[errors]") {
    CHECK(require_between("forward", 0.25, 0, 1) == 0.25);
    require_refused("forward", "nan",
                    [] { require_between("forward", std::numeric_limits<double>::quiet_NaN(), 0, 1); });
    require_refused("forward", "2", [] { require_between("forward", 2, 0, 1); });
}

TEST_CASE("an infinity is refused within infinite limits too", "[errors]") {
    const double infinite = std::numeric_limits<double>::infinity();
    require_refused("size", "inf", [&] { require_count("size", infinite, 0, infinite); });
    require_refused("size", "-inf", [&] { require_between("size", -infinite, -infinite, 0); });
}

TEST_CASE("the sentence of an empty value says so", "[errors]") {
    CHECK(std::string(invalid_argument("split", "", "be column or row").what()) ==
          "split is empty; it must be column or row");
}
