#include <algorithm>
#include <cmath>
#include <vector>

#include <shardlab/data_parallel.hpp>

#include "catch.hpp"
#include "difference.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

std::vector<double> numbers(const Matrix& matrix) {
    return {matrix.begin(), matrix.end()};
}

MlpShape random_shape(Random& random) {
    return {.inputs = random.whole(1, 6), .hidden = random.whole(1, 7), .outputs = random.whole(1, 5)};
}

double loss_at(const MlpShape& shape, const std::vector<double>& parameters, const Batch& batch) {
    return mean_squared_loss(mlp_forward(shape, parameters, batch.inputs).outputs, batch.targets);
}

std::vector<double> gradient_at(const MlpShape& shape, const std::vector<double>& parameters, const Batch& batch) {
    return mlp_backward(shape, parameters, batch.inputs, mlp_forward(shape, parameters, batch.inputs), batch.targets);
}

}  // namespace

TEST_CASE("perceptron: the gradient is that of central differences", "[data-parallel]") {
    Random random(21);
    for (int trial = 0; trial < 30; ++trial) {
        const MlpShape shape = random_shape(random);
        std::vector<double> parameters = numbers(random.matrix(1, static_cast<int>(mlp_parameters(shape))));
        const int rows = random.whole(1, 5);
        const Batch batch{.inputs = random.matrix(rows, shape.inputs), .targets = random.matrix(rows, shape.outputs)};
        const std::vector<double> gradient = gradient_at(shape, parameters, batch);
        REQUIRE(gradient.size() == parameters.size());
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            constexpr double width = 1e-5;
            const double parameter = parameters[i];
            parameters[i] = parameter + width;
            const double above = loss_at(shape, parameters, batch);
            parameters[i] = parameter - width;
            const double below = loss_at(shape, parameters, batch);
            parameters[i] = parameter;
            REQUIRE(gradient[i] == Approx((above - below) / (2 * width)).margin(1e-8));
        }
    }
}

TEST_CASE("perceptron: the outputs of one hidden feature, by hand", "[data-parallel]") {
    const MlpShape shape{.inputs = 2, .hidden = 1, .outputs = 2};
    const std::vector<double> parameters = {0.5, 0.25, 0.25, 2, -1, 10, 20};
    Matrix inputs = zeros("inputs", 1, 2);
    inputs(0, 0) = 1;
    // 0.5·1 + 0.25·0 + 0.25 = 0.75, whose activation is 0.75 / 1.25 = 0.6.
    const MlpActivations activations = mlp_forward(shape, parameters, inputs);
    CHECK(activations.hidden(0, 0) == 0.6);
    CHECK(activations.outputs(0, 0) == 2 * 0.6 + 10);
    CHECK(activations.outputs(0, 1) == 20 - 0.6);
    CHECK(mean_squared_loss(activations.outputs, activations.outputs) == 0);
}

TEST_CASE("perceptron: the standard one has 960 parameters", "[data-parallel]") {
    CHECK(mlp_parameters({}) == 960);
    CHECK(mlp_parameters({.inputs = 2, .hidden = 3, .outputs = 4}) == 2 * 3 + 3 + 3 * 4 + 4);
}

TEST_CASE("perceptron: the largest values overflow nowhere", "[data-parallel]") {
    const MlpShape shape{.inputs = 2, .hidden = 2, .outputs = 2};
    const std::vector<double> parameters(mlp_parameters(shape), largest_mlp_value);
    Batch batch{.inputs = zeros("inputs", 3, 2), .targets = zeros("targets", 3, 2)};
    std::fill(batch.inputs.begin(), batch.inputs.end(), -largest_mlp_value);
    std::fill(batch.targets.begin(), batch.targets.end(), largest_mlp_value);
    CHECK(std::isfinite(loss_at(shape, parameters, batch)));
    for (const double element : gradient_at(shape, parameters, batch)) {
        CHECK(std::isfinite(element));
    }
}

TEST_CASE("perceptron: what does not fit is refused by name", "[data-parallel]") {
    const MlpShape shape{.inputs = 2, .hidden = 3, .outputs = 1};
    std::vector<double> parameters(mlp_parameters(shape));
    const Matrix two_by_two = zeros("inputs", 2, 2);
    require_refused("hidden", "0", [] { mlp_parameters({.inputs = 1, .hidden = 0, .outputs = 1}); });
    require_refused("outputs", "1025", [] { mlp_parameters({.inputs = 1, .hidden = 1, .outputs = 1025}); });
    require_refused("inputs", "2 x 3", [&] { mlp_forward(shape, parameters, zeros("inputs", 2, 3)); });
    require_refused("inputs", "0 x 2", [&] { mlp_forward(shape, parameters, zeros("inputs", 0, 2)); });
    require_refused("targets", "2 x 2", [&] {
        mlp_backward(shape, parameters, two_by_two, mlp_forward(shape, parameters, two_by_two), two_by_two);
    });
    parameters[4] = std::nan("");
    require_refused("parameters", "nan", [&] { mlp_forward(shape, parameters, two_by_two); });
    parameters.pop_back();
    require_refused("parameters", "12 elements", [&] { mlp_forward(shape, parameters, two_by_two); });
}

TEST_CASE("task: every step has rows of its own, which begin with those of a shorter batch", "[data-parallel]") {
    const MlpShape shape{.inputs = 3, .hidden = 4, .outputs = 2};
    const RegressionTask task(shape, 7);
    const Batch batch = task.batch(5, 9);
    CHECK(batch.inputs.shape(0) == 9);
    CHECK(batch.targets.shape(1) == 2);
    const Batch shorter = task.batch(5, 4);
    CHECK(std::equal(shorter.inputs.begin(), shorter.inputs.end(), batch.inputs.begin()));
    CHECK(std::equal(shorter.targets.begin(), shorter.targets.end(), batch.targets.begin()));
    CHECK(difference(task.batch(6, 9).inputs, batch.inputs) != "");
    CHECK(difference(RegressionTask(shape, 8).batch(5, 9).inputs, batch.inputs) != "");
    CHECK(difference(RegressionTask(shape, 7).batch(5, 9).targets, batch.targets) == "");
    CHECK(task.initial_parameters() != RegressionTask(shape, 8).initial_parameters());
}

TEST_CASE("task: seeds and steps that do not exist are refused", "[data-parallel]") {
    require_refused("seed", "-1", [] { RegressionTask({}, -1); });
    require_refused("seed", "4294967297", [] { RegressionTask({}, 4294967297.0); });
    require_refused("step", "10000", [] { RegressionTask({}, 0).batch(10000, 1); });
    require_refused("rows", "0", [] { RegressionTask({}, 0).batch(0, 0); });
}

TEST_CASE("optimizer: Adam's steps are those of algorithm 1, written with powers", "[data-parallel]") {
    Optimizer adam({.kind = OptimizerKind::adam, .learning_rate = 0.01}, 1);
    CHECK(adam.state_elements() == 2);
    std::vector<double> parameter = {1};
    double expected = 1;
    double m = 0;
    double v = 0;
    for (int t = 1; t <= 50; ++t) {
        const double g = std::sin(t);
        m = 0.9 * m + 0.1 * g;
        v = 0.999 * v + 0.001 * g * g;
        expected -= 0.01 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
        adam.step(parameter, std::vector<double>{g});
        REQUIRE(parameter[0] == Approx(expected).epsilon(1e-12));
    }
}

TEST_CASE("optimizer: SGD with and without momentum, by hand", "[data-parallel]") {
    Optimizer plain({.kind = OptimizerKind::sgd, .learning_rate = 0.5}, 2);
    Optimizer heavy({.kind = OptimizerKind::sgd, .learning_rate = 0.5, .momentum = 0.5}, 2);
    CHECK(plain.state_elements() == 0);
    CHECK(heavy.state_elements() == 2);
    std::vector<double> a = {1, 2};
    std::vector<double> b = a;
    for (int step = 0; step < 2; ++step) {
        plain.step(a, std::vector<double>{2, -4});
        heavy.step(b, std::vector<double>{2, -4});
    }
    CHECK(a == std::vector<double>{-1, 6});
    CHECK(b == std::vector<double>{-1.5, 7});
}

TEST_CASE("optimizer: shards give the bits of the whole", "[data-parallel]") {
    Random random(22);
    for (const OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::adam}) {
        const OptimizerOptions options{.kind = kind, .learning_rate = 0.03, .momentum = 0.9};
        const std::size_t cut = 7;
        Optimizer whole(options, 20);
        Optimizer first(options, cut);
        Optimizer second(options, 20 - cut);
        std::vector<double> together = numbers(random.matrix(1, 20));
        std::vector<double> apart = together;
        for (int step = 0; step < 30; ++step) {
            const std::vector<double> gradient = numbers(random.matrix(1, 20));
            whole.step(together, gradient);
            first.step(std::span(apart).first(cut), std::span(gradient).first(cut));
            second.step(std::span(apart).subspan(cut), std::span(gradient).subspan(cut));
        }
        CHECK(together == apart);
    }
}

TEST_CASE("optimizer: names, rates and sizes that do not exist are refused", "[data-parallel]") {
    CHECK(optimizer_from_name("adam") == OptimizerKind::adam);
    require_refused("optimizer", "lion", [] { optimizer_from_name("lion"); });
    require_refused("learning_rate", "-1", [] { Optimizer({.learning_rate = -1}, 1); });
    require_refused("learning_rate", "nan", [] { Optimizer({.learning_rate = std::nan("")}, 1); });
    require_refused("momentum", "1.5", [] { Optimizer({.momentum = 1.5}, 1); });
    Optimizer two({}, 2);
    std::vector<double> parameters = {1, 2};
    require_refused("gradients", "1 elements", [&] { two.step(parameters, std::vector<double>{1}); });
    require_refused("gradients", "inf", [&] { two.step(parameters, std::vector<double>{1, HUGE_VAL}); });
}
