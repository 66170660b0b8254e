#include <shardlab/zero.hpp>

#include "answer.hpp"
#include "command.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add("elements", "N", "elements of the flat buffer");
    options.add("ranks", "N", "data-parallel ranks");
    options.add("alignment", "N", "elements that the padded buffer is a multiple of; a multiple of the ranks");
}

void run(const Options& options, std::ostream& out) {
    const ZeroPartition partition =
        zero_partition(options.count("elements"), options.whole("ranks", 1), options.count("alignment"));

    Answer answer(out);
    answer.add("padded_elements", partition.padded_elements);
    answer.add("elements_per_rank", partition.elements_per_rank);
    answer.add_list("padding", partition.padding);
    answer.close();
}

}  // namespace

const Command zero_partition_command = {
    .name = "zero-partition",
    .summary = "Pad a flat buffer and cut it into equal parts, one a rank, as ZeRO does",
    .example = "shardlab zero-partition --elements 266240 --ranks 768 --alignment 1536",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
