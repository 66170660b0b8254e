#include <cmath>
#include <limits>
#include <string>

#include <shardlab/csv.hpp>

#include "catch.hpp"
#include "difference.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

Matrix two_by_three() {
    Matrix matrix = zeros("matrix", 2, 3);
    double value = 0;
    for (double& element : matrix) {
        element = ++value;
    }
    return matrix;
}

void require_csv_refused(const std::string& text, const std::string& value, const std::string& rule) {
    CAPTURE(text);
    const Refusal refusal = refusal_of([&] { matrix_from_csv(text); });
    CHECK(refusal.parameter == "input");
    CHECK(refusal.value == value);
    CHECK(refusal.rule == rule);
}

}  // namespace

TEST_CASE("CSV: a row a line, whatever the line ends and the spaces", "[csv]") {
    for (const char* text : {"1,2,3\n4,5,6", "1,2,3\n4,5,6\n", "1,2,3\r\n4,5,6\r\n\r\n", " 1 ,\t2,3 \n 4,5 , 6",
                             "\xEF\xBB\xBF"
                             "1,2,3\n4,5,6\n",
                             "1e0,+2,3.0\n4.,50e-1,6\n\n\n"}) {
        CAPTURE(text);
        CHECK(difference(matrix_from_csv(text), two_by_three()) == "");
    }
}

TEST_CASE("CSV: numbers are read to the last bit", "[csv]") {
    CHECK(matrix_from_csv("1e-400")(0, 0) == 0);
    const Matrix matrix = matrix_from_csv("0.1,-0.30000000000000004,1e-320,9007199254740993,1.7976931348623157e308");
    CHECK(matrix(0, 0) == 0.1);
    CHECK(matrix(0, 1) == -0.30000000000000004);
    CHECK(matrix(0, 2) == 1e-320);
    CHECK(matrix(0, 3) == 9007199254740992.0);
    CHECK(matrix(0, 4) == 1.7976931348623157e308);
}

TEST_CASE("CSV: a number is the double nearest to what is written, ties to even", "[csv]") {
    const auto read = [](const std::string& cell) { return matrix_from_csv(cell, "text")(0, 0); };
    CHECK(read("9007199254740993") == 9007199254740992);
    CHECK(read("9007199254740993.0000000000000000000001") == 9007199254740994);
    CHECK(read("1.7976931348623158e308") == std::numeric_limits<double>::max());
    CHECK(read("4.9406564584124654e-324") == std::numeric_limits<double>::denorm_min());
    CHECK(read("2.4703282292062328e-324") == std::numeric_limits<double>::denorm_min());
    CHECK(read("2.4703282292062327e-324") == 0);
    CHECK(read("-.5") == -0.5);
    CHECK(read("5.") == 5);
    Random random(31);
    for (int trial = 0; trial < 2000; ++trial) {
        const double value = std::ldexp(random.whole(-1000000000, 1000000000) + random.whole(0, 1000000) / 1e6,
                                        random.whole(-1040, 980));
        REQUIRE(read(number_text(value)) == value);
    }
}

TEST_CASE("CSV: a cell that is no finite decimal number is named by line and column", "[csv]") {
    const std::string rule = "have a finite decimal number in every cell, separated by commas";
    require_csv_refused("1,2\n3,four\n", "\"four\" in line 2, column 2", rule);
    require_csv_refused("nan", "\"nan\" in line 1, column 1", rule);
    require_csv_refused("1,inf", "\"inf\" in line 1, column 2", rule);
    require_csv_refused("1,1e999", "\"1e999\" in line 1, column 2", rule);
    require_csv_refused("0x10", "\"0x10\" in line 1, column 1", rule);
    require_csv_refused("1;2", "\"1;2\" in line 1, column 1", rule);
    require_csv_refused("1,,2", "\"\" in line 1, column 2", rule);
    require_csv_refused("1,2,", "\"\" in line 1, column 3", rule);
    require_csv_refused("++1", "\"++1\" in line 1, column 1", rule);
    require_csv_refused("+-1", "\"+-1\" in line 1, column 1", rule);
    require_csv_refused("+", "\"+\" in line 1, column 1", rule);
    require_csv_refused("1 2", "\"1 2\" in line 1, column 1", rule);
    require_csv_refused("1,2\n\n3,4", "\"\" in line 2, column 1", rule);
    require_csv_refused("\n\n1,2\n", "\"\" in line 1, column 1", rule);
    require_csv_refused(std::string("1,\0", 3), "\"?\" in line 1, column 2", rule);
    require_csv_refused(std::string(100, 'x'), '"' + std::string(40, 'x') + "...\" in line 1, column 1", rule);
}

TEST_CASE("CSV: rows of unequal length and empty text are refused", "[csv]") {
    require_csv_refused("1,2,3\n4,5", "2 numbers in line 2", "have rows of equal length; the first has 3");
    require_csv_refused("1\n2,3", "2 numbers in line 2", "have rows of equal length; the first has 1");
    require_csv_refused("", "empty", "have at least one row of numbers");
    require_csv_refused(" \n\r\n", "empty", "have at least one row of numbers");
    require_csv_refused("\xEF\xBB\xBF", "empty", "have at least one row of numbers");
}

TEST_CASE("CSV: errors name the parameter of the caller", "[csv]") {
    CHECK(refusal_of([] { matrix_from_csv("a", "gradients"); }).parameter == "gradients");
}
