#include <array>
#include <string>

#include <nlohmann/json.hpp>

#include <shardlab/crossover.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "link_options.hpp"
#include "numbers.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add("between", "A,B",
                "two of ring, naive, tree, double-tree, halving-doubling, hierarchical, pipelined-tree-bound");
    options.add("ranks", "N", "world size");
    declare_links(options);
    declare_shape(options);
}

std::array<std::string, 2> names_asked_for(const Options& options) {
    const std::string text = options.text("between");
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos) {
        throw invalid_argument("between", text, "be two algorithms with a comma between them, as ring,tree");
    }
    return {text.substr(0, comma), text.substr(comma + 1)};
}

PriceCurve curve(const Options& options, const std::string& name) {
    const ScheduleOptions shape = shape_asked_for(options, most_ranks);
    const int ranks = options.whole("ranks", 1, most_ranks);
    const Links links = required_links(options, shape.per_node);
    try {
        return price_curve_from_name(name, ranks, shape, links);
    } catch (const invalid_argument& error) {
        const bool of_name = error.parameter() == "algorithm";
        throw invalid_argument(of_name ? "between" : error.parameter(), error.value(),
                               of_name ? error.rule() + " (or pipelined-tree-bound)" : error.rule());
    }
}

std::string faster_name(Faster faster, const std::array<std::string, 2>& names) {
    return faster == Faster::equal ? "equal" : names[faster == Faster::first ? 0 : 1];
}

/// Why there is no size at which both take the same time.
std::string reason(const Crossover& compared, const std::array<std::string, 2>& names) {
    const Faster faster = compared.ranges.front().faster;
    return faster == Faster::equal ? "both take the same time at every size"
                                   : faster_name(faster, names) + " is faster at every size over 0, up to 2^53 bytes";
}

void run(const Options& options, std::ostream& out) {
    const std::array<std::string, 2> names = names_asked_for(options);
    const Crossover compared = crossover(curve(options, names[0]), curve(options, names[1]));

    Answer answer(out);
    if (compared.crossings.empty()) {
        answer.add_json("bytes", nullptr);
        answer.add_json("reason", reason(compared, names));
    } else {
        answer.add("bytes", compared.crossings.front());
    }
    answer.add_list("crossings", compared.crossings);
    answer.add_records("ranges", compared.ranges.size(), [&](std::size_t index) {
        const FasterRange& range = compared.ranges[index];
        return nlohmann::ordered_json{{"from_bytes", json_number(range.from_bytes)},
                                      {"to_bytes", json_number(range.to_bytes)},
                                      {"faster", faster_name(range.faster, names)}};
    });
    answer.close();
}

}  // namespace

const Command crossover_command = {
    .name = "crossover",
    .summary = "Find the sizes at which two all-reduce algorithms take the same time",
    .example = "shardlab crossover --between ring,tree --ranks 64 --latency-seconds 1e-6 --bytes-per-second 100e9",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
