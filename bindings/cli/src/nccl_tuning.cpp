#include <nlohmann/json.hpp>

#include <shardlab/collective_cost.hpp>
#include <shardlab/nccl_tuning.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "numbers.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add("version", "TAG", "version of NCCL: v2.18.3-1, v2.19.3-1, v2.27.7-1, master@5067397c");
    options.add("arch", "NAME", "volta, ampere, hopper, blackwell");
    options.add("ranks", "N", "world size");
    options.add_with_default("nodes", "N", "1", "nodes, each with as many ranks");
    options.add_with_default("link", "NAME", "nvlink", "inside a node: nvlink, pci, net");
    options.add("channels", "N", "rings or trees side by side");
    options.add("channel_bytes_per_second", "RATE", "bus bandwidth of one channel");
    options.add("bytes", "BYTES", "size of each rank's tensor");
    options.add_with_default("cpu", "NAME", "intel", "maker of the processor, which counts between nodes: intel, amd");
    options.add_flag("tree_pattern", "the trees pass through one GPU a node");
}

NcclGroup group_asked_for(const Options& options) {
    return {.version = options.text("version"),
            .architecture = nccl_architecture_from_name(options.text("arch")),
            .ranks = options.whole("ranks", 2, most_priced_ranks),
            .nodes = options.whole("nodes", 1, most_priced_ranks),
            .link = nccl_link_from_name(options.text("link")),
            .channels = options.whole("channels", 1),
            .channel_bytes_per_second = options.number("channel_bytes_per_second"),
            .cpu = nccl_cpu_from_name(options.text("cpu")),
            .tree_pattern = options.given("tree_pattern")};
}

nlohmann::ordered_json record(const NcclTime& time) {
    return {{"algorithm", name(time.algorithm)},
            {"protocol", name(time.protocol)},
            {"seconds", json_number(time.seconds)},
            {"latency_seconds", json_number(time.latency_seconds)},
            {"bytes_per_second", json_number(time.bytes_per_second)},
            {"latency_factor", json_number(time.latency_factor)},
            {"bandwidth_factor", json_number(time.bandwidth_factor)},
            {"enabled", time.enabled}};
}

void run(const Options& options, std::ostream& out) {
    const NcclTuning tuning = nccl_tuning(group_asked_for(options), options.count("bytes"));

    Answer answer(out);
    answer.add_records("times", tuning.times.size(), [&](std::size_t index) { return record(tuning.times[index]); });
    answer.add_json("choice", {{"algorithm", name(tuning.choice.algorithm)},
                               {"protocol", name(tuning.choice.protocol)},
                               {"seconds", json_number(tuning.choice.seconds)}});
    answer.add_json("not_modelled", {"NVLS", "NVLSTree", "CollNetDirect", "CollNetChain"});
    answer.close();
}

}  // namespace

const Command nccl_tuning_command = {
    .name = "nccl-tuning",
    .summary = "Time every algorithm and protocol of NCCL's all-reduce by its own tuning model, and its choice",
    .example =
        "shardlab nccl-tuning --version 2.18 --arch ampere --ranks 4 --channels 24 "
        "--channel-bytes-per-second 10e9 --bytes 1e6",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
