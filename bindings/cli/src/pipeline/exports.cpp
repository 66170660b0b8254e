#include "exports.hpp"

#include <set>

#include <shardlab/pipeline/notation.hpp>
#include <shardlab/pipeline/trace.hpp>

#include "../files.hpp"
#include "svg.hpp"

namespace shardlab::cli {
namespace {

bool is_kind(const std::string& kind) {
    return kind == "csv" || kind == "trace" || kind == "svg";
}

std::string exported(const Options& options, const std::string& kind, const Simulated& simulated,
                     const std::string& title) {
    if (kind == "csv") {
        return schedule_csv(simulated.schedule);
    }
    if (kind == "trace") {
        return chrome_trace(simulated.schedule, simulated.timeline, simulated.costs,
                            options.number("microseconds_per_unit"));
    }
    return gantt_svg(simulated, title);
}

}  // namespace

void declare_exports(Options& options) {
    options.add_pair("export", "KIND FILE",
                     "write csv (PyTorch's), trace (for Perfetto) or svg (a drawing); may be given several times");
    options.add_with_default("microseconds_per_unit", "FACTOR", "1", "how long a trace shows one unit of time");
}

void require_exports(const Options& options) {
    bool has_trace = false;
    std::set<std::string> paths;
    for (const auto& [kind, path] : options.pairs("export")) {
        if (!is_kind(kind)) {
            throw invalid_argument("export", kind, "be csv, trace or svg, and then a file");
        }
        if (path.empty()) {
            throw invalid_argument("export", "", "name a file after " + kind);
        }
        if (!paths.insert(path).second) {
            throw invalid_argument("export", path, "name another file for each kind");
        }
        has_trace = has_trace || kind == "trace";
    }
    if (options.given("microseconds_per_unit") && !has_trace) {
        throw invalid_argument("microseconds_per_unit", options.text("microseconds_per_unit"),
                               "be given together with --export trace");
    }
}

void write_exports(const Options& options, const Simulated& simulated, const std::string& title) {
    std::vector<std::pair<std::string, std::string>> files;
    for (const auto& [kind, path] : options.pairs("export")) {
        files.emplace_back(path, exported(options, kind, simulated, title));
    }
    // Nothing is written where one of several is refused.
    for (const auto& [path, text] : files) {
        write_file("export", path, text);
    }
}

}  // namespace shardlab::cli
