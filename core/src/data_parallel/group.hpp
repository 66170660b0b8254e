#pragma once

/// @file
/// The ranks of a training: what each keeps, and the collectives between them.

#include <cstddef>
#include <span>
#include <vector>

#include <shardlab/array.hpp>
#include <shardlab/collective/execute.hpp>
#include <shardlab/data_parallel/train.hpp>

namespace shardlab::data_parallel {

/// What one rank keeps from step to step.
struct Rank {
    std::vector<double> parameters;  ///< all, or its shard at stage 3
    std::vector<double> gradients;   ///< all, or its shard from stage 2
    Optimizer optimizer;             ///< of all, or of its shard from stage 1
    std::size_t first_row = 0;       ///< of its rows of every batch
};

/// The ranks of a training.
class Group {
public:
    /// @param options checked, with the rows of each rank's batch; they must outlive the group
    Group(const TrainingOptions& options, std::span<const double> initial_parameters);

    /// Takes a step, in which each rank sees its own rows of the batch alone.
    /// @return the loss before the step, of all rows
    double step(int index, const Batch& batch);

    /// The largest |weight - serial| over ranks and weights.
    double weight_difference(std::span<const double> serial) const;
    /// The largest difference between the weights of two ranks; at stage 3 of those that they gathered last.
    double replica_difference() const;
    /// Bytes that each rank sent in the last step.
    const std::vector<double>& bytes_sent() const { return bytes_sent_; }
    /// What each rank keeps.
    std::vector<HeldElements> held() const;

private:
    bool shards(int from_stage) const { return options_.zero_stage >= from_stage; }
    bool misses_gather(int index) const;
    std::vector<double> row_at_fault(const Matrix& buffers) const;
    void put_back(std::span<const double> old, Matrix& buffers) const;
    Chunk shard(std::size_t rank) const;
    Chunk kept(std::size_t rank, bool sharded) const;
    std::span<const double> weights(std::size_t rank) const;
    MatrixView<double> rows_at(std::size_t rank, const Matrix& batch) const;
    void run(const CollectiveSchedule& schedule, Matrix& buffers);
    double compute_gradients(int index, const Batch& batch);
    void contribute(std::size_t rank, std::span<const double> gradient);
    void reduce_gradients(int index);
    void step_parameters();
    void gather_parameters(int index);
    void keep_gathered();

    const TrainingOptions& options_;
    std::size_t elements_;
    double rows_ = 0;            // of the whole batch
    CollectiveSchedule reduce_;  // of gradients: an all-reduce, or a reduce-scatter from stage 1
    CollectiveSchedule gather_;  // of parameters
    std::vector<Rank> ranks_;
    Matrix gradients_;   // (ranks, elements): what a backward leaves and collectives reduce, valid within a step
    Matrix parameters_;  // (ranks, elements): what collectives gather; old numbers between two steps
    std::vector<double> bytes_sent_;  // (ranks)
};

}  // namespace shardlab::data_parallel
