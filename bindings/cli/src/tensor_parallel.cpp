#include <shardlab/tensor_parallel.hpp>

#include "answer.hpp"
#include "command.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add_with_default("split", "column|row", "column", "how the weights are split");
    options.add_with_default("ranks", "N", "2", "world size");
    options.add_with_default("in_features", "N", "8", "columns of W, rows of x");
    options.add_with_default("out_features", "N", "8", "rows of W");
    options.add_with_default("batch", "N", "2", "columns of x");
    options.add_with_default("seed", "N", "0", "W is made from this seed, x from the next");
}

void run(const Options& options, std::ostream& out) {
    const Split split = split_from_name(options.text("split"));
    const int ranks = options.whole("ranks", 1, most_ranks);
    const double in_features = require_count("in_features", options.count("in_features"), 1, largest_array);
    const double out_features = require_count("out_features", options.count("out_features"), 1, largest_array);
    const double batch = require_count("batch", options.count("batch"), 1, largest_array);
    const double seed = require_count("seed", options.count("seed"), 0, largest_count - 1);

    const Matrix w = blaming("out_features", [&] { return random_matrix(out_features, in_features, seed); });
    const Matrix x = blaming("batch", [&] { return random_matrix(in_features, batch, seed + 1); });
    const TensorParallelMatmul product =
        blaming("out_features", [&] { return tensor_parallel_matmul(w, x, ranks, split); });

    Answer answer(out);
    answer.add("max_abs_error", product.max_abs_error);
    answer.add("max_rel_error", product.max_rel_error);
    answer.add("communication_bytes_per_rank", product.communication_bytes_per_rank);
    answer.add_rows("result", product.result);
    answer.close();
}

}  // namespace

const Command tensor_parallel_command = {
    .name = "tensor-parallel",
    .summary = "Multiply W x with W split over ranks, and compare with the whole product",
    .example = "shardlab tensor-parallel --split row --ranks 4 --in-features 16",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
