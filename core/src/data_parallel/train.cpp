#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <shardlab/data_parallel/train.hpp>
#include <shardlab/errors.hpp>

#include "../refuse.hpp"
#include "group.hpp"

namespace shardlab {
namespace {

/// Refuses a fault by a rule whose # is `last`.
[[noreturn]] void refuse_fault(const TrainingFault& fault, const char* rule, double last) {
    static constexpr const char* texts[] = {"drop:#", "double:#", "miss-gather:#:#"};
    const auto kind = static_cast<std::size_t>(fault.kind);
    if (fault.kind == TrainingFaultKind::miss_gather) {
        refuse("fault", texts[kind], rule, {1.0 * fault.rank, 1.0 * fault.step, last});
    }
    refuse("fault", texts[kind], rule, {1.0 * fault.rank, last});
}

void require_fault(const TrainingFault& fault, const TrainingOptions& options) {
    if (fault.rank < 0 || fault.rank >= options.ranks) {
        refuse_fault(fault, "name a rank from 0 to #", options.ranks - 1);
    }
    if (fault.kind != TrainingFaultKind::miss_gather) {
        return;
    }
    if (fault.step < 0 || fault.step >= options.steps) {
        refuse_fault(fault, "name a step from 0 to #", options.steps - 1);
    }
    if (options.ranks == 1) {
        refuse_fault(fault, "be drop or double: one rank alone gathers nothing", 0);
    }
}

/// Rows of each rank's batch, checked.
std::vector<int> batches_of(const TrainingOptions& options) {
    if (options.batches.empty()) {
        return std::vector<int>(static_cast<std::size_t>(options.ranks), standard_batch_rows);
    }
    if (options.batches.size() != static_cast<std::size_t>(options.ranks)) {
        refuse("batches", "a list of #", "have a number for each rank, which are #",
               {static_cast<double>(options.batches.size()), static_cast<double>(options.ranks)});
    }
    for (const int rows : options.batches) {
        require_int("batches", rows, 1, most_batch_rows);
    }
    return options.batches;
}

double rows_in(const TrainingOptions& options) {
    return std::accumulate(options.batches.begin(), options.batches.end(), 0.0);
}

/// Refuses what would take minutes, or would not fit, before anything is computed.
void require_feasible(const TrainingOptions& options) {
    constexpr double most_products = 8589934592.0;  // 2^33: a minute or two on one core
    constexpr double most_elements = 16777216.0;    // 2^24
    const auto parameters = static_cast<double>(mlp_parameters(options.shape));
    const double rows = rows_in(options);
    const double widths = static_cast<double>(options.shape.inputs) + options.shape.hidden + options.shape.outputs;
    if (options.ranks * parameters > most_elements) {
        refuse("ranks", "#", "have at most # parameters in all", {1.0 * options.ranks, most_elements});
    }
    if (rows * widths > most_elements) {
        refuse("batches", "# rows", "have at most # inputs and activations in all", {rows, most_elements});
    }
    if (options.steps * rows * parameters > most_products) {
        refuse("steps", "#", "be at most # with # rows a step",
               {1.0 * options.steps, std::floor(most_products / rows / parameters), rows});
    }
}

TrainingOptions required(TrainingOptions options) {
    require_int("ranks", options.ranks, 1, most_training_ranks);
    require_int("steps", options.steps, 1, most_training_steps);
    require_int("zero_stage", options.zero_stage, 0, 3);
    require_mlp_shape(options.shape);
    options.batches = batches_of(options);
    require_feasible(options);
    if (options.fault) {
        require_fault(*options.fault, options);
    }
    return options;
}

/// One model that sees all rows.
class Serial {
public:
    Serial(const TrainingOptions& options, std::vector<double> parameters)
        : shape_(options.shape),
          parameters_(std::move(parameters)),
          optimizer_(options.optimizer, parameters_.size()) {}

    double step(const Batch& batch) {
        const MlpActivations activations = mlp_forward(shape_, parameters_, batch.inputs);
        const double loss = mean_squared_loss(activations.outputs, batch.targets);
        optimizer_.step(parameters_, mlp_backward(shape_, parameters_, batch.inputs, activations, batch.targets));
        return loss;
    }

    std::span<const double> parameters() const { return parameters_; }

    double largest_weight() const {
        double largest = 0;
        for (const double weight : parameters_) {
            largest = std::max(largest, std::abs(weight));
        }
        return largest;
    }

private:
    MlpShape shape_;
    std::vector<double> parameters_;
    Optimizer optimizer_;
};

/// Far below what overflows in the step to come.
void require_convergence(const TrainingOptions& options, int step, double loss, double weight) {
    constexpr double largest = 1e40;
    if (!(loss <= largest && weight <= largest)) {
        refuse("learning_rate", "#", "be smaller: the training diverges, in step # to a loss or a weight over #",
               {options.optimizer.learning_rate, 1.0 * step, largest});
    }
}

/// A difference in terms of the largest weight, or the largest double where that is larger.
double relative(double difference, double weight) {
    const double most = std::numeric_limits<double>::max();
    return weight > 0 ? std::min(difference / weight, most) : most;
}

double largest(const std::vector<double>& numbers) {
    return numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
}

}  // namespace

double TrainingRun::max_weight_difference() const {
    return largest(max_weight_differences);
}

double TrainingRun::max_replica_difference() const {
    return largest(max_replica_differences);
}

TrainingRun train_data_parallel(const TrainingOptions& options) {
    const TrainingOptions checked = required(options);
    const RegressionTask task(checked.shape, checked.seed);
    Serial serial(checked, task.initial_parameters());
    data_parallel::Group group(checked, serial.parameters());

    TrainingRun run;
    for (int step = 0; step < checked.steps; ++step) {
        const Batch batch = task.batch(step, rows_in(checked));
        run.losses_serial.push_back(serial.step(batch));
        require_convergence(checked, step, run.losses_serial.back(), serial.largest_weight());
        run.losses_parallel.push_back(group.step(step, batch));
        run.max_weight_differences.push_back(group.weight_difference(serial.parameters()));
        require_convergence(checked, step, run.losses_parallel.back(), run.max_weight_differences.back());
        run.max_replica_differences.push_back(group.replica_difference());
        if (run.max_weight_differences.back() > 0) {
            run.max_relative_weight_difference =
                std::max(run.max_relative_weight_difference,
                         relative(run.max_weight_differences.back(), serial.largest_weight()));
        }
    }
    run.bytes_sent_per_rank_per_step = group.bytes_sent();
    run.held = group.held();
    return run;
}

}  // namespace shardlab
