#include <string>

#include <shardlab/activations.hpp>
#include <shardlab/array.hpp>
#include <shardlab/bubble.hpp>
#include <shardlab/collective.hpp>
#include <shardlab/collective_cost.hpp>
#include <shardlab/data_parallel.hpp>
#include <shardlab/errors.hpp>
#include <shardlab/lab.hpp>
#include <shardlab/pipeline.hpp>
#include <shardlab/tensor_parallel.hpp>
#include <shardlab/zero.hpp>

namespace shardlab::lab {

namespace {

/// The matrix of some rows.
/// @throws invalid_argument naming `parameter` if there is no row, or if the rows differ in length
Matrix matrix_from(const char* parameter, const Rows& rows) {
    if (rows.empty()) throw invalid_argument(parameter, "empty", "be at least one row");
    const std::size_t columns = rows.front().size();
    for (std::size_t r = 1; r < rows.size(); ++r) {
        if (rows[r].size() == columns) continue;
        throw invalid_argument(parameter, "ragged: row " + std::to_string(r) + " has " + std::to_string(rows[r].size()),
                               "be rows of one length, as row 0 with " + std::to_string(columns));
    }
    Matrix matrix = zeros(parameter, static_cast<double>(rows.size()), static_cast<double>(columns));
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t c = 0; c < columns; ++c) matrix(r, c) = rows[r][c];
    }
    return matrix;
}

Rows rows_from(const Matrix& matrix) {
    Rows rows;
    rows.reserve(matrix.shape(0));
    for (std::size_t r = 0; r < matrix.shape(0); ++r) {
        const auto values = row(matrix, r);
        rows.emplace_back(values.begin(), values.end());
    }
    return rows;
}

Cost cost_from(const AllReduceCost& cost) {
    return {cost.steps, cost.bytes_sent_per_rank, cost.seconds.value_or(0)};
}

shardlab::Recomputation library_recomputation(Recomputation recompute) {
    switch (recompute) {
        case Recomputation::none:
            return shardlab::Recomputation::none;
        case Recomputation::selective:
            return shardlab::Recomputation::selective;
        case Recomputation::full:
            return shardlab::Recomputation::full;
    }
    throw invalid_argument("recompute", std::to_string(static_cast<int>(recompute)), "be none, selective or full");
}

shardlab::Split library_split(Split split) {
    switch (split) {
        case Split::column:
            return shardlab::Split::column;
        case Split::row:
            return shardlab::Split::row;
    }
    throw invalid_argument("split", std::to_string(static_cast<int>(split)), "be column or row");
}

}  // namespace

RingAllReduce ring_all_reduce(const Buffers& buffers) {
    const AllReduce result = shardlab::ring_all_reduce(matrix_from("buffers", buffers));
    return {rows_from(result.buffers), result.schedule.steps(), result.ledger.bytes_sent_per_rank()};
}

Cost all_reduce_cost(int ranks, double bytes) {
    return cost_from(shardlab::all_reduce_cost(ranks, bytes));
}

Tensor data_parallel_gradient_average(const Buffers& gradients) {
    const GradientAverage result = shardlab::data_parallel_gradient_average(matrix_from("gradients", gradients));
    return {result.average.begin(), result.average.end()};
}

Rows tensor_parallel_matmul(const Rows& w, const Rows& x, int ranks, Split split) {
    const auto result =
        shardlab::tensor_parallel_matmul(matrix_from("w", w), matrix_from("x", x), ranks, library_split(split));
    return rows_from(result.result);
}

double pipeline_bubble_fraction(int stages, int micro_batches) {
    return shardlab::pipeline_bubble_fraction(stages, micro_batches);
}

PipelineSchedule pipeline_schedule_1f1b(int stages, int micro_batches) {
    const shardlab::PipelineSchedule schedule = shardlab::pipeline_schedule_1f1b(stages, micro_batches);
    const PipelineTimeline timeline = simulate(schedule, uniform_costs(1, 1));

    PipelineSchedule result;
    result.steps = static_cast<int>(timeline.makespan);
    result.peak_in_flight = timeline.peak_in_flight;
    for (const auto& list : schedule.operations) {
        auto& operations = result.operations.emplace_back();
        operations.reserve(list.size());
        for (const Operation& operation : list) {
            operations.push_back({operation.kind == OperationKind::backward, operation.micro_batch});
        }
    }
    return result;
}

ZeroMemory zero_memory_per_gpu(double params, int ranks, int zero_stage) {
    const auto memory = shardlab::zero_memory_per_gpu(params, ranks, zero_stage);
    return {memory.parameter_bytes, memory.gradient_bytes, memory.optimizer_bytes, memory.total_bytes};
}

Cost tree_all_reduce_cost(int ranks, double bytes, double latency_per_step) {
    return cost_from(shardlab::tree_all_reduce_cost(ranks, bytes, latency_per_step));
}

Mlp tensor_parallel_mlp(const Rows& w1, const Rows& w2, const Rows& x, const Rows& output_gradient, int ranks) {
    const auto mlp = shardlab::tensor_parallel_mlp(matrix_from("w1", w1), matrix_from("w2", w2), matrix_from("x", x),
                                                   matrix_from("output_gradient", output_gradient), ranks);
    return {rows_from(mlp.output), rows_from(mlp.input_gradient), mlp.forward_all_reduces, mlp.backward_all_reduces};
}

double interleaved_bubble_fraction(int stages, int micro_batches, int chunks) {
    return shardlab::interleaved_bubble_fraction(stages, micro_batches, chunks);
}

double activation_memory_bytes(int sequence, int micro_batch, int hidden, int heads, int tp, bool sequence_parallel,
                               Recomputation recompute) {
    return shardlab::activation_memory_bytes({.sequence = sequence,
                                              .micro_batch = micro_batch,
                                              .hidden = hidden,
                                              .heads = heads,
                                              .tp = tp,
                                              .sequence_parallel = sequence_parallel,
                                              .recompute = library_recomputation(recompute)});
}

}  // namespace shardlab::lab
