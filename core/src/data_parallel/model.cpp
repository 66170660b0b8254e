#include <algorithm>
#include <cmath>

#include <shardlab/data_parallel/model.hpp>
#include <shardlab/errors.hpp>

#include "../refuse.hpp"

namespace shardlab {
namespace {

/// Where each layer's weights and biases stand in the flat parameters.
struct Layout {
    std::size_t inputs;
    std::size_t hidden;
    std::size_t outputs;

    explicit Layout(const MlpShape& shape)
        : inputs(static_cast<std::size_t>(shape.inputs)),
          hidden(static_cast<std::size_t>(shape.hidden)),
          outputs(static_cast<std::size_t>(shape.outputs)) {}

    std::size_t hidden_bias() const { return inputs * hidden; }
    std::size_t output_weights() const { return hidden_bias() + hidden; }
    std::size_t output_bias() const { return output_weights() + hidden * outputs; }
    std::size_t size() const { return output_bias() + outputs; }
};

MatrixView<double> weights(std::span<const double> parameters, std::size_t offset, std::size_t rows,
                           std::size_t columns) {
    MatrixView<double> view;
    view.data = parameters.data() + offset;
    view.rows = rows;
    view.columns = columns;
    view.row_stride = columns;
    return view;
}

void require_parameters(const MlpShape& shape, std::span<const double> parameters) {
    const std::size_t needed = mlp_parameters(shape);
    if (parameters.size() != needed) {
        refuse("parameters", "# elements", "have # elements",
               {static_cast<double>(parameters.size()), static_cast<double>(needed)});
    }
    for (const double value : parameters) {
        require_between("parameters", value, -largest_mlp_value, largest_mlp_value);
    }
}

/// Checks the shape of a matrix, which has at least one row and column, and the magnitudes in it.
void require_matrix(const char* parameter, MatrixView<double> matrix, std::size_t rows, std::size_t columns,
                    double largest) {
    if (matrix.rows != rows || matrix.columns != columns || rows * columns == 0) {
        refuse(parameter, "# x #", "be # x #",
               {static_cast<double>(matrix.rows), static_cast<double>(matrix.columns),
                std::max(static_cast<double>(rows), 1.0), std::max(static_cast<double>(columns), 1.0)});
    }
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            require_between(parameter, matrix(i, j), -largest, largest);
        }
    }
}

/// What the largest parameters make of the largest hidden layer, and more.
constexpr double largest_output = largest_mlp_value * largest_mlp_value;

void require_pair(const Matrix& outputs, MatrixView<double> targets, std::size_t rows, std::size_t columns) {
    require_matrix("outputs", outputs, rows, columns, largest_output);
    require_matrix("targets", targets, rows, columns, largest_mlp_value);
}

/// a·w, and the bias added to each row.
Matrix affine(MatrixView<double> a, MatrixView<double> w, std::span<const double> bias) {
    Matrix result = matmul(a, w);
    for (std::size_t i = 0; i < result.shape(0); ++i) {
        const std::span<double> values = row(result, i);
        std::transform(values.begin(), values.end(), bias.begin(), values.begin(),
                       [](double value, double added) { return value + added; });
    }
    return result;
}

/// The gradient of a layer a·w + bias, weights before biases, in terms of that of its result.
void layer_gradient(MatrixView<double> a, const Matrix& result_gradient, std::span<double> gradient) {
    const Matrix product = matmul(transposed(a), result_gradient);
    const auto bias = std::copy(product.begin(), product.end(), gradient.begin());
    for (std::size_t i = 0; i < result_gradient.shape(0); ++i) {
        const std::span<const double> values = row(result_gradient, i);
        std::transform(values.begin(), values.end(), bias, bias, [](double value, double sum) { return sum + value; });
    }
}

/// f'(x) in terms of f(x): 1 - f^2 = 1 / (1 + x^2), so that f' = (1 - f^2)^(3/2).
double activation_derivative(double activated) {
    const double rest = 1 - activated * activated;
    return rest * std::sqrt(rest);
}

}  // namespace

MlpShape require_mlp_shape(const MlpShape& shape) {
    require_int("inputs", shape.inputs, 1, most_mlp_width);
    require_int("hidden", shape.hidden, 1, most_mlp_width);
    require_int("outputs", shape.outputs, 1, most_mlp_width);
    return shape;
}

std::size_t mlp_parameters(const MlpShape& shape) {
    return Layout(require_mlp_shape(shape)).size();
}

MlpActivations mlp_forward(const MlpShape& shape, std::span<const double> parameters, MatrixView<double> inputs) {
    require_parameters(shape, parameters);
    const Layout layout(shape);
    require_matrix("inputs", inputs, inputs.rows, layout.inputs, largest_mlp_value);

    Matrix hidden = affine(inputs, weights(parameters, 0, layout.inputs, layout.hidden),
                           parameters.subspan(layout.hidden_bias(), layout.hidden));
    std::transform(hidden.begin(), hidden.end(), hidden.begin(), [](double x) { return x / std::sqrt(1 + x * x); });
    Matrix outputs = affine(hidden, weights(parameters, layout.output_weights(), layout.hidden, layout.outputs),
                            parameters.subspan(layout.output_bias()));
    return {.hidden = std::move(hidden), .outputs = std::move(outputs)};
}

double mean_squared_loss(const Matrix& outputs, MatrixView<double> targets) {
    require_pair(outputs, targets, outputs.shape(0), outputs.shape(1));
    double sum = 0;
    for (std::size_t i = 0; i < targets.rows; ++i) {
        for (std::size_t j = 0; j < targets.columns; ++j) {
            const double error = outputs(i, j) - targets(i, j);
            sum += error * error;
        }
    }
    return sum / static_cast<double>(outputs.size());
}

std::vector<double> mlp_backward(const MlpShape& shape, std::span<const double> parameters, MatrixView<double> inputs,
                                 const MlpActivations& activations, MatrixView<double> targets) {
    require_parameters(shape, parameters);
    const Layout layout(shape);
    const auto& [hidden, outputs] = activations;
    require_matrix("inputs", inputs, inputs.rows, layout.inputs, largest_mlp_value);
    require_matrix("hidden", hidden, inputs.rows, layout.hidden, 1);
    require_pair(outputs, targets, inputs.rows, layout.outputs);

    Matrix output_gradient(outputs.shape());
    const double scale = 2 / static_cast<double>(output_gradient.size());
    for (std::size_t i = 0; i < targets.rows; ++i) {
        for (std::size_t j = 0; j < targets.columns; ++j) {
            output_gradient(i, j) = scale * (outputs(i, j) - targets(i, j));
        }
    }
    const MatrixView<double> output_weights =
        weights(parameters, layout.output_weights(), layout.hidden, layout.outputs);
    Matrix hidden_gradient = matmul(output_gradient, transposed(output_weights));
    std::transform(hidden_gradient.begin(), hidden_gradient.end(), hidden.begin(), hidden_gradient.begin(),
                   [](double gradient, double activated) { return gradient * activation_derivative(activated); });

    std::vector<double> gradient(layout.size());
    const std::span<double> all = gradient;
    layer_gradient(inputs, hidden_gradient, all.first(layout.output_weights()));
    layer_gradient(hidden, output_gradient, all.subspan(layout.output_weights()));
    return gradient;
}

}  // namespace shardlab
