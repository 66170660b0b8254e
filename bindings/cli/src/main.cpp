#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <shardlab/version.hpp>

#include "command.hpp"
#include "numbers.hpp"

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
    &demo_command,
};

enum Status { success = 0, failure = 1, bad_input = 2 };

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

/// Reads the command line; prints help or version if it asks for them, and is then false.
bool parsed(CLI::App& parser, int argc, char** argv, std::ostream& out) {
    try {
        parser.parse(argc, argv);
        return true;
    } catch (const CLI::CallForHelp&) {
        out << parser.help();
    } catch (const CLI::CallForVersion& version) {
        out << version.what() << '\n';
    } catch (const CLI::ArgumentMismatch&) {
        // Every option takes one value, so only a last word can be left without.
        throw invalid_argument(argv[argc - 1], "the last word", "be followed by its value");
    }
    return false;
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

int complain(const std::string& place, const std::string& sentence, Status status) {
    std::cerr << place << ": " << sentence << std::endl;
    return status;
}

/// Reports the exception under way in one line.
int complain_of_current_exception(const std::string& place, const Options& options) {
    try {
        throw;
    } catch (const invalid_argument& error) {
        return complain(place, options.sentence(error), bad_input);
    } catch (const CLI::ParseError& error) {
        return complain(place, shown(error.what()), bad_input);
    } catch (const std::ios_base::failure&) {
        // Whoever reads through a pipe, or a socket, and has seen enough is no error.
        const bool seen_enough = errno == EPIPE || errno == ECONNRESET;
        return seen_enough ? success : complain(place, std::string("cannot write: ") + std::strerror(errno), failure);
    } catch (const std::bad_alloc&) {
        return complain(place, "there is not enough memory for this request", failure);
    } catch (const std::exception& error) {
        return complain(place, shown(error.what()), failure);
    }
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
