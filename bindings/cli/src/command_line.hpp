#pragma once

/// @file
/// How a command line is read, and what is said of one that is wrong.

#include <ostream>
#include <string>

#include "options.hpp"

namespace shardlab::cli {

/// What a command exits with.
enum Status { success = 0, failure = 1, bad_input = 2 };

/// What is said of an exception, and what the command then exits with; nothing, where nobody is left to read it.
struct Complaint {
    std::string sentence;
    Status status = success;
};

/// Reads the command line; prints help or version if it asks for them, and is then false.
/// @throws invalid_argument or CLI::ParseError
bool parsed(CLI::App& parser, int argc, char** argv, std::ostream& out);

/// What is said of the exception under way, in one line. It must be called while one is being handled.
Complaint complaint_of_current_exception(const Options& options);

}  // namespace shardlab::cli
