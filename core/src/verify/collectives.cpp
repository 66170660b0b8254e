#include <array>
#include <map>
#include <string>

#include <shardlab/collective.hpp>
#include <shardlab/collective_cost.hpp>
#include <shardlab/nccl_tuning.hpp>

#include "csv_rows.hpp"
#include "recomputations.hpp"
#include "table_builder.hpp"

// What is printed about collectives: a worked example, NCCL's trees and its tuning model, runs of nccl-tests.

namespace shardlab::verifying {
namespace {

constexpr double giga = 1e9;

/// The nodes of the worked example.
struct Example {
    explicit Example(const std::map<std::string, PrintedNumber>& given)
        : bytes(given.at("payload_bytes").value),
          per_node(static_cast<int>(given.at("accelerators_per_node").value)),
          ranks(per_node * static_cast<int>(given.at("nodes").value)),
          nic{0, given.at("nic_GBps").value * giga},
          all_nics{0, per_node * nic.bytes_per_second},
          nvlink{0, given.at("intra_node_busbw_GBps").value * giga} {}

    double elements() const { return bytes / 4; }
    double milliseconds(const CollectiveSchedule& schedule, const Link& between_nodes) const {
        return 1e3 * price_seconds(schedule, Links{nvlink, between_nodes, per_node}, 4);
    }
    double ring_milliseconds(const Link& between_nodes) const {
        return milliseconds(ring_all_reduce_schedule(ranks, elements()), between_nodes);
    }
    double hierarchical_milliseconds() const {
        return milliseconds(hierarchical_all_reduce_schedule(ranks, elements(), per_node), nic);
    }

    double bytes;
    int per_node;
    int ranks;
    Link nic;
    Link all_nics;
    Link nvlink;
};

/// A quantity of the worked example.
struct Quantity {
    const char* name;
    const char* row;
    const char* formula;
    double (*milliseconds)(const Example& example);
};

constexpr std::array quantities = {
    Quantity{"naive_ms", "payload through one card", "message_seconds of the payload over one network card",
             [](const Example& example) { return 1e3 * message_seconds(example.bytes, example.nic); }},
    Quantity{"flat_ring_1nic_ms", "flat ring, one card", "the priced schedule of a ring over 32 ranks, one card a node",
             [](const Example& example) { return example.ring_milliseconds(example.nic); }},
    Quantity{"flat_ring_8nic_ms", "flat ring, eight cards", "the same with eight cards a node as one link",
             [](const Example& example) { return example.ring_milliseconds(example.all_nics); }},
    Quantity{"hier_internode_ms", "hierarchical, between nodes",
             "the priced hierarchical schedule, less the closed form of a ring inside a node",
             [](const Example& example) {
                 const double inside = *all_reduce_cost(example.per_node, example.bytes, example.nvlink).seconds;
                 return example.hierarchical_milliseconds() - 1e3 * inside;
             }},
    Quantity{"hier_serial_ms", "hierarchical, in all", "the priced hierarchical schedule",
             [](const Example& example) { return example.hierarchical_milliseconds(); }},
};

/// The group of the printed tuning table.
NcclGroup four_a100() {
    return {.version = "v2.18.3-1",
            .architecture = NcclArchitecture::ampere,
            .ranks = 4,
            .nodes = 1,
            .link = NcclLink::nvlink,
            .channels = 24,
            .channel_bytes_per_second = 10e9};
}

/// Half a unit of the last digit that nccl-tests prints of a time: to a hundredth below 100 us, to a tenth below 10 ms.
double rounding_of_microseconds(double microseconds) {
    return microseconds < 100 ? 0.005 : microseconds < 10000 ? 0.05 : 0.5;
}

void add_bandwidths(TableBuilder& table, const CsvRow& row, std::string_view name, std::string_view way,
                    std::string_view prefix) {
    constexpr double half_of_last_digit = 0.005;
    const double microseconds = row.number(joined({prefix, "_time_us"}));
    const double of_time = rounding_of_microseconds(microseconds) / microseconds;
    const double algorithm = row.number("size_B") / (microseconds * 1e-6) / giga;
    const double bus = algorithm * all_reduce_cost(row.whole("nranks"), 0).bus_factor;
    table.add(name, joined({way, " algbw"}), row.printed(joined({prefix, "_algbw_GBs"})), algorithm,
              half_of_last_digit + algorithm * of_time);
    table.add(name, joined({way, " busbw"}), row.printed(joined({prefix, "_busbw_GBs"})), bus,
              half_of_last_digit + bus * of_time);
}

}  // namespace

VerifiedTable mleng_worked_example(std::string_view csv) {
    TableBuilder table("All-reduce of 4 GiB over 4 nodes with 8 accelerators",
                       {"Bekman, Machine Learning Engineering, at 744d01e1",
                        "https://github.com/stas00/ml-engineering/blob/744d01e1/network/README.md",
                        "network/README.md, the worked example"},
                       "Way");
    table.add_column("time", "ms");
    std::map<std::string, PrintedNumber> values;
    std::map<std::string, double> rounding;
    for (const CsvRow& row : csv_rows(csv)) {
        values[row.text("quantity")] = row.printed("value");
        rounding[row.text("quantity")] = row.rounding("value");
    }
    const Example example(values);
    for (const Quantity& quantity : quantities) {
        table.derive({.formula = quantity.formula,
                      .assumption = "links without latency, 50 GB/s a card and the example's 740.64 GB/s inside a node",
                      .tolerance = half_a_digit});
        table.add(quantity.row, "time", values.at(quantity.name), quantity.milliseconds(example),
                  rounding.at(quantity.name));
    }
    return std::move(table).finish();
}

VerifiedTable nccl_double_binary_tree(std::string_view csv) {
    TableBuilder table("NCCL's double binary tree of nine sizes",
                       {"NVIDIA NCCL, at 5067397c", "https://github.com/NVIDIA/nccl/blob/5067397c/src/graph/trees.cc",
                        "src/graph/trees.cc: its rule, evaluated for each rank"},
                       "Rank");
    constexpr std::array parts = {"parent", "child0", "child1"};
    for (const char* const tree : {"tree0", "tree1"}) {
        for (const char* const part : parts) {
            table.add_column(joined({tree, " ", part}));
        }
    }
    table.derive({.formula = "double_binary_tree; -1 where there is none", .tolerance = "a rank is exact"});
    for (const CsvRow& row : csv_rows(csv)) {
        const DoubleBinaryTree both = double_binary_tree(row.whole("ranks"));
        const std::string name = joined({row.text("ranks"), " ranks, rank ", row.text("rank")});
        for (std::size_t tree = 0; tree < 2; ++tree) {
            const TreeNode& node = both.trees[tree][static_cast<std::size_t>(row.whole("rank"))];
            const std::array got = {node.parent, node.children[0], node.children[1]};
            const std::string_view prefix = tree == 0 ? "tree0" : "tree1";
            for (std::size_t part = 0; part < parts.size(); ++part) {
                table.add(name, joined({prefix, " ", parts[part]}), row.printed(joined({prefix, "_", parts[part]})),
                          got[part]);
            }
        }
    }
    return std::move(table).finish();
}

VerifiedTable nccl_tuning_printed(std::string_view csv) {
    TableBuilder table("NCCL's tuning table of a node of 4 x A100",
                       {"NCCL 2.18 with NCCL_DEBUG=INFO on a node of 4 x A100 joined by NVLink (Polaris)",
                        "https://github.com/NVIDIA/nccl/blob/v2.18.3-1/src/graph/tuning.cc",
                        "the printed table; the model is src/graph/tuning.cc"},
                       "Algorithm and protocol");
    table.add_column("latency", "us");
    table.add_column("algbw", "GB/s");
    table.derive({.formula = "nccl_tuning of version 2.18",
                  .assumption = "24 channels of 10 GB/s, from the bus bandwidth of 240 GB/s that the log prints",
                  .tolerance = half_a_digit});
    const NcclTuning tuning = nccl_tuning(four_a100(), 1);
    for (const CsvRow& row : csv_rows(csv)) {
        for (const NcclTime& time : tuning.times) {
            if (row.text("algorithm") == name(time.algorithm) && row.text("protocol") == name(time.protocol)) {
                const std::string pair = joined({row.text("algorithm"), " ", row.text("protocol")});
                table.add(pair, "latency", row.printed("latency_us"), time.latency_seconds * 1e6,
                          row.rounding("latency_us"));
                table.add(pair, "algbw", row.printed("algbw_GBs"), time.bytes_per_second / giga,
                          row.rounding("algbw_GBs"));
            }
        }
    }
    return std::move(table).finish();
}

VerifiedTable nccl_tests_allreduce_runs(std::string_view csv) {
    TableBuilder table("Bandwidths of four runs of all_reduce_perf",
                       {"Runs of nccl-tests: awsome-distributed-training at 0edaf152, ml-engineering at 744d01e1, "
                        "nccl-tests issue 290",
                        "https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md",
                        "their tables; the definition of bus bandwidth is doc/PERFORMANCE.md"},
                       "Run and size");
    table.add_column("out-of-place algbw", "GB/s");
    table.add_column("out-of-place busbw", "GB/s");
    table.add_column("in-place algbw", "GB/s");
    table.add_column("in-place busbw", "GB/s");
    table.derive({.formula = "size over time, and for busbw times the bus factor 2(N-1)/N of all_reduce_cost",
                  .assumption = "the printed time, which is measured and is not recomputed",
                  .tolerance = "half a unit of the last printed digit, of the bandwidth and of the time"});
    for (const CsvRow& row : csv_rows(csv)) {
        const std::string name = joined({row.text("run_id"), ", ", row.text("size_B"), " B"});
        add_bandwidths(table, row, name, "out-of-place", "oop");
        if (!row.text("ip_time_us").empty()) {
            add_bandwidths(table, row, name, "in-place", "ip");
        }
    }
    return std::move(table).finish();
}

}  // namespace shardlab::verifying
