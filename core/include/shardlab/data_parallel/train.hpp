#pragma once

/// @file
/// A training that runs twice, serially and on data-parallel ranks, and is compared step by step.
///
/// Each rank has the parameters, gradients and optimizer state that its ZeRO stage leaves it, and nothing else; what it
/// lacks it gets by ring collectives that move real numbers:
///
///     stage   a rank keeps                                a step sends
///     0       everything                                  all-reduce of gradients
///     1       its shard of optimizer state                reduce-scatter of gradients, all-gather of parameters
///     2       and of gradients                            the same
///     3       and of parameters                           all-gather of parameters before the forward and before the
///                                                         backward, reduce-scatter of gradients
///
/// With R ranks that divide the parameters, every rank sends 2(R-1)/R of their bytes at stages 0 to 2, and 3(R-1)/R at
/// stage 3. Source: Rajbhandari et al., "ZeRO", arXiv:1910.02054, sections 5 and 7.

#include <optional>
#include <vector>

#include <shardlab/data_parallel/fault.hpp>
#include <shardlab/data_parallel/model.hpp>
#include <shardlab/data_parallel/optimizer.hpp>
#include <shardlab/data_parallel/task.hpp>

namespace shardlab {

/// Most ranks of a training.
inline constexpr int most_training_ranks = 64;

/// Most rows of one rank's batch.
inline constexpr int most_batch_rows = 1024;

/// Rows of each rank's batch where none are given.
inline constexpr int standard_batch_rows = 8;

/// What is to be trained, and how.
struct TrainingOptions {
    int ranks = 4;                       ///< data-parallel ranks R, 1 to most_training_ranks
    int steps = 100;                     ///< 1 to most_training_steps
    int zero_stage = 0;                  ///< 0 to 3
    OptimizerOptions optimizer;          ///< of the serial training and of every rank
    std::vector<int> batches;            ///< rows of each rank's batch, shape (ranks); standard_batch_rows if empty
    bool weighted = false;               ///< weighs the gradients by rows, rather than taking the mean of means
    std::optional<TrainingFault> fault;  ///< what goes wrong on the ranks
    double seed = 0;                     ///< of the task, 0 to largest_training_seed
    MlpShape shape;                      ///< of the model and of its teacher
};

/// What one rank keeps from step to step. Buffers for communication and activations do not count.
struct HeldElements {
    double parameter_elements = 0;  ///< all, or its shard at stage 3
    double gradient_elements = 0;   ///< all, or its shard from stage 2
    double optimizer_elements = 0;  ///< numbers of the optimizer's state: of all, or of its shard from stage 1

    bool operator==(const HeldElements&) const = default;
};

/// Both trainings, step by step.
struct TrainingRun {
    /// Loss of the whole batch before each step, shape (steps).
    std::vector<double> losses_serial;
    /// The same of the ranks, each row at the weights of its rank, shape (steps): it differs where weights do.
    std::vector<double> losses_parallel;
    /// After each step, the largest |parallel - serial| over ranks and weights, shape (steps).
    std::vector<double> max_weight_differences;
    /// The largest difference between two ranks in one weight, shape (steps): of the replicas after each step and, at
    /// stage 3, of what the ranks gathered for its backward.
    std::vector<double> max_replica_differences;
    /// The largest of max_weight_differences in terms of the largest weight of its step.
    double max_relative_weight_difference = 0;
    /// Bytes that each rank sends in every step, 8 an element, shape (ranks).
    std::vector<double> bytes_sent_per_rank_per_step;
    /// What each rank keeps, shape (ranks).
    std::vector<HeldElements> held;

    /// The largest of max_weight_differences.
    double max_weight_difference() const;
    /// The largest of max_replica_differences.
    double max_replica_difference() const;
};

/// Trains a model on R ranks and beside them serially, on the same rows.
///
/// A rank's gradient is the mean over its rows, and the ranks' gradients are summed and divided by R. With batches of
/// equal size that is the gradient of the whole batch; with others it is so only where `weighted` is true, and the
/// gradient of rank r is multiplied by R·rows(r) / rows beforehand.
///
/// A rank that misses the all-gather of a step goes on with partial sums of gradients at stage 0, with its old
/// parameters beside its own new shard at stages 1 and 2, and at stage 3 computes with what it gathered last: zeros in
/// step 0.
///
/// The two trainings differ by rounding alone. Where a learning rate is so large that the loss no longer falls (Adam's
/// from about 0.5 on), each step enlarges what rounding left, and in hundreds of steps they become two trainings.
/// @throws invalid_argument naming ranks, steps, zero_stage, optimizer, momentum, batches, fault, seed or a width of
///         the shape; steps for a training of more than 2^33 parameters times rows; or learning_rate, also if the
///         training diverges: a loss or a weight is over 1e40
TrainingRun train_data_parallel(const TrainingOptions& options);

}  // namespace shardlab
