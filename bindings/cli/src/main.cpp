#include <array>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <shardlab/version.hpp>

#include "command.hpp"
#include "command_line.hpp"

namespace shardlab::cli {
namespace {

constexpr std::array commands = {
    &all_reduce_command,
    &all_reduce_cost_command,
    &collective_command,
    &crossover_command,
    &nccl_tuning_command,
    &fit_command,
    &measure_command,
    &data_parallel_command,
    &data_parallel_train_command,
    &gradient_buckets_command,
    &tensor_parallel_command,
    &tensor_parallel_cost_command,
    &pipeline_command,
    &transformer_command,
    &activations_command,
    &footprint_command,
    &zero_command,
    &zero_partition_command,
    &verify_command,
    &demo_command,
};

/// A subcommand of this command line.
struct Subcommand {
    const Command* command;
    CLI::App* parser;
    Options options;
};

std::string footer_of(const Command& command) {
    std::string text = command.answer.empty() ? "" : "The answer:\n";
    for (const AnswerField& field : command.answer) {
        text += "  " + std::string(field.name) + ": " + field.meaning + '\n';
    }
    return text + (text.empty() ? "" : "\n") + "Example: " + command.example;
}

std::vector<Subcommand> add_subcommands(CLI::App& parser) {
    std::vector<Subcommand> subcommands;
    for (const Command* const command : commands) {
        CLI::App* const subparser = parser.add_subcommand(command->name, command->summary);
        subparser->footer(footer_of(*command));
        Options options(*subparser);
        command->declare(options);
        subcommands.push_back({command, subparser, std::move(options)});
    }
    return subcommands;
}

/// The subcommand that was typed, or none if there is none or something else stands before it.
const Subcommand* chosen(const CLI::App& parser, const std::vector<Subcommand>& subcommands) {
    for (const Subcommand& subcommand : subcommands) {
        if (subcommand.parser->parsed() && parser.remaining().empty()) {
            return &subcommand;
        }
    }
    return nullptr;
}

invalid_argument no_such_command(const CLI::App& parser) {
    std::string names;
    for (const Command* const command : commands) {
        names += (names.empty() ? "" : ", ") + std::string(command->name);
    }
    const std::vector<std::string> unknown = parser.remaining();
    return {"the command", unknown.empty() ? "missing" : unknown.front(), "be one of " + names};
}

/// Reports the exception under way in one line.
int complain_of_current_exception(const std::string& place, const Options& options) {
    const Complaint complaint = complaint_of_current_exception(options);
    if (complaint.status != success) {
        std::cerr << place << ": " << complaint.sentence << std::endl;
    }
    return complaint.status;
}

int run(int argc, char** argv) {
    CLI::App parser("Shardlab runs and sizes the ways to split training over many devices.", "shardlab");
    parser.set_version_flag("--version", "shardlab " SHARDLAB_VERSION);
    parser.require_subcommand(0, 1);
    parser.footer("Answers are one JSON object each. Errors are one line on stderr and exit status 2.");
    const Options no_options(parser);
    const std::vector<Subcommand> subcommands = add_subcommands(parser);
    try {
        if (parsed(parser, argc, argv, std::cout)) {
            const Subcommand* const subcommand = chosen(parser, subcommands);
            if (subcommand == nullptr) {
                throw no_such_command(parser);
            }
            subcommand->options.check();
            subcommand->command->run(subcommand->options, std::cout);
        }
        std::cout.flush();
        return success;
    } catch (...) {
        const Subcommand* const subcommand = chosen(parser, subcommands);
        return subcommand == nullptr ? complain_of_current_exception("shardlab", no_options)
                                     : complain_of_current_exception(
                                           std::string("shardlab ") + subcommand->command->name, subcommand->options);
    }
}

}  // namespace
}  // namespace shardlab::cli

int main(int argc, char** argv) {
#ifdef SIGPIPE
    // A closed pipe then is a failed write like any other.
    std::signal(SIGPIPE, SIG_IGN);
#endif
    try {
        std::ios::sync_with_stdio(false);
        std::cout.exceptions(std::ios::badbit);
        // Else a complaint about a failed write would first try to write again.
        std::cerr.tie(nullptr);
        return shardlab::cli::run(argc, argv);
    } catch (...) {
        std::fputs("shardlab: there is not enough memory to start\n", stderr);
        return shardlab::cli::failure;
    }
}
