#include <array>

#include <shardlab/collective_cost.hpp>
#include <shardlab/measure.hpp>

#include "../command.hpp"
#include "kinds.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add_words("nccl-tests FILE | trace FILE...",
                      "what nccl-tests or shardlab-mpi wrote (text, JSON, CSV), or the traces of torch.profiler of a "
                      "job's ranks (JSON, also compressed by gzip)");
    options.add("regimes", "1..3", "ranges of size with a latency and a bandwidth each; as few as serve by default");
    options.add("ranks", "N", "world size of the runs of a file that does not tell it: adds the bus bandwidth");
}

std::optional<int> optional_whole(const Options& options, const std::string& parameter, int most) {
    return options.given(parameter) ? std::optional(options.whole(parameter, 1, most)) : std::nullopt;
}

void run(const Options& options, std::ostream& out) {
    const std::vector<std::string> words = options.words();
    const std::string kind = words.empty() ? "missing" : words.front();
    if (kind != "nccl-tests" && kind != "trace") {
        throw invalid_argument("what to measure", kind, "be nccl-tests or trace, and the names of files after it");
    }
    if (words.size() < 2) {
        throw invalid_argument(kind, "without a file", "be followed by the name of one");
    }
    const std::optional<int> regimes = optional_whole(options, "regimes", most_regimes);
    const std::optional<int> ranks = optional_whole(options, "ranks", most_priced_ranks);
    if (kind == "trace") {
        measure_traces({words.begin() + 1, words.end()}, regimes, out);
        return;
    }
    if (words.size() > 2) {
        throw invalid_argument(words[2], "one file too many", "be left out: the runs of one file are read at a time");
    }
    measure_runs(words[1], ranks, regimes, out);
}

constexpr std::array answer_fields = {
    AnswerField{"runs", "of nccl-tests: id, ranks, measurements and fit of each"},
    AnswerField{"events", "of traces: all in the files; events_used of them count, the others are in ignored"},
    AnswerField{"collectives",
                "by start: kind, elements, bytes, seconds, ranks, bus_bandwidth in bytes per second, "
                "overlapped_seconds while the device computed"},
    AnswerField{"nccl_kernels", "kernels of NCCL; nccl_seconds is the sum of their times"},
    AnswerField{"compute_seconds",
                "in which a kernel ran that is no communication, on whatever stream; "
                "communication_seconds, overlap_seconds, exposed_seconds, other_seconds (copies "
                "alone) and idle_seconds likewise; all but the first two make up span_seconds"},
    AnswerField{"overlap_fraction", "of communication_seconds that compute hid"},
    AnswerField{"kinds", "the sums of the collectives of a kind"},
    AnswerField{"traces", "of several: the same for each file"},
    AnswerField{"matched", "of several: what ranks had with each other, each with its shortest time"},
    AnswerField{"ignored", "events or lines that do not count, by reason"},
    AnswerField{"amended", "events that count, but not just as they stand"},
    AnswerField{"fit", "latency and bandwidth of the all-reduces; held_out predicts half of the sizes from the others"},
};

}  // namespace

const Command measure_command = {
    .name = "measure",
    .summary = "Read what real machines measured: nccl-tests, shardlab-mpi, traces of torch.profiler",
    .example = "shardlab measure trace rank0.json.gz rank1.json.gz",
    .declare = declare,
    .run = run,
    .answer = answer_fields,
};

}  // namespace shardlab::cli
