#include "exact_bits.hpp"

#include <cstring>

#include <shardlab/collective.hpp>
#include <shardlab/data_parallel.hpp>
#include <shardlab/pipeline.hpp>
#include <shardlab/tensor_parallel.hpp>
#include <shardlab/zero.hpp>

using namespace shardlab;

namespace exact_bits {

void Hash::add(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    for (int shift = 0; shift < 64; shift += 8) {
        state_ = (state_ ^ (bits >> shift & 0xFF)) * 0x100000001B3ULL;
    }
}

void Hash::add(std::span<const double> values) {
    for (const double value : values) {
        add(value);
    }
}

std::uint64_t random_matrices() {
    Hash hash;
    hash.add(elements(random_matrix(37, 11, 42)));
    return hash.value();
}

std::uint64_t all_reduces() {
    Hash hash;
    for (const int ranks : {2, 3, 7, 16}) {
        hash.add(elements(ring_all_reduce(random_matrix(ranks, 101, ranks)).buffers));
        Matrix buffers = random_matrix(ranks, 101, ranks);
        execute(binomial_tree_all_reduce_schedule(ranks, 101), buffers);
        hash.add(elements(buffers));
    }
    return hash.value();
}

std::uint64_t algorithms_and_precisions() {
    Hash hash;
    for (const Algorithm algorithm : algorithms) {
        AllReduceOptions options;
        options.algorithm = algorithm;
        options.schedule = {.slices = 3, .per_node = 4};
        options.reduction = Reduction::average;
        const Matrix buffers = random_matrix(12, 50, 4);
        const Matrix32 singles = to_float32("buffers", buffers);
        hash.add(elements(all_reduce(buffers, options).buffers));
        hash.add(elements(to_float64(all_reduce(singles, options).buffers)));
        hash.add(largest_difference_to_exact_sum(singles, row(singles, 0)));
        hash.add(price_curve(algorithm, 12, options.schedule, {{1e-6, 4e11}, {5e-6, 5e10}, 4}).seconds(1e6));
    }
    return hash.value();
}

std::uint64_t averaged_gradient() {
    Hash hash;
    const GradientAverage average = data_parallel_gradient_average(random_matrix(7, 50, 1));
    hash.add(elements(average.average));
    hash.add(average.max_abs_difference);
    return hash.value();
}

std::uint64_t data_parallel_training() {
    Hash hash;
    for (const OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::adam}) {
        for (int stage = 0; stage <= 3; ++stage) {
            TrainingOptions options;
            options.ranks = 5;
            options.steps = 10;
            options.zero_stage = stage;
            options.optimizer.kind = kind;
            options.batches = {1, 2, 3, 4, 5};
            const TrainingRun run = train_data_parallel(options);
            hash.add(run.losses_serial);
            hash.add(run.losses_parallel);
            hash.add(run.max_weight_differences);
        }
    }
    return hash.value();
}

std::uint64_t tensor_parallel_product() {
    Hash hash;
    for (const Split split : {Split::column, Split::row}) {
        const TensorParallelMatmul product =
            tensor_parallel_matmul(random_matrix(13, 29, 2), random_matrix(29, 5, 3), 4, split);
        hash.add(elements(product.result));
        hash.add(product.max_rel_error);
    }
    return hash.value();
}

std::uint64_t simulated_pipeline() {
    Hash hash;
    const PipelineTimeline timeline = simulate(pipeline_schedule_1f1b(6, 20), uniform_costs(0.1, 0.23, 0.017));
    for (const std::vector<Span>& spans : timeline.spans) {
        for (const Span& span : spans) {
            hash.add(span.start);
            hash.add(span.end);
        }
    }
    hash.add(timeline.bubble_of_total);
    hash.add(timeline.bubble_of_ideal);
    return hash.value();
}

std::uint64_t zero_memory() {
    Hash hash;
    for (int stage = 0; stage <= 3; ++stage) {
        hash.add(zero_memory_per_gpu(70553706497.0, 7, stage).total_bytes);
    }
    return hash.value();
}

std::span<const Result> results() {
    static constexpr Result all[] = {
        {"random matrices", random_matrices},
        {"ring and tree all-reduce", all_reduces},
        {"all-reduce in float32 and float64", algorithms_and_precisions},
        {"averaged gradient", averaged_gradient},
        {"data-parallel training", data_parallel_training},
        {"tensor-parallel product", tensor_parallel_product},
        {"simulated pipeline", simulated_pipeline},
        {"ZeRO memory", zero_memory},
    };
    return all;
}

}  // namespace exact_bits
