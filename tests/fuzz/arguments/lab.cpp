// The functions of the exercise, in their reference solution: rows of any lengths.

#include <shardlab/array.hpp>
#include <shardlab/collective.hpp>
#include <shardlab/lab.hpp>
#include <shardlab/pipeline.hpp>

#include "functions.hpp"

namespace fuzz {
namespace {

namespace exercise = shardlab::lab;

exercise::Rows rows_of(Arguments& arguments) {
    exercise::Rows rows;
    if (arguments.flag()) {
        rows.resize(static_cast<std::size_t>(arguments.within(0, 4)));
        for (auto& list : rows) {
            list = arguments.numbers(4);
        }
        return rows;
    }
    const int columns = arguments.within(0, 4);
    for (int i = arguments.within(0, 4); i > 0; --i) {
        const shardlab::Matrix list = arguments.whole_matrix(1, columns);
        rows.emplace_back(list.begin(), list.end());
    }
    return rows;
}

void require_finite_rows(const std::optional<exercise::Rows>& rows) {
    if (rows) {
        for (const auto& list : *rows) {
            require_finite(list);
        }
    }
}

void arrays(Arguments& arguments) {
    const exercise::Rows a = rows_of(arguments);
    const exercise::Rows b = rows_of(arguments);
    const int ranks = arguments.within(0, 3) == 0 ? arguments.whole() : arguments.within(1, 6);
    if (costly(16.0 * ranks, 16.0 * shardlab::most_ranks)) {
        return;
    }
    const auto reduced = attempt({"ranks", "buffers"}, [&] { return exercise::ring_all_reduce(a); });
    require_finite_rows(reduced ? std::optional(reduced->buffers) : std::nullopt);
    const auto average = attempt({"ranks", "gradients"}, [&] { return exercise::data_parallel_gradient_average(a); });
    require_finite(average.value_or(exercise::Tensor()));
    const auto split = static_cast<exercise::Split>(arguments.within(-1, 2));
    require_finite_rows(
        attempt({"ranks", "w", "x", "split"}, [&] { return exercise::tensor_parallel_matmul(a, b, ranks, split); }));
    const exercise::Rows c = rows_of(arguments);
    const exercise::Rows d = rows_of(arguments);
    const auto mlp = attempt({"ranks", "w1", "w2", "x", "output_gradient"},
                             [&] { return exercise::tensor_parallel_mlp(a, b, c, d, ranks); });
    require_finite_rows(mlp ? std::optional(mlp->output) : std::nullopt);
    require_finite_rows(mlp ? std::optional(mlp->input_gradient) : std::nullopt);
}

void sizes(Arguments& arguments) {
    const int a = arguments.whole();
    const int b = arguments.whole();
    const int c = arguments.whole();
    const double bytes = arguments.number();
    const double latency = arguments.number();
    const auto ring = attempt({"ranks", "bytes"}, [&] { return exercise::all_reduce_cost(a, bytes); });
    const auto tree = attempt({"ranks", "bytes", "latency_per_step"},
                              [&] { return exercise::tree_all_reduce_cost(a, bytes, latency); });
    for (const auto& cost : {ring, tree}) {
        require(!cost || cost->steps >= 0, "steps are no less than none");
        require_finite({cost ? cost->seconds : 0, cost ? cost->bytes_sent_per_rank : 0});
    }
    const auto bubble = attempt({"stages", "micro_batches"}, [&] { return exercise::pipeline_bubble_fraction(a, b); });
    const auto interleaved =
        attempt({"stages", "micro_batches", "chunks"}, [&] { return exercise::interleaved_bubble_fraction(a, b, c); });
    const auto memory =
        attempt({"params", "ranks", "zero_stage"}, [&] { return exercise::zero_memory_per_gpu(bytes, a, b); });
    const auto recompute = static_cast<exercise::Recomputation>(arguments.within(-1, 3));
    const bool sequence_parallel = arguments.flag();
    const int d = arguments.whole();
    const int e = arguments.whole();
    const auto activations = attempt({"sequence", "micro_batch", "hidden", "heads", "tp", "recompute"}, [&] {
        return exercise::activation_memory_bytes(a, b, c, d, e, sequence_parallel, recompute);
    });
    require_finite(
        {bubble.value_or(0), interleaved.value_or(0), memory ? memory->total_bytes : 0, activations.value_or(0)});
    if (!costly(2.0 * a * b, shardlab::most_operations)) {
        const auto schedule =
            attempt({"stages", "micro_batches"}, [&] { return exercise::pipeline_schedule_1f1b(a, b); });
        require(!schedule || schedule->steps == 2 * (a + b - 1), "2(M + P - 1) steps");
    }
}

}  // namespace

void lab(Arguments& arguments) {
    return arguments.flag() ? arrays(arguments) : sizes(arguments);
}

}  // namespace fuzz
