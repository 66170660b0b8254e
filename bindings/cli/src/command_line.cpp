#include "command_line.hpp"

#include <cerrno>
#include <cstring>
#include <exception>
#include <ios>
#include <new>

#include <CLI/CLI.hpp>

#include "numbers.hpp"

namespace shardlab::cli {

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

Complaint complaint_of_current_exception(const Options& options) {
    try {
        throw;
    } catch (const invalid_argument& error) {
        return {options.sentence(error), bad_input};
    } catch (const CLI::ParseError& error) {
        return {shown(error.what()), bad_input};
    } catch (const std::ios_base::failure&) {
        // Whoever reads through a pipe, or a socket, and has seen enough is no error.
        const bool seen_enough = errno == EPIPE || errno == ECONNRESET;
        return seen_enough ? Complaint() : Complaint{std::string("cannot write: ") + std::strerror(errno), failure};
    } catch (const std::bad_alloc&) {
        return {"there is not enough memory for this request", failure};
    } catch (const std::exception& error) {
        return {shown(error.what()), failure};
    }
}

}  // namespace shardlab::cli
