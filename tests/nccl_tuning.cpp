#include <cmath>
#include <limits>
#include <string>

#include <shardlab/array.hpp>
#include <shardlab/nccl_tuning.hpp>

#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"
#include "verified.hpp"

using namespace shardlab;

namespace {

/// The group of the printed table.
NcclGroup four_a100() {
    return {.version = "v2.18.3-1",
            .architecture = NcclArchitecture::ampere,
            .ranks = 4,
            .nodes = 1,
            .link = NcclLink::nvlink,
            .channels = 24,
            .channel_bytes_per_second = 10e9};
}

NcclTime time_of(const NcclTuning& tuning, const std::string& algorithm, const std::string& protocol) {
    for (const NcclTime& time : tuning.times) {
        if (name(time.algorithm) == algorithm && name(time.protocol) == protocol) {
            return time;
        }
    }
    FAIL("no time of " << algorithm << " " << protocol);
    return {};
}

NcclGroup random_group(Random& random) {
    const auto versions = nccl_tuning_versions();
    NcclGroup group;
    group.version = versions[static_cast<std::size_t>(random.whole(0, static_cast<int>(versions.size()) - 1))];
    group.architecture = static_cast<NcclArchitecture>(random.whole(0, 2));
    group.nodes = random.whole(1, 20);
    group.ranks = group.nodes * random.whole(group.nodes == 1 ? 2 : 1, 8);
    group.link = static_cast<NcclLink>(random.whole(0, 2));
    group.channels = random.whole(1, 64);
    group.channel_bytes_per_second = random.whole(1, 50) * 1e9;
    group.cpu = static_cast<NcclCpu>(random.whole(0, 1));
    group.tree_pattern = random.whole(0, 1) == 1;
    return group;
}

}  // namespace

TEST_CASE("NCCL's tuning model prints the table of a 4 x A100 node to its last digit", "[nccl_tuning]") {
    CHECK(agreeing_cells("nccl_tuning_printed") == 12);
}

TEST_CASE("NCCL's tuning model: a time is a latency and a rate, each with its factor, and the choice is the shortest",
          "[nccl_tuning]") {
    Random random(11);
    for (int round = 0; round < 300; ++round) {
        const NcclGroup group = random_group(random);
        const double bytes = std::pow(2, random.whole(0, 34));
        CAPTURE(group.version, group.ranks, group.nodes, group.channels, bytes);
        const NcclTuning tuning = nccl_tuning(group, bytes);
        REQUIRE(tuning.times.size() == 6);
        for (const NcclTime& time : tuning.times) {
            CHECK(time.seconds ==
                  time.latency_seconds * time.latency_factor + bytes / (time.bytes_per_second * time.bandwidth_factor));
            CHECK(time.latency_seconds > 0);
            CHECK(time.bytes_per_second > 0);
            CHECK((!time.enabled || tuning.choice.seconds <= time.seconds));
            CHECK((time.latency_factor == 1 || (time.algorithm == NcclAlgorithm::ring && group.nodes > 1)));
            CHECK((time.bandwidth_factor == 1 || time.algorithm == NcclAlgorithm::tree));
        }
        CHECK(tuning.choice.enabled);
    }
}

TEST_CASE("NCCL's tuning model: by size a node of A100 goes from LL over LL128 to the ring's Simple", "[nccl_tuning]") {
    const auto choice = [](double bytes) {
        const NcclTime time = nccl_tuning(four_a100(), bytes).choice;
        return std::string(name(time.algorithm)) + " " + name(time.protocol);
    };
    CHECK(choice(8) == "Ring LL");
    CHECK(choice(1048576) == "Ring LL128");
    CHECK(choice(1073741824) == "Ring Simple");
}

TEST_CASE("NCCL's tuning model: over many nodes small messages take the tree", "[nccl_tuning]") {
    NcclGroup group = four_a100();
    group.nodes = 64;
    group.ranks = 512;
    const NcclTuning small = nccl_tuning(group, 8);
    CHECK(small.choice.algorithm == NcclAlgorithm::tree);
    // 6.8 + 2 (7 x 0.6 + 6 x 5.0) microseconds, and 6.6 + 896 x 1.0 + 126 x 2.7.
    CHECK(time_of(small, "Tree", "LL").latency_seconds == Approx(75.2e-6).epsilon(1e-12));
    CHECK(time_of(small, "Ring", "LL").latency_seconds == Approx(1242.8e-6).epsilon(1e-12));
    CHECK(nccl_tuning(group, 1e11).choice.algorithm == NcclAlgorithm::ring);
}

TEST_CASE("NCCL's tuning model: what lies between nodes depends on the processor", "[nccl_tuning]") {
    NcclGroup group = four_a100();
    group.nodes = 2;
    group.ranks = 16;
    const NcclTime intel = time_of(nccl_tuning(group, 1), "Ring", "LL");
    group.cpu = NcclCpu::amd;
    const NcclTime amd = time_of(nccl_tuning(group, 1), "Ring", "LL");
    // 6.6 + 28 steps of at least 1 or 2 microseconds + 2 over the network of 2.7.
    CHECK(intel.latency_seconds == Approx(40e-6).epsilon(1e-12));
    CHECK(amd.latency_seconds == Approx(68e-6).epsilon(1e-12));
    CHECK(intel.bytes_per_second == Approx(39e9 * 16 / 30).epsilon(1e-12));
    CHECK(amd.bytes_per_second == Approx(22.5e9 * 16 / 30).epsilon(1e-12));
}

TEST_CASE("NCCL's tuning model: trees fall behind by their table from 64 B to 256 MB", "[nccl_tuning]") {
    const auto factor = [](const char* protocol, double bytes) {
        return time_of(nccl_tuning(four_a100(), bytes), "Tree", protocol).bandwidth_factor;
    };
    CHECK(factor("Simple", 63) == 1);
    CHECK(factor("Simple", 64) == 0.9);
    CHECK(factor("LL", 64.0 * 4096 - 1) == 0.5);
    CHECK(factor("LL", 64.0 * 4096) == 0.4);
    CHECK(factor("LL128", 268435455) == 1);
    CHECK(factor("Simple", 268435456) == 0.9);
    CHECK(factor("Simple", 536870911) == 0.9);
    CHECK(factor("Simple", 536870912) == 1);
    CHECK(factor("Simple", 9007199254740992.0) == 1);
}

TEST_CASE("NCCL's tuning model: a ring between nodes has a plateau from 64 B for each rank and channel",
          "[nccl_tuning]") {
    NcclGroup group = four_a100();
    group.nodes = 2;
    group.ranks = 16;
    const double first = 64.0 * 16 * group.channels;
    CHECK(time_of(nccl_tuning(group, first - 1), "Ring", "Simple").latency_factor == 1);
    CHECK(time_of(nccl_tuning(group, first), "Ring", "Simple").latency_factor == 1.4);
    CHECK(time_of(nccl_tuning(group, first), "Ring", "LL128").latency_factor == 1);
    group.architecture = NcclArchitecture::volta;
    CHECK(time_of(nccl_tuning(group, first), "Ring", "Simple").latency_factor == 1.9);
    group.nodes = 1;
    CHECK(time_of(nccl_tuning(group, first), "Ring", "Simple").latency_factor == 1);
}

TEST_CASE("NCCL's tuning model: LL128 is not chosen over PCI", "[nccl_tuning]") {
    NcclGroup group = four_a100();
    for (const NcclLink link : {NcclLink::nvlink, NcclLink::pci, NcclLink::net}) {
        group.link = link;
        CHECK(time_of(nccl_tuning(group, 1), "Ring", "LL128").enabled == (link == NcclLink::nvlink));
        CHECK(time_of(nccl_tuning(group, 1), "Ring", "Simple").enabled);
    }
    group.nodes = group.ranks;
    CHECK(time_of(nccl_tuning(group, 1), "Ring", "LL128").enabled);
}

TEST_CASE("NCCL's tuning model: every version answers to its tag and its short names", "[nccl_tuning]") {
    const auto seconds = [](const std::string& version) {
        NcclGroup group = four_a100();
        group.version = version;
        return nccl_tuning(group, 1e6).choice.seconds;
    };
    CHECK(nccl_tuning_versions() == std::vector<std::string>{"v2.18.3-1", "v2.19.3-1", "v2.27.7-1", "master@5067397c"});
    CHECK(seconds("2.18") == seconds("v2.18.3-1"));
    CHECK(seconds("2.27.7") == seconds("v2.27.7-1"));
    CHECK(seconds("master") == seconds("2.30"));
}

TEST_CASE("NCCL's tuning model refuses what it has no constants for", "[nccl_tuning]") {
    const auto refused = [](const std::string& parameter, const std::string& value, auto change) {
        NcclGroup group = four_a100();
        change(group);
        require_refused(parameter, value, [&] { nccl_tuning(group, 1); });
    };
    // Its tables of bandwidths are of another form.
    refused("version", "v2.8.4-1", [](NcclGroup& group) { group.version = "v2.8.4-1"; });
    refused("version", "", [](NcclGroup& group) { group.version = ""; });
    refused("arch", "blackwell", [](NcclGroup& group) { group.architecture = NcclArchitecture::blackwell; });
    refused("ranks", "1", [](NcclGroup& group) { group.ranks = 1; });
    refused("nodes", "0", [](NcclGroup& group) { group.nodes = 0; });
    refused("nodes", "3", [](NcclGroup& group) { group.nodes = 3; });
    refused("channels", "65", [](NcclGroup& group) { group.channels = 65; });
    refused("channel_bytes_per_second", "0", [](NcclGroup& group) { group.channel_bytes_per_second = 0; });
    require_refused("bytes", "0.5", [] { nccl_tuning(four_a100(), 0.5); });
    require_refused("bytes", "nan", [] { nccl_tuning(four_a100(), std::numeric_limits<double>::quiet_NaN()); });
    require_refused("arch", "turing", [] { nccl_architecture_from_name("turing"); });
    require_refused("link", "ib", [] { nccl_link_from_name("ib"); });
    require_refused("cpu", "arm", [] { nccl_cpu_from_name("arm"); });
    CHECK(nccl_architecture_from_name("Ampere") == NcclArchitecture::ampere);
    CHECK(nccl_link_from_name("NVLINK") == NcclLink::nvlink);
}
