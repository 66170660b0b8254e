#pragma once

// A command with its options, as the command line gives them.

#include <memory>
#include <string>
#include <vector>

#include "../../bindings/cli/src/command.hpp"

namespace fuzz {

/// The options of a command whose words have been read. Only here is the parser's library included: it is long to
/// compile, and never sees the fuzzer's bytes.
class CommandLine {
public:
    /// @param words what is typed after the command's name
    CommandLine(const shardlab::cli::Command& command, std::vector<std::string> words);
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;
    ~CommandLine();

    const shardlab::cli::Options& options() const;

private:
    struct Parsed;
    std::unique_ptr<Parsed> parsed_;
};

}  // namespace fuzz
