#include "command_line.hpp"

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>

namespace fuzz {

struct CommandLine::Parsed {
    CLI::App parser;
    shardlab::cli::Options options{parser};
};

CommandLine::CommandLine(const shardlab::cli::Command& command, std::vector<std::string> words)
    : parsed_(std::make_unique<Parsed>()) {
    command.declare(parsed_->options);
    // The parser takes them off the end.
    std::reverse(words.begin(), words.end());
    parsed_->parser.parse(std::move(words));
}

CommandLine::~CommandLine() = default;

const shardlab::cli::Options& CommandLine::options() const {
    return parsed_->options;
}

}  // namespace fuzz
