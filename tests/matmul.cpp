#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <shardlab/matmul.hpp>

#include "catch.hpp"
#include "difference.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

/// Sums each element in the order that the header promises, with no thought for speed.
template <typename T>
MatrixOf<T> plain_product(MatrixView<T> a, MatrixView<T> b) {
    MatrixOf<T> product = zeros<T>("product", static_cast<double>(a.rows), static_cast<double>(b.columns));
    for (std::size_t i = 0; i < a.rows; ++i) {
        for (std::size_t j = 0; j < b.columns; ++j) {
            T sum = 0;
            for (std::size_t k = 0; k < a.columns; ++k) {
                sum += a(i, k) * b(k, j);
            }
            product(i, j) = sum;
        }
    }
    return product;
}

/// Numbers that use all bits of their type, so that the order of a sum shows.
template <typename T>
MatrixOf<T> random_numbers(Random& random, int rows, int columns) {
    if constexpr (std::is_same_v<T, float>) {
        return to_float32("numbers", random.matrix(rows, columns));
    } else {
        return random.matrix(rows, columns);
    }
}

/// Rows of a, columns of a and rows of b, columns of b.
struct Shape {
    int rows;
    int inner;
    int columns;
};

/// How an operand lies in memory.
struct Placement {
    bool transposed;
    bool cut;  ///< in a matrix that has more rows and columns
};

const std::vector<Placement> placements = {{false, false}, {true, false}, {false, true}, {true, true}};

/// Random numbers of a shape, seen from where they lie.
template <typename T>
class Operand {
public:
    Operand(Random& random, int rows, int columns, Placement placement)
        : margin_(placement.cut ? 3 : 0),
          transposed_(placement.transposed),
          numbers_(random_numbers<T>(random, (transposed_ ? columns : rows) + 2 * margin_,
                                     (transposed_ ? rows : columns) + 2 * margin_)) {}

    MatrixView<T> view() const {
        const auto margin = static_cast<std::size_t>(margin_);
        const MatrixView<T> rows = rows_of<T>(numbers_, margin, numbers_.shape(0) - 2 * margin);
        const MatrixView<T> part = columns_of(rows, margin, numbers_.shape(1) - 2 * margin);
        return transposed_ ? transposed(part) : part;
    }

private:
    int margin_;
    bool transposed_;
    MatrixOf<T> numbers_;
};

/// Holds a product to the plain loop, the operands lying in those ways.
template <typename T>
void require_plain_bits(Random& random, Shape shape, Placement of_a, Placement of_b) {
    const auto [rows, inner, columns] = shape;
    const Operand<T> a(random, rows, inner, of_a);
    const Operand<T> b(random, inner, columns, of_b);
    CAPTURE(rows, inner, columns, of_a.transposed, of_a.cut, of_b.transposed, of_b.cut);
    REQUIRE(difference(matmul(a.view(), b.view()), plain_product(a.view(), b.view())) == "");
}

}  // namespace

TEMPLATE_TEST_CASE("matmul equals the sum over k from 0 upwards, bit for bit", "[matmul]", float, double) {
    Random random(1);
    for (int trial = 0; trial < 20; ++trial) {
        for (const Placement of_a : placements) {
            for (const Placement of_b : placements) {
                const int most = random.whole(1, 3) == 1 ? 80 : 20;
                const Shape shape = {random.whole(1, most), random.whole(1, most), random.whole(1, most)};
                require_plain_bits<TestType>(random, shape, of_a, of_b);
            }
        }
    }
}

// Large products are made of blocks of 64 rows, 512 columns and 256 of what is summed over, these of tiles of 4 rows
// and 4 or 8 columns.
TEMPLATE_TEST_CASE("matmul gives the same bits at the borders of its blocks", "[matmul]", float, double) {
    Random random(2);
    const std::vector<Shape> shapes = {{64, 256, 512}, {63, 255, 511}, {65, 257, 513}, {4, 513, 8},
                                       {130, 8, 33},   {9, 700, 5},    {8, 9, 1030}};
    for (const Shape& shape : shapes) {
        for (const Placement placement : placements) {
            require_plain_bits<TestType>(random, shape, placement, {!placement.transposed, placement.cut});
            require_plain_bits<TestType>(random, shape, placement, {placement.transposed, !placement.cut});
        }
    }
}

TEMPLATE_TEST_CASE("matmul takes one row, one column and one product", "[matmul]", float, double) {
    Random random(3);
    const std::vector<Shape> shapes = {{1, 1, 1},   {1, 300, 1}, {1, 90, 70}, {90, 70, 1},
                                       {90, 1, 70}, {1, 1, 90},  {90, 1, 1}};
    for (const Placement of_a : placements) {
        for (const Placement of_b : placements) {
            for (const Shape& shape : shapes) {
                require_plain_bits<TestType>(random, shape, of_a, of_b);
            }
        }
    }
}

TEMPLATE_TEST_CASE("matmul of empty sides is empty, and of nothing to sum is zero", "[matmul]", float, double) {
    const auto product = [](double rows, double inner, double columns) {
        return matmul(zeros<TestType>("a", rows, inner), zeros<TestType>("b", inner, columns));
    };
    CHECK(difference(product(0, 3, 2), zeros<TestType>("empty", 0, 2)) == "");
    CHECK(difference(product(3, 2, 0), zeros<TestType>("empty", 3, 0)) == "");
    CHECK(difference(product(0, 0, 0), zeros<TestType>("empty", 0, 0)) == "");
    CHECK(difference(product(90, 0, 70), zeros<TestType>("zeros", 90, 70)) == "");
}

TEST_CASE("rows of a product do not depend on the rows beside them", "[matmul]") {
    Random random(4);
    const Matrix a = random.matrix(70, 40);
    const Matrix b = random.matrix(40, 30);
    const Matrix whole = matmul(a, b);
    for (const auto& [first, count] :
         std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {3, 5}, {1, 69}, {69, 1}}) {
        CHECK(difference(matmul(rows_of(view(a), first, count), b), copy_of(rows_of(view(whole), first, count))) == "");
    }
}

TEMPLATE_TEST_CASE("an infinite element reaches its own row of a product and no other", "[matmul]", float, double) {
    MatrixOf<TestType> a = zeros<TestType>("a", 19, 33);
    MatrixOf<TestType> b = zeros<TestType>("b", 33, 21);
    a.fill(1);
    b.fill(1);
    a(18, 32) = std::numeric_limits<TestType>::infinity();
    const MatrixOf<TestType> product = matmul(a, b);
    REQUIRE(difference(product, plain_product<TestType>(a, b)) == "");
    CHECK(product(17, 20) == 33);
    CHECK(product(18, 0) == std::numeric_limits<TestType>::infinity());
}

TEST_CASE("a view is a part of its matrix or that transposed", "[matmul]") {
    const Matrix matrix = {{1, 2, 3}, {4, 5, 6}};
    CHECK(difference(copy_of(view(matrix)), matrix) == "");
    CHECK(difference(copy_of(transposed(view(matrix))), Matrix{{1, 4}, {2, 5}, {3, 6}}) == "");
    CHECK(difference(copy_of(rows_of(view(matrix), 1, 1)), Matrix{{4, 5, 6}}) == "");
    CHECK(difference(copy_of(columns_of(view(matrix), 1, 2)), Matrix{{2, 3}, {5, 6}}) == "");
    CHECK(difference(copy_of(rows_of(transposed(columns_of(view(matrix), 1, 2)), 1, 1)), Matrix{{3, 6}}) == "");
    CHECK(difference(copy_of(rows_of(view(matrix), 2, 0)), zeros("empty", 0, 3)) == "");
    CHECK(difference(copy_of(columns_of(view(matrix), 3, 0)), zeros("empty", 2, 0)) == "");
}

TEST_CASE("rows and columns that a view does not have are refused", "[matmul]") {
    const Matrix matrix = zeros("matrix", 2, 3);
    require_refused("rows", "2 from 1 on", [&] { rows_of(view(matrix), 1, 2); });
    require_refused("rows", "0 from 3 on", [&] { rows_of(view(matrix), 3, 0); });
    require_refused("columns", "4 from 0 on", [&] { columns_of(view(matrix), 0, 4); });
    require_refused("columns", "3 from 0 on", [&] { columns_of(transposed(view(matrix)), 0, 3); });
    // The end of such a part is no number that std::size_t has.
    constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
    CHECK(refusal_of([&] { rows_of(view(matrix), 1, largest); }).parameter == "rows");
    CHECK(refusal_of([&] { columns_of(view(matrix), largest, 2); }).parameter == "columns");
}

TEST_CASE("matmul refuses inner sizes that differ", "[matmul]") {
    require_refused("b", "3 rows", [] { matmul(zeros("a", 2, 4), zeros("b", 3, 5)); });
    require_refused("b", "4 rows", [] { matmul(zeros<float>("a", 2, 0), zeros<float>("b", 4, 5)); });
}

TEST_CASE("a result that is too large is refused before it is allocated", "[matmul]") {
    require_refused("b", "8193 x 8192", [] { matmul(zeros("a", 8193, 1), zeros("b", 1, 8192)); });
    require_refused("b", "8193 x 8192", [] { matmul(zeros<float>("a", 8193, 1), zeros<float>("b", 1, 8192)); });
    // Such shapes need no memory, so xtensor makes them.
    const Matrix tall(Matrix::shape_type{std::size_t{1} << 30U, 0});
    require_refused("b", "1073741824", [&] { matmul(tall, zeros("b", 0, 0)); });
    require_refused("view", "1073741824", [&] { copy_of(view(tall)); });

    const double number = 1;
    MatrixView<double> repeated;
    repeated.data = &number;
    repeated.rows = 8193;
    repeated.columns = 8192;
    repeated.column_stride = 0;
    require_refused("view", "8193 x 8192", [&] { copy_of(repeated); });
}
