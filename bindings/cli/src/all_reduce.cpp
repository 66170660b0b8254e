#include <utility>

#include <shardlab/collective.hpp>

#include "collective_options.hpp"
#include "command.hpp"
#include "link_options.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    declare_tensors(options);
    options.add_with_default("algorithm", "NAME", "ring",
                             "ring, naive, tree, double-tree, halving-doubling or hierarchical");
    declare_shape(options);
    declare_run(options);
}

void run(const Options& options, std::ostream& out) {
    const Algorithm algorithm = algorithm_from_name(options.text("algorithm"));
    const ScheduleOptions shape = shape_asked_for(options, most_ranks);
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
