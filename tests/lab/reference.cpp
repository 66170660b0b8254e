#include <shardlab/lab.hpp>

#include "catch.hpp"
#include "refusal.hpp"

using namespace shardlab::lab;

namespace {

const Rows ragged{{1, 2}, {3}};
const Rows square{{1, 2}, {3, 4}};

}  // namespace

TEST_CASE("the reference of the lab refuses ragged rows by name", "[reference]") {
    const std::string value = "ragged: row 1 has 1";
    require_refused("buffers", value, [] { ring_all_reduce(ragged); });
    require_refused("gradients", value, [] { data_parallel_gradient_average(ragged); });
    require_refused("w", value, [] { tensor_parallel_matmul(ragged, square, 2, Split::row); });
    require_refused("x", value, [] { tensor_parallel_matmul(square, ragged, 2, Split::row); });
    require_refused("w1", value, [] { tensor_parallel_mlp(ragged, square, square, square, 2); });
    require_refused("w2", value, [] { tensor_parallel_mlp(square, ragged, square, square, 2); });
    require_refused("x", value, [] { tensor_parallel_mlp(square, square, ragged, square, 2); });
    require_refused("output_gradient", value, [] { tensor_parallel_mlp(square, square, square, ragged, 2); });
}

TEST_CASE("the reference of the lab refuses a list of no ranks and no rows", "[reference]") {
    require_refused("buffers", "empty", [] { ring_all_reduce({}); });
    require_refused("gradients", "empty", [] { data_parallel_gradient_average({}); });
    require_refused("w", "empty", [] { tensor_parallel_matmul({}, square, 2, Split::row); });
}

TEST_CASE("the reference of the lab hands numbers to the library's checks", "[reference]") {
    require_refused("ranks", "0", [] { all_reduce_cost(0, 1); });
    require_refused("ranks", "0", [] { tree_all_reduce_cost(0, 1, 1); });
    require_refused("ranks", "0", [] { tensor_parallel_matmul(square, square, 0, Split::column); });
    require_refused("ranks", "-1", [] { tensor_parallel_mlp(square, square, square, square, -1); });
    require_refused("stages", "0", [] { pipeline_bubble_fraction(0, 1); });
    require_refused("micro_batches", "0", [] { pipeline_schedule_1f1b(1, 0); });
    require_refused("chunks", "0", [] { interleaved_bubble_fraction(1, 1, 0); });
    require_refused("zero_stage", "4", [] { zero_memory_per_gpu(1, 1, 4); });
    require_refused("heads", "28", [] { activation_memory_bytes(1, 1, 1, 28, 8, false, Recomputation::none); });
}
