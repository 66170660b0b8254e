#include <shardlab/version.hpp>

#include "../command.hpp"
#include "sections.hpp"
#include "text.hpp"

namespace shardlab::cli {
namespace {

void declare(Options&) {}

void run(const Options&, std::ostream& out) {
    out << "Shardlab " SHARDLAB_VERSION ": the worked example of the lab\n\n";
    write_paragraph(
        out,
        "The ways to split training over many devices, each run on numbers small enough to follow by eye. Every "
        "result below has just been computed; where there is a formula, it stands beside the result.");
    demonstrate_all_reduce(out);
    demonstrate_data_parallel(out);
    demonstrate_tensor_parallel(out);
    demonstrate_pipeline(out);
    demonstrate_zero(out);
    out << "`shardlab --help` lists the commands that answer the same questions about your own numbers.\n";
}

}  // namespace

const Command demo_command = {
    .name = "demo",
    .summary = "Print the worked example of the whole lab, as text",
    .example = "shardlab demo",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
