#include <string>

#include <shardlab/transformer.hpp>
#include <shardlab/zero.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "config_option.hpp"

namespace shardlab::cli {
namespace {

std::string families() {
    std::string names;
    for (const std::string& name : known_model_types()) {
        names += (names.empty() ? "" : ", ") + name;
    }
    return names;
}

void declare(Options& options) {
    options.add("params", "N", "parameters of the model");
    options.add(
        "config", "FILE",
        "in place of --params: a Hugging Face config.json, counted exactly; model_type is one of " + families());
    options.add("ranks", "N", "data-parallel ranks");
    options.add("zero_stage", "0..3", "which states are sharded: none, optimizer, gradients too, parameters too");
}

double parameters_asked_for(const Options& options) {
    if (options.given("params") && options.given("config")) {
        throw invalid_argument("params", "given with --config", "stand alone, since the file gives the parameters");
    }
    if (!options.given("params") && !options.given("config")) {
        throw invalid_argument("params", "missing", "be given, or --config in its place");
    }
    return options.given("config") ? count_parameters(model_in_config(options).shape).total : options.count("params");
}

void run(const Options& options, std::ostream& out) {
    const double params = parameters_asked_for(options);
    const ZeroMemory memory = zero_memory_per_gpu(params, options.whole("ranks", 1), options.whole("zero_stage", 0, 3));

    Answer answer(out);
    answer.add("params", params);
    answer.add("parameter_bytes", memory.parameter_bytes);
    answer.add("gradient_bytes", memory.gradient_bytes);
    answer.add("optimizer_bytes", memory.optimizer_bytes);
    answer.add("total_bytes", memory.total_bytes);
    answer.close();
}

}  // namespace

const Command zero_command = {
    .name = "zero",
    .summary = "Size the training states on each rank under ZeRO",
    .example = "shardlab zero --params 7.5e9 --ranks 64 --zero-stage 3",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
