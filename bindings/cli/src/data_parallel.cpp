#include <shardlab/data_parallel.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "files.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add("input", "FILE", "gradients as comma-separated numbers, a row for each rank");
}

void run(const Options& options, std::ostream& out) {
    const Matrix gradients = input_matrix(options);
    const GradientAverage averaged = blaming("input", [&] { return data_parallel_gradient_average(gradients); });

    Answer answer(out);
    answer.add_list("average", averaged.average);
    answer.add_list("serial_mean", averaged.serial_mean);
    answer.add("max_abs_difference", averaged.max_abs_difference);
    answer.close();
}

}  // namespace

const Command data_parallel_command = {
    .name = "data-parallel",
    .summary = "Average the gradients of all ranks by an all-reduce",
    .example = "shardlab data-parallel --input gradients.csv",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
