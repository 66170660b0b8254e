#include <algorithm>
#include <cmath>
#include <span>

#include <shardlab/data_parallel/task.hpp>
#include <shardlab/errors.hpp>

namespace shardlab {
namespace {

/// What random numbers are drawn for; a batch has the stream of its step after these.
enum Stream { teacher_stream, initial_stream, first_batch_stream };

/// Seeds of a task's streams: 2^15 each, which are more than there are steps.
double stream_seed(double seed, int stream) {
    constexpr double streams = 32768;
    static_assert(first_batch_stream + most_training_steps <= streams);
    return seed * streams + stream;
}

/// Uniform in ±factor/sqrt(n) in a layer of n inputs.
std::vector<double> random_parameters(const MlpShape& shape, double seed, double factor) {
    const Matrix drawn = random_matrix(1, static_cast<double>(mlp_parameters(shape)), seed);
    std::vector<double> parameters(drawn.begin(), drawn.end());
    const std::size_t first_layer = static_cast<std::size_t>(shape.inputs + 1) * static_cast<std::size_t>(shape.hidden);
    const auto scale = [factor](std::span<double> layer, int inputs) {
        const double bound = factor / std::sqrt(inputs);
        std::transform(layer.begin(), layer.end(), layer.begin(), [bound](double value) { return bound * value; });
    };
    scale(std::span(parameters).first(first_layer), shape.inputs);
    scale(std::span(parameters).subspan(first_layer), shape.hidden);
    return parameters;
}

}  // namespace

RegressionTask::RegressionTask(const MlpShape& shape, double seed)
    : shape_(require_mlp_shape(shape)), seed_(require_count("seed", seed, 0, largest_training_seed)) {
    constexpr double teacher_factor = 3;  // so that its hidden layer leaves the straight part of the activation
    teacher_ = random_parameters(shape_, stream_seed(seed_, teacher_stream), teacher_factor);
}

std::vector<double> RegressionTask::initial_parameters() const {
    return random_parameters(shape_, stream_seed(seed_, initial_stream), 1);
}

Batch RegressionTask::batch(int step, double rows) const {
    constexpr double noise_bound = 0.25;
    require_int("step", step, 0, most_training_steps - 1);
    require_count("rows", rows, 1);
    const Matrix drawn =
        random_matrix(rows, shape_.inputs + shape_.outputs, stream_seed(seed_, first_batch_stream + step));
    const auto inputs = static_cast<std::size_t>(shape_.inputs);
    const auto outputs = static_cast<std::size_t>(shape_.outputs);
    const MatrixView<double> noise = columns_of(view(drawn), inputs, outputs);

    Batch batch{.inputs = copy_of(columns_of(view(drawn), 0, inputs)), .targets = {}};
    batch.targets = mlp_forward(shape_, teacher_, batch.inputs).outputs;
    for (std::size_t i = 0; i < noise.rows; ++i) {
        for (std::size_t j = 0; j < outputs; ++j) {
            batch.targets(i, j) += noise_bound * noise(i, j);
        }
    }
    return batch;
}

}  // namespace shardlab
