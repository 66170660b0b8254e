#include <algorithm>
#include <cmath>
#include <span>

#include <shardlab/data_parallel/task.hpp>
#include <shardlab/errors.hpp>

namespace shardlab {
namespace {

/// What random numbers are drawn for; a batch has the two streams of its step after these.
enum Stream { teacher_stream, initial_stream, first_batch_stream };

/// Seeds of a task's streams: 2^15 each, which are more than there are steps.
double stream_seed(double seed, int stream) {
    constexpr double streams = 32768;
    static_assert(first_batch_stream + 2 * most_training_steps <= streams);
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
    const int stream = first_batch_stream + 2 * step;
    Batch batch{.inputs = random_matrix(rows, shape_.inputs, stream_seed(seed_, stream)),
                .targets = random_matrix(rows, shape_.outputs, stream_seed(seed_, stream + 1))};
    const Matrix outputs = mlp_forward(shape_, teacher_, batch.inputs).outputs;
    std::transform(outputs.begin(), outputs.end(), batch.targets.begin(), batch.targets.begin(),
                   [](double output, double noise) { return output + noise_bound * noise; });
    return batch;
}

}  // namespace shardlab
