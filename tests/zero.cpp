#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <shardlab/errors.hpp>
#include <shardlab/zero.hpp>

#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"
#include "verified.hpp"

using namespace shardlab;

TEST_CASE("ZeRO: the 18 cells of the paper's table 1, to one unit of the last printed digit", "[zero]") {
    CHECK(agreeing_cells("zero_table1") == 18);
}

TEST_CASE("ZeRO: the ladder of 7.5 billion parameters on 64 ranks", "[zero]") {
    CHECK(zero_memory_per_gpu(7.5e9, 64, 0).total_bytes == 120e9);
    CHECK(zero_memory_per_gpu(7.5e9, 64, 1).total_bytes == 31.40625e9);
    CHECK(zero_memory_per_gpu(7.5e9, 64, 2).total_bytes == 16.640625e9);
    CHECK(zero_memory_per_gpu(7.5e9, 64, 3).total_bytes == 1.875e9);
}

TEST_CASE("ZeRO: each stage shards one more part", "[zero]") {
    const double whole[] = {2e9, 2e9, 12e9};
    for (int stage = 0; stage <= 3; ++stage) {
        const ZeroMemory memory = zero_memory_per_gpu(1e9, 8, stage);
        CHECK(memory.optimizer_bytes == (stage >= 1 ? whole[2] / 8 : whole[2]));
        CHECK(memory.gradient_bytes == (stage >= 2 ? whole[1] / 8 : whole[1]));
        CHECK(memory.parameter_bytes == (stage >= 3 ? whole[0] / 8 : whole[0]));
        CHECK(memory.total_bytes == memory.parameter_bytes + memory.gradient_bytes + memory.optimizer_bytes);
    }
}

TEST_CASE("ZeRO: on one rank every stage is the whole replica", "[zero]") {
    for (int stage = 0; stage <= 3; ++stage) {
        CHECK(zero_memory_per_gpu(70553706496.0, 1, stage).total_bytes == 16 * 70553706496.0);
    }
}

TEST_CASE("ZeRO: Llama-3-70B at stage 3 on 8 GPUs holds 131.42 GiB on each", "[zero]") {
    const double gibibytes = zero_memory_per_gpu(70553706496.0, 8, 3).total_bytes / (1024.0 * 1024 * 1024);
    CHECK(gibibytes == Approx(131.42).margin(0.005));
}

TEST_CASE("ZeRO refuses stages, ranks and parameters that do not exist", "[zero]") {
    require_refused("zero_stage", "4", [] { zero_memory_per_gpu(1e9, 8, 4); });
    require_refused("zero_stage", "-1", [] { zero_memory_per_gpu(1e9, 8, -1); });
    require_refused("ranks", "0", [] { zero_memory_per_gpu(1e9, 0, 1); });
    require_refused("params", "0", [] { zero_memory_per_gpu(0, 8, 1); });
    require_refused("params", "0.5", [] { zero_memory_per_gpu(0.5, 8, 1); });
    require_refused("params", "nan", [] { zero_memory_per_gpu(std::numeric_limits<double>::quiet_NaN(), 8, 1); });
}

TEST_CASE("ZeRO: 266 240 elements on 768 ranks are padded on the last three", "[zero]") {
    const ZeroPartition partition = zero_partition(266240, 768, 1536);
    CHECK(partition.padded_elements == 267264);
    CHECK(partition.elements_per_rank == 348);
    std::vector<double> expected(768);
    expected[765] = 328;
    expected[766] = 348;
    expected[767] = 348;
    CHECK(partition.padding == expected);
}

TEST_CASE("ZeRO: any buffer is cut into equal parts, whose padding stands at the end", "[zero]") {
    Random random(51);
    for (int trial = 0; trial < 500; ++trial) {
        const double elements = random.whole(1, 100000);
        const int ranks = random.whole(1, 200);
        const double alignment = static_cast<double>(ranks) * random.whole(1, 20);
        const ZeroPartition partition = zero_partition(elements, ranks, alignment);
        const double missing = partition.padded_elements - elements;
        REQUIRE(std::fmod(partition.padded_elements, alignment) == 0);
        REQUIRE(missing >= 0);
        REQUIRE(missing < alignment);
        REQUIRE(partition.elements_per_rank * ranks == partition.padded_elements);
        REQUIRE(partition.padding.size() == static_cast<std::size_t>(ranks));
        REQUIRE(std::accumulate(partition.padding.begin(), partition.padding.end(), 0.0) == missing);
        REQUIRE(std::is_sorted(partition.padding.begin(), partition.padding.end()));
        const auto partly = std::count_if(partition.padding.begin(), partition.padding.end(), [&](double padding) {
            return padding > 0 && padding < partition.elements_per_rank;
        });
        REQUIRE(partly <= 1);
        REQUIRE(partition.padding.back() <= partition.elements_per_rank);
    }
}

TEST_CASE("ZeRO refuses partitions that do not come out even or are too large", "[zero]") {
    require_refused("elements", "0", [] { zero_partition(0, 8, 16); });
    require_refused("elements", "1.5", [] { zero_partition(1.5, 8, 16); });
    require_refused("ranks", "0", [] { zero_partition(10, 0, 16); });
    require_refused("ranks", "1048577", [] { zero_partition(10, 1048577, 1048577); });
    require_refused("alignment", "0", [] { zero_partition(10, 8, 0); });
    require_refused("alignment", "12", [] { zero_partition(10, 8, 12); });
    require_refused("elements", "9007199254740992", [] { zero_partition(largest_count, 3, 3); });
    CHECK(zero_partition(largest_count, 1, 1).padded_elements == largest_count);
    CHECK(zero_partition(1, 2, largest_count).padding == std::vector<double>{largest_count / 2 - 1, largest_count / 2});
}
