#include <csignal>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <shardlab/version.hpp>

#include "benchmark.hpp"
#include "command_line.hpp"
#include "group.hpp"
#include "report.hpp"
#include "request.hpp"
#include "setting.hpp"

namespace shardlab::mpi {
namespace {

constexpr const char* footer =
    "A launcher starts it: mpirun -np 4 shardlab-mpi --algorithm ring,tree --json\n"
    "The exit status is 1 if a result is wrong. Wrong usage is one line on stderr and exit status 2.";

void complain(const std::string& sentence) {
    std::cerr << "shardlab-mpi: " << sentence << std::endl;
}

/// A number of the words of the command line, by FNV-1a: another for other words, but for one case in 2^64.
std::uint64_t fingerprint(int argc, char** argv) {
    std::uint64_t hash = 14695981039346656037ULL;
    const auto take = [&](char letter) { hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211ULL; };
    for (int i = 1; i < argc; ++i) {
        for (const char letter : std::string(argv[i])) {
            take(letter);
        }
        take('\0');
    }
    return hash;
}

/// Measures everything and prints it; all ranks call it together, and those whose `out` is nowhere print nothing.
cli::Status bench(const Request& request, const Group& group, std::ostream& out) {
    const Setting setting = setting_of(request, group);
    std::ostream nowhere(nullptr);
    Table table(setting, request.json ? nowhere : out);
    std::vector<Row> rows;
    for (const Algorithm algorithm : request.algorithms) {
        table.begin(algorithm);
        for (const std::uint64_t elements : request.elements) {
            rows.push_back(measure(algorithm, elements, request, group));
            table.add(rows.back());
        }
        table.end(rows_of(rows, algorithm));
    }
    if (request.json) {
        write_json(setting, rows, out);
    }
    out.flush();
    const std::uint64_t wrong = wrong_elements(rows);
    if (wrong > 0 && group.is_first()) {
        complain(std::to_string(wrong) + " elements are wrong");
    }
    return wrong > 0 ? cli::failure : cli::success;
}

/// Runs on one rank. What is wrong with the command line all ranks find alike, the first one says it, and all leave;
/// of anything else the others know nothing and would wait for ever, so that it ends them too.
int run(int argc, char** argv, const Group& group, std::ostream& out) {
    CLI::App parser("Runs the lab's all-reduces between MPI ranks, beside MPI_Allreduce.", "shardlab-mpi");
    parser.set_version_flag("--version", "shardlab-mpi " SHARDLAB_VERSION);
    parser.footer(footer);
    cli::Options options(parser);
    declare(options);
    // Ranks that do different things would wait for each other for ever.
    if (!group.is_alike(fingerprint(argc, argv))) {
        if (group.is_first()) {
            complain("options differ between ranks; they must be the same on all");
        }
        return cli::bad_input;
    }
    bool all_know = true;
    try {
        if (!cli::parsed(parser, argc, argv, out)) {
            out.flush();
            return cli::success;
        }
        options.check();
        const Request request = request_asked_for(options, group);
        all_know = false;
        return bench(request, group, out);
    } catch (...) {
        const cli::Complaint complaint = cli::complaint_of_current_exception(options);
        all_know = all_know && complaint.status == cli::bad_input;
        if (complaint.status != cli::success && (group.is_first() || !all_know)) {
            complain(complaint.sentence);
        }
        if (!all_know) {
            group.abort(complaint.status);
        }
        return complaint.status;
    }
}

}  // namespace
}  // namespace shardlab::mpi

int main(int argc, char** argv) {
#ifdef SIGPIPE
    // A closed pipe then is a failed write like any other.
    std::signal(SIGPIPE, SIG_IGN);
#endif
    const shardlab::mpi::Group group(argc, argv);
    try {
        std::ostream nowhere(nullptr);
        std::cout.exceptions(std::ios::badbit);
        // Else a complaint about a failed write would first try to write again.
        std::cerr.tie(nullptr);
        return shardlab::mpi::run(argc, argv, group, group.is_first() ? std::cout : nowhere);
    } catch (...) {
        std::fputs("shardlab-mpi: there is not enough memory to start\n", stderr);
        group.abort(shardlab::cli::failure);
    }
}
