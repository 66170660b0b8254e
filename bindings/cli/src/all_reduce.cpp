#include <utility>

#include <shardlab/collective.hpp>

#include "collective_options.hpp"
#include "command.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    declare_tensors(options);
    options.add_with_default("algorithm", "NAME", "ring",
                             "ring, naive, tree, double-tree, halving-doubling or hierarchical");
    options.add_with_default("slices", "S", "1", "parts of the tensor that follow each other through a tree");
    options.add_with_default("per_node", "G", "8", "ranks in a node of the hierarchical all-reduce");
    declare_run(options);
}

void run(const Options& options, std::ostream& out) {
    const Algorithm algorithm = algorithm_from_name(options.text("algorithm"));
    const ScheduleOptions shape{.slices = options.whole("slices", 1, most_slices),
                                .per_node = options.whole("per_node", 1, most_ranks)};
    Matrix tensors = tensors_asked_for(options);
    const CollectiveSchedule schedule = all_reduce_schedule(algorithm, static_cast<int>(tensors.shape(0)),
                                                            static_cast<double>(tensors.shape(1)), shape);
    answer_run(options, schedule, std::move(tensors), Kind::all_reduce, out);
}

}  // namespace

const Command all_reduce_command = {
    .name = "all-reduce",
    .summary = "Reduce the tensors of all ranks by a ring, a tree or another algorithm, for real",
    .example = "shardlab all-reduce --ranks 4 --elements 8 --algorithm tree --schedule",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
