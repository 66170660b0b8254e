#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "complaint.hpp"
#include "inputs.hpp"

using lab::Mlp;
using lab::Rows;
using lab::Split;
using lab_test::Complaint;
using lab_test::Random;

namespace {

/// The product of a, of shape (m, k), and b, of shape (k, n), over the k in a chunk only.
Rows product(const Rows& a, const Rows& b, const lab_test::Chunk& inner) {
    Rows result(a.size(), lab::Tensor(b.front().size(), 0.0));
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t k = inner.first; k < inner.first + inner.count; ++k) {
            for (std::size_t j = 0; j < result[i].size(); ++j) result[i][j] += a[i][k] * b[k][j];
        }
    }
    return result;
}

Rows product(const Rows& a, const Rows& b) {
    return product(a, b, lab_test::chunk(b.size(), 1, 0));
}

Rows transposed(const Rows& a) {
    Rows result(a.front().size(), lab::Tensor(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < a[i].size(); ++j) result[j][i] = a[i][j];
    }
    return result;
}

double largest(const Rows& a) {
    double result = 0;
    for (const auto& row : a) {
        for (double value : row) result = std::max(result, std::abs(value));
    }
    return result;
}

/// Every rank's partial product, where the inner size is cut.
std::vector<Rows> partial_products(const Rows& a, const Rows& b, int ranks) {
    std::vector<Rows> partials;
    for (int r = 0; r < ranks; ++r) partials.push_back(product(a, b, lab_test::chunk(b.size(), ranks, r)));
    return partials;
}

/// Explains an element by the ranks' partial sums that are missing from it.
std::string explain_partials(double got, const std::vector<Rows>& partials, std::size_t row, std::size_t column,
                             double tolerance) {
    std::vector<double> parts;
    for (const Rows& partial : partials) parts.push_back(partial[row][column]);
    const std::string why = lab_test::explain_sum(got, parts, tolerance);
    return why.empty() ? "" : ": " + why + " (the partial sums of all ranks must be added: an all-reduce)";
}

/// Explains an element of a column-parallel product that stands in the wrong row.
std::string explain_row(double got, const Rows& expected, std::size_t row, std::size_t column, int ranks) {
    for (std::size_t other = 0; other < expected.size(); ++other) {
        if (other == row || expected[other][column] != got) continue;
        return ": this is output feature " + std::to_string(other) + ", of rank " +
               std::to_string(lab_test::chunk_of(expected.size(), ranks, other).index) +
               " (the pieces of all ranks must stand one below the other, rank 0 first)";
    }
    return {};
}

Complaint wrong_product(const Rows& w, const Rows& x, int ranks, Split split, double tolerance = 0) {
    const Rows got = lab::tensor_parallel_matmul(w, x, ranks, split);
    const Rows expected = product(w, x);
    const auto difference = lab_test::first_difference(got, expected, {}, tolerance);
    if (!difference.in_value) return difference.complaint;
    const double value = got[difference.row][difference.column];
    return difference.complaint +
           (split == Split::row
                ? explain_partials(value, partial_products(w, x, ranks), difference.row, difference.column, tolerance)
                : explain_row(value, expected, difference.row, difference.column, ranks));
}

std::string matmul_text(const Rows& w, const Rows& x, int ranks, Split split) {
    return "w is (" + std::to_string(w.size()) + ", " + std::to_string(x.size()) + "), x is (" +
           std::to_string(x.size()) + ", " + std::to_string(x.front().size()) + "), " +
           lab_test::counted(ranks, "rank") + ", split by " + (split == Split::row ? "row" : "column");
}

const Rows small_w{{1, 2, 3, 4}, {5, 6, 7, 8}, {-1, 0, 1, 0}, {2, 0, 0, 2}};
const Rows small_x{{1, 10}, {2, 20}, {3, 30}, {4, 40}};

}  // namespace

TEST_CASE("lab tensor_parallel_matmul: split by column on two ranks", "[lab][tensor_parallel_matmul]") {
    REQUIRE_RIGHT(wrong_product(small_w, small_x, 2, Split::column));
}

TEST_CASE("lab tensor_parallel_matmul: split by row on two ranks", "[lab][tensor_parallel_matmul]") {
    REQUIRE_RIGHT(wrong_product(small_w, small_x, 2, Split::row));
}

TEST_CASE("lab tensor_parallel_matmul: one rank multiplies the whole", "[lab][tensor_parallel_matmul]") {
    REQUIRE_RIGHT(wrong_product(small_w, small_x, 1, Split::column));
    REQUIRE_RIGHT(wrong_product(small_w, small_x, 1, Split::row));
}

TEST_CASE("lab tensor_parallel_matmul: features that the ranks do not divide", "[lab][tensor_parallel_matmul]") {
    Random random(6);
    const auto split = GENERATE(Split::column, Split::row);
    for (int ranks : {2, 3, 4, 6}) {
        const Rows w = random.integers(7, 5, 9);
        const Rows x = random.integers(5, 3, 9);
        INFO(matmul_text(w, x, ranks, split));
        REQUIRE_RIGHT(wrong_product(w, x, ranks, split));
    }
}

TEST_CASE("lab tensor_parallel_matmul: more ranks than features leave some an empty part",
          "[lab][tensor_parallel_matmul]") {
    const auto split = GENERATE(Split::column, Split::row);
    INFO(matmul_text(small_w, small_x, 7, split));
    REQUIRE_RIGHT(wrong_product(small_w, small_x, 7, split));
}

TEST_CASE("lab tensor_parallel_matmul: equals the whole product for any shape and numbers",
          "[lab][tensor_parallel_matmul]") {
    Random random(7);
    const auto split = GENERATE(Split::column, Split::row);
    for (int round = 0; round < 60; ++round) {
        const int in = random.integer(1, 40);
        const Rows w = random.reals(random.integer(1, 40), in);
        const Rows x = random.reals(in, random.integer(1, 8));
        const int ranks = random.integer(1, 9);
        INFO(matmul_text(w, x, ranks, split));
        // Every product is below 1, so that 40 of them are summed to within 40 roundings of at most 40.
        REQUIRE_RIGHT(wrong_product(w, x, ranks, split, 40 * 40 * 0x1p-53));
    }
}

namespace {

const lab_test::MatrixWords gradient_words{"the input gradient", "input feature", "sample"};

double gelu(double v) {
    return v / 2 * (1 + std::erf(v / std::sqrt(2.0)));
}

Rows gelu(Rows h) {
    for (auto& row : h) {
        for (double& value : row) value = gelu(value);
    }
    return h;
}

Rows mlp(const Rows& w1, const Rows& w2, const Rows& x) {
    return product(w2, gelu(product(w1, x)));
}

/// The arguments of the MLP.
struct MlpInput {
    Rows w1;
    Rows w2;
    Rows x;
    Rows output_gradient;

    MlpInput(Random& random, int in, int ffn, int out, int batch)
        : w1(random.reals(ffn, in)),
          w2(random.reals(out, ffn)),
          x(random.reals(in, batch)),
          output_gradient(random.reals(out, batch)) {}

    Mlp run(int ranks) const { return lab::tensor_parallel_mlp(w1, w2, x, output_gradient, ranks); }

    std::string text(int ranks) const {
        return "in " + std::to_string(x.size()) + ", ffn " + std::to_string(w1.size()) + ", out " +
               std::to_string(w2.size()) + ", batch " + std::to_string(x.front().size()) + ", " +
               lab_test::counted(ranks, "rank");
    }
};

Complaint wrong_output(const MlpInput& input, int ranks) {
    const Rows got = input.run(ranks).output;
    const Rows expected = mlp(input.w1, input.w2, input.x);
    const double tolerance = 1e-12 * largest(expected);
    const auto difference = lab_test::first_difference(got, expected, {}, tolerance);
    if (!difference.in_value) return difference.complaint;
    const auto partials = partial_products(input.w2, gelu(product(input.w1, input.x)), ranks);
    return difference.complaint + explain_partials(got[difference.row][difference.column], partials, difference.row,
                                                   difference.column, tolerance);
}

/// The loss whose gradient with respect to the output is `output_gradient`: the sum of their products.
double loss(const MlpInput& input, const Rows& x) {
    const Rows output = mlp(input.w1, input.w2, x);
    double sum = 0;
    for (std::size_t i = 0; i < output.size(); ++i) {
        for (std::size_t j = 0; j < output[i].size(); ++j) sum += output[i][j] * input.output_gradient[i][j];
    }
    return sum;
}

/// The gradient by central differences: no formula of the backward pass is in it.
Rows measured_gradient(const MlpInput& input) {
    constexpr double step = 0x1p-17;  // balances the formula's error, step^2, and rounding, 2^-53 / step
    Rows gradient = input.x;
    Rows x = input.x;
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < x[i].size(); ++j) {
            const double value = x[i][j];
            x[i][j] = value + step;
            const double above = loss(input, x);
            x[i][j] = value - step;
            gradient[i][j] = (above - loss(input, x)) / (2 * step);
            x[i][j] = value;
        }
    }
    return gradient;
}

/// Every rank's part of the input gradient if GELU's derivative is left out: what is easily forgotten.
Rows gradient_without_gelu(const MlpInput& input) {
    return product(transposed(input.w1), product(transposed(input.w2), input.output_gradient));
}

Complaint wrong_gradient(const MlpInput& input, int ranks) {
    const Rows got = input.run(ranks).input_gradient;
    const Rows expected = measured_gradient(input);
    const double tolerance = 1e-7 * std::max(1.0, largest(expected));
    const auto difference = lab_test::first_difference(got, expected, gradient_words, tolerance);
    if (!difference.in_value) return difference.complaint;
    const double forgotten = gradient_without_gelu(input)[difference.row][difference.column];
    const bool no_gelu = std::abs(got[difference.row][difference.column] - forgotten) <= tolerance;
    return difference.complaint + " (measured by central differences)" +
           (no_gelu ? ": GELU's derivative at h is missing" : "");
}

}  // namespace

TEST_CASE("lab tensor_parallel_mlp: the output is that of the whole MLP", "[lab][tensor_parallel_mlp]") {
    Random random(8);
    for (int ranks : {1, 2, 4}) {
        const MlpInput input(random, 6, 8, 5, 3);
        INFO(input.text(ranks));
        REQUIRE_RIGHT(wrong_output(input, ranks));
    }
}

TEST_CASE("lab tensor_parallel_mlp: the input gradient is that of the whole MLP", "[lab][tensor_parallel_mlp]") {
    Random random(9);
    for (int ranks : {1, 2, 4}) {
        const MlpInput input(random, 6, 8, 5, 3);
        INFO(input.text(ranks));
        REQUIRE_RIGHT(wrong_gradient(input, ranks));
    }
}

TEST_CASE("lab tensor_parallel_mlp: inner features that the ranks do not divide", "[lab][tensor_parallel_mlp]") {
    Random random(10);
    for (int ranks : {3, 5, 11}) {
        const MlpInput input(random, 4, 7, 3, 2);
        INFO(input.text(ranks));
        REQUIRE_RIGHT(wrong_output(input, ranks));
        REQUIRE_RIGHT(wrong_gradient(input, ranks));
    }
}

TEST_CASE("lab tensor_parallel_mlp: takes one all-reduce forward and one backward", "[lab][tensor_parallel_mlp]") {
    Random random(11);
    const MlpInput input(random, 4, 6, 4, 2);
    const Mlp got = input.run(2);
    REQUIRE_RIGHT(lab_test::wrong_number("forward_all_reduces", got.forward_all_reduces, 1));
    REQUIRE_RIGHT(lab_test::wrong_number("backward_all_reduces", got.backward_all_reduces, 1));
}
