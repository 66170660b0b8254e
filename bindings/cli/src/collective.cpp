#include <utility>

#include <shardlab/collective.hpp>

#include "collective_options.hpp"
#include "command.hpp"
#include "link_options.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add("kind", "NAME", "reduce-scatter, all-gather, broadcast, reduce, all-to-all or all-reduce");
    declare_tensors(options);
    declare_shape(options);
    declare_run(options);
}

void run(const Options& options, std::ostream& out) {
    const Kind kind = kind_from_name(options.text("kind"));
    const int slices = shape_asked_for(options, most_ranks).slices;
    Matrix tensors = tensors_asked_for(options);
    const CollectiveSchedule schedule =
        collective_schedule(kind, static_cast<int>(tensors.shape(0)), static_cast<double>(tensors.shape(1)), slices);
    answer_run(options, schedule, std::move(tensors), kind, out);
}

}  // namespace

const Command collective_command = {
    .name = "collective",
    .summary = "Run a reduce-scatter, all-gather, broadcast, reduce or all-to-all, for real",
    .example = "shardlab collective --kind all-to-all --ranks 4 --elements 8",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
