#include <cmath>

#include <shardlab/collective_cost.hpp>
#include <shardlab/matmul.hpp>
#include <shardlab/tensor_parallel.hpp>

#include "catch.hpp"
#include "difference.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

/// The loss whose gradient with respect to the MLP's output is `weights`: the sum of weights times output.
double loss(const Matrix& w1, const Matrix& w2, const Matrix& x, const Matrix& weights) {
    Matrix hidden = matmul(w1, x);
    for (double& value : hidden) {
        value = gelu(value);
    }
    const Matrix output = matmul(w2, hidden);
    double sum = 0;
    for (std::size_t i = 0; i < output.size(); ++i) {
        sum += output.data()[i] * weights.data()[i];
    }
    return sum;
}

}  // namespace

TEST_CASE("tensor parallel by columns: exact, and nothing is sent", "[tensor-parallel]") {
    Random random(21);
    for (int trial = 0; trial < 300; ++trial) {
        const int in = random.whole(1, 30);
        const Matrix w = random.matrix(random.whole(1, 30), in);
        const Matrix x = random.matrix(in, random.whole(1, 10));
        const TensorParallelMatmul sharded = tensor_parallel_matmul(w, x, random.whole(1, 16), Split::column);
        REQUIRE(difference(sharded.result, matmul(w, x)) == "");
        REQUIRE(sharded.max_abs_error == 0);
        REQUIRE(sharded.max_rel_error == 0);
        REQUIRE(sharded.communication_bytes_per_rank == 0);
    }
}

TEST_CASE("tensor parallel by rows: the partial sums add up to the whole product", "[tensor-parallel]") {
    Random random(22);
    for (int trial = 0; trial < 300; ++trial) {
        const int in = random.whole(1, 30);
        const Matrix w = random.matrix(random.whole(1, 30), in);
        const Matrix x = random.matrix(in, random.whole(1, 10));
        const TensorParallelMatmul sharded = tensor_parallel_matmul(w, x, random.whole(1, 16), Split::row);
        REQUIRE(relative_error(elements(sharded.result), elements(matmul(w, x))) == sharded.max_rel_error);
        REQUIRE(sharded.max_abs_error < 1e-12);
    }
}

TEST_CASE("tensor parallel by rows: exact on whole numbers, and costs one all-reduce of the output",
          "[tensor-parallel]") {
    Random random(23);
    for (const int ranks : {1, 2, 4, 8}) {
        const Matrix w = random.whole_matrix(16, 24, 100);
        const Matrix x = random.whole_matrix(24, 2, 100);
        const TensorParallelMatmul sharded = tensor_parallel_matmul(w, x, ranks, Split::row);
        CHECK(difference(sharded.result, matmul(w, x)) == "");
        CHECK(sharded.communication_bytes_per_rank == all_reduce_cost(ranks, 8.0 * 16 * 2).bytes_sent_per_rank);
    }
}

TEST_CASE("tensor parallel: shards have the shapes that the header draws", "[tensor-parallel]") {
    Random random(24);
    const Matrix w = random.matrix(10, 6);
    const Matrix x = random.matrix(6, 3);
    const TensorParallelMatmul columns = tensor_parallel_matmul(w, x, 4, Split::column);
    REQUIRE(columns.weight_shards.size() == 4);
    CHECK(columns.weight_shards[0].shape() == Matrix::shape_type{3, 6});
    CHECK(columns.weight_shards[3].shape() == Matrix::shape_type{2, 6});
    CHECK(columns.partial_outputs[3].shape() == Matrix::shape_type{2, 3});
    const TensorParallelMatmul rows = tensor_parallel_matmul(w, x, 4, Split::row);
    CHECK(rows.weight_shards[0].shape() == Matrix::shape_type{10, 2});
    CHECK(rows.weight_shards[3].shape() == Matrix::shape_type{10, 1});
    CHECK(rows.partial_outputs[3].shape() == Matrix::shape_type{10, 3});
    CHECK(rows.weight_shards[1](4, 1) == w(4, 3));
}

TEST_CASE("tensor parallel: more ranks than features leave empty shards and the same product", "[tensor-parallel]") {
    Random random(25);
    const Matrix w = random.whole_matrix(3, 2, 10);
    const Matrix x = random.whole_matrix(2, 1, 10);
    for (const Split split : {Split::column, Split::row}) {
        const TensorParallelMatmul sharded = tensor_parallel_matmul(w, x, 8, split);
        CHECK(difference(sharded.result, matmul(w, x)) == "");
        CHECK(sharded.weight_shards.back().size() == 0);
    }
}

TEST_CASE("tensor parallel: what cannot be multiplied is refused by name", "[tensor-parallel]") {
    const Matrix w = zeros("w", 4, 4);
    require_refused("ranks", "0", [&] { tensor_parallel_matmul(w, zeros("x", 4, 1), 0, Split::row); });
    require_refused("x", "3 x 1", [&] { tensor_parallel_matmul(w, zeros("x", 3, 1), 2, Split::row); });
    require_refused("w", "0 x 4", [&] { tensor_parallel_matmul(zeros("w", 0, 4), zeros("x", 4, 1), 2, Split::row); });
    require_refused("split", "diagonal", [] { split_from_name("diagonal"); });
    Matrix huge = zeros("w", 1, 2);
    huge(0, 0) = 1e300;
    Matrix large = zeros("x", 2, 1);
    large(0, 0) = 1e300;
    require_refused("w", "inf in a product", [&] { tensor_parallel_matmul(huge, large, 1, Split::row); });
    require_refused("w", "8000 x 8000 outputs on each of 1024 ranks",
                    [] { tensor_parallel_matmul(zeros("w", 8000, 1), zeros("x", 1, 8000), 1024, Split::row); });
    CHECK(tensor_parallel_matmul(zeros("w", 65537, 1), zeros("x", 1, 1), 1024, Split::column).max_abs_error == 0);
    require_refused("w", "8192 x 1024 times 1024 x 1024",
                    [] { tensor_parallel_matmul(zeros("w", 8192, 1024), zeros("x", 1024, 1024), 2, Split::row); });
}

TEST_CASE("GELU and its derivative", "[tensor-parallel]") {
    CHECK(gelu(0) == 0);
    CHECK(gelu(1) == Approx(0.8413447460685429).epsilon(1e-12));
    CHECK(gelu(-40) == 0);
    CHECK(gelu(-10) == Approx(-7.619853024160527e-23).epsilon(1e-12));
    for (const double x : {-3.0, -0.7, 0.0, 0.4, 2.5}) {
        const double step = 1e-5;
        CHECK(gelu_derivative(x) == Approx((gelu(x + step) - gelu(x - step)) / (2 * step)).epsilon(1e-8));
    }
}

TEST_CASE("tensor-parallel MLP: output and input gradient of the whole one, one all-reduce each way",
          "[tensor-parallel]") {
    Random random(26);
    for (int trial = 0; trial < 100; ++trial) {
        const int in = random.whole(1, 12);
        const int ffn = random.whole(1, 24);
        const int out = random.whole(1, 12);
        const int batch = random.whole(1, 4);
        const TensorParallelMlp mlp =
            tensor_parallel_mlp(random.matrix(ffn, in), random.matrix(out, ffn), random.matrix(in, batch),
                                random.matrix(out, batch), random.whole(1, 16));
        REQUIRE(mlp.output_max_rel_error < 1e-12);
        REQUIRE(mlp.input_gradient_max_rel_error < 1e-12);
        REQUIRE(mlp.forward_all_reduces == 1);
        REQUIRE(mlp.backward_all_reduces == 1);
    }
}

TEST_CASE("tensor-parallel MLP: the input gradient is that of central differences", "[tensor-parallel]") {
    Random random(27);
    const Matrix w1 = random.matrix(8, 3);
    const Matrix w2 = random.matrix(5, 8);
    Matrix x = random.matrix(3, 2);
    const Matrix weights = random.matrix(5, 2);
    const TensorParallelMlp mlp = tensor_parallel_mlp(w1, w2, x, weights, 4);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double step = 1e-5;
        const double value = x.data()[i];
        x.data()[i] = value + step;
        const double above = loss(w1, w2, x, weights);
        x.data()[i] = value - step;
        const double below = loss(w1, w2, x, weights);
        x.data()[i] = value;
        CHECK(mlp.input_gradient.data()[i] == Approx((above - below) / (2 * step)).epsilon(1e-7));
    }
}

TEST_CASE("tensor-parallel MLP: sizes that do not meet are refused by name", "[tensor-parallel]") {
    const auto call = [](const Matrix& w1, const Matrix& w2, const Matrix& x, const Matrix& gradient) {
        return [=] { tensor_parallel_mlp(w1, w2, x, gradient, 2); };
    };
    const Matrix w1 = zeros("w1", 8, 3);
    const Matrix w2 = zeros("w2", 5, 8);
    const Matrix x = zeros("x", 3, 2);
    const Matrix gradient = zeros("output_gradient", 5, 2);
    CHECK_NOTHROW(call(w1, w2, x, gradient)());
    require_refused("x", "2 x 2", call(w1, w2, zeros("x", 2, 2), gradient));
    require_refused("w2", "5 x 7", call(w1, zeros("w2", 5, 7), x, gradient));
    require_refused("output_gradient", "4 x 2", call(w1, w2, x, zeros("output_gradient", 4, 2)));
    require_refused("output_gradient", "5 x 3", call(w1, w2, x, zeros("output_gradient", 5, 3)));
    require_refused("w1", "0 x 3", call(zeros("w1", 0, 3), w2, x, gradient));
    require_refused(
        "w1", "1048576 x 128 outputs on each of 1 rank",
        call(zeros("w1", 1048576, 1), zeros("w2", 1, 1048576), zeros("x", 1, 128), zeros("output_gradient", 1, 128)));
}

TEST_CASE("partial sums too large to be added are refused by the weights that made them", "[tensor-parallel]") {
    Matrix w = zeros("w", 1, 2);
    w(0, 0) = 1e308;
    w(0, 1) = -1e308;
    const Matrix x = zeros("x", 2, 1) + 1.0;
    require_refused("w", "1e+308 in a partial sum", [&] { tensor_parallel_matmul(w, x, 2, Split::row); });
}

TEST_CASE("a sharded linear layer gives the whole one's gradients, over 300 random shapes each way",
          "[tensor-parallel]") {
    Random random(27);
    for (int trial = 0; trial < 600; ++trial) {
        const Split split = trial % 2 == 0 ? Split::column : Split::row;
        const int ranks = random.whole(1, 16);
        const Matrix w = random.matrix(random.whole(1, 30), random.whole(1, 30));
        const Matrix x = random.matrix(static_cast<int>(w.shape(1)), random.whole(1, 10));
        const Matrix slope = random.matrix(static_cast<int>(w.shape(0)), static_cast<int>(x.shape(1)));
        const TensorParallelLinear layer = tensor_parallel_linear(w, x, slope, ranks, split);
        REQUIRE(difference(layer.forward.result, tensor_parallel_matmul(w, x, ranks, split).result) == "");
        REQUIRE(layer.input_error.max_rel < 1e-12);
        REQUIRE(difference(layer.weight_gradient, matmul(slope, transposed(view(x)))) == "");
        if (split == Split::row) {
            REQUIRE(difference(layer.input_gradient, matmul(transposed(view(w)), slope)) == "");
        }
        REQUIRE(layer.collectives.size() == (ranks == 1 ? 0 : 1));
    }
}

TEST_CASE("a linear layer communicates forward by rows and backward by columns", "[tensor-parallel]") {
    const Matrix w = random_matrix(6, 8, 1);
    const Matrix x = random_matrix(8, 3, 2);
    const Matrix slope = random_matrix(6, 3, 3);
    const TensorParallelLinear column = tensor_parallel_linear(w, x, slope, 2, Split::column);
    REQUIRE(column.collectives.size() == 1);
    CHECK(column.collectives.front().pass == Pass::backward);
    CHECK(column.collectives.front().bytes == 8 * 3 * 8);
    const TensorParallelLinear row = tensor_parallel_linear(w, x, slope, 2, Split::row);
    REQUIRE(row.collectives.size() == 1);
    CHECK(row.collectives.front().pass == Pass::forward);
    CHECK(row.collectives.front().bytes == 6 * 3 * 8);
    CHECK(row.collectives.front().bytes_sent_per_rank == row.forward.communication_bytes_per_rank);
}

TEST_CASE("a forgotten all-reduce of a linear layer leaves rank 0's part", "[tensor-parallel][mistake]") {
    const Matrix w = random_matrix(6, 8, 1);
    const Matrix x = random_matrix(8, 3, 2);
    const Matrix slope = random_matrix(6, 3, 3);
    const TensorParallelLinear row = tensor_parallel_linear(w, x, slope, 2, Split::row, Mistake::forward_all_reduce);
    CHECK(difference(row.forward.result, row.forward.partial_outputs.front()) == "");
    CHECK(row.forward.max_rel_error > 0.1);
    CHECK(row.collectives.empty());
    const TensorParallelLinear column =
        tensor_parallel_linear(w, x, slope, 2, Split::column, Mistake::backward_all_reduce);
    CHECK(column.forward.max_abs_error == 0);
    CHECK(column.input_error.max_rel > 0.1);
    require_refused("forget", "backward-all-reduce",
                    [&] { tensor_parallel_linear(w, x, slope, 2, Split::row, Mistake::backward_all_reduce); });
    require_refused("output_gradient", "6 x 2",
                    [&] { tensor_parallel_linear(w, x, random_matrix(6, 2, 3), 2, Split::row); });
}
