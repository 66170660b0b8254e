#include <cmath>
#include <string>

#include <shardlab/layout.hpp>
#include <shardlab/states.hpp>
#include <shardlab/zero.hpp>

#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

constexpr double gibibyte = 1073741824;

StateBytes held(double params, const std::string& recipe, const StateSharding& sharding) {
    return state_bytes({.all = params}, precision_recipe(recipe), sharding);
}

}  // namespace

TEST_CASE("each recipe spells out the bytes of a parameter", "[states]") {
    const auto bytes = [](const char* name) { return precision_recipe(name).total(); };
    CHECK(bytes("mixed-adam") == 16);
    CHECK(bytes("mixed-adam-fp32-gradients") == 18);
    CHECK(bytes("mixed-adam-both-gradients") == 20);
    CHECK(bytes("adam-8bit") == 10);
    CHECK(bytes("sgd-momentum") == 12);
    CHECK(bytes("fp32-adam") == 16);
    CHECK(bytes("fp32-sgd-momentum") == 12);
    CHECK(bytes("bf16-adam") == 8);
    CHECK(precision_recipes().front().name == "mixed-adam");
    for (const PrecisionRecipe& recipe : precision_recipes()) {
        CHECK_FALSE(recipe.source.empty());
    }
    require_refused("recipe", "adam", [] { precision_recipe("adam"); });
}

TEST_CASE("Muon keeps one moment for the matrices inside layers and two for the rest", "[states]") {
    const StateBytes bytes =
        state_bytes({.all = 1000, .matrices = 900}, precision_recipe("muon"), {.zero_stage = 0, .ranks = 1});
    CHECK(bytes.total() == 900.0 * (2 + 2 + 4 + 4) + 100.0 * (2 + 2 + 4 + 8));
}

TEST_CASE("mixed Adam's states are those of the ZeRO paper's formulas", "[states]") {
    for (const double ranks : {1.0, 4.0, 64.0}) {
        for (int stage = 0; stage <= 3; ++stage) {
            const ZeroMemory closed = zero_memory_per_gpu(7.5e9, static_cast<int>(ranks), stage);
            const StateBytes bytes = held(7.5e9, "mixed-adam", {.zero_stage = stage, .ranks = ranks});
            CHECK(bytes.weight_bytes == closed.parameter_bytes);
            CHECK(bytes.gradient_bytes == closed.gradient_bytes);
            CHECK(bytes.optimizer_bytes == closed.optimizer_bytes);
        }
    }
}

TEST_CASE("tensor and pipeline parallelism divide the states first, ZeRO divides by the rest alone", "[states]") {
    const StateBytes split = held(70.59e9 / 64, "mixed-adam-fp32-gradients", {.zero_stage = 1, .ranks = 1});
    CHECK(split.gradient_bytes / gibibyte == Approx(4.109).margin(0.0005));
    const StateBytes sharded = held(70.59e9 / 8, "mixed-adam", {.zero_stage = 3, .ranks = 8});
    CHECK(sharded.weight_bytes / gibibyte == Approx(2.05).margin(0.005));
}

TEST_CASE("a shard is rounded up to whole elements", "[states]") {
    const StateBytes bytes = held(10, "mixed-adam", {.zero_stage = 3, .ranks = 4});
    CHECK(bytes.weight_bytes == 6);
    CHECK(bytes.gradient_bytes == 6);
    CHECK(bytes.optimizer_bytes == 36);
}

TEST_CASE("hybrid sharding shares states inside a group alone", "[states]") {
    const StateBytes grouped = held(64e6, "mixed-adam", {.zero_stage = 3, .ranks = 64, .group = 8});
    CHECK(grouped.total() == 16 * 8e6);
    CHECK(held(64e6, "mixed-adam", {.zero_stage = 3, .ranks = 64}).total() == 16e6);
    require_refused("group", "7", [] { held(64e6, "mixed-adam", {.zero_stage = 3, .ranks = 64, .group = 7}); });
}

TEST_CASE("offloaded states are in host memory and not on the card", "[states]") {
    const StateBytes optimizer = held(8e6, "mixed-adam", {.zero_stage = 2, .ranks = 8, .offload = Offload::optimizer});
    CHECK(optimizer.optimizer_bytes == 0);
    CHECK(optimizer.host_bytes == 12e6 + 2e6);
    CHECK(optimizer.total() == 2 * 8e6);
    const StateBytes all = held(8e6, "mixed-adam", {.zero_stage = 3, .ranks = 8, .offload = Offload::parameters});
    CHECK(all.total() == 0);
    CHECK(all.host_bytes == 16e6);
    require_refused("offload", "parameters",
                    [] { held(8e6, "mixed-adam", {.zero_stage = 2, .ranks = 8, .offload = Offload::parameters}); });
    CHECK(offload_from_name("optimizer") == Offload::optimizer);
    require_refused("offload", "disk", [] { offload_from_name("disk"); });
}

TEST_CASE("gradients leave the card with what is offloaded from stage 2 on, and stay on it whole before", "[states]") {
    const auto of = [](int stage, Offload offload) {
        return held(8e6, "mixed-adam-fp32-gradients", {.zero_stage = stage, .ranks = 8, .offload = offload});
    };
    CHECK(of(0, Offload::optimizer).gradient_bytes == 4 * 8e6);
    CHECK(of(1, Offload::optimizer).gradient_bytes == 4 * 8e6);
    CHECK(of(1, Offload::optimizer).host_bytes == 12e6);
    for (const int stage : {2, 3}) {
        CHECK(of(stage, Offload::none).gradient_bytes == 4e6);
        CHECK(of(stage, Offload::none).host_bytes == 0);
        CHECK(of(stage, Offload::optimizer).gradient_bytes == 0);
        CHECK(of(stage, Offload::optimizer).host_bytes == 12e6 + 4e6);
    }
    CHECK(of(3, Offload::optimizer).weight_bytes == 2e6);
    CHECK(of(3, Offload::parameters).gradient_bytes == 0);
}

TEST_CASE("more ranks or a higher stage never hold more", "[states]") {
    Random random(7002);
    for (int trial = 0; trial < 2000; ++trial) {
        const double params = random.whole(1, 1000000000);
        const int ranks = random.whole(1, 4096);
        const int stage = random.whole(0, 3);
        const double before = held(params, "mixed-adam", {.zero_stage = stage, .ranks = 1.0 * ranks}).total();
        REQUIRE(held(params, "mixed-adam", {.zero_stage = stage, .ranks = 2.0 * ranks}).total() <= before);
        REQUIRE(held(params, "mixed-adam", {.zero_stage = 3, .ranks = 1.0 * ranks}).total() <= before);
    }
}

TEST_CASE("states refuse what does not exist", "[states]") {
    require_refused("params", "nan", [] { held(std::nan(""), "mixed-adam", {}); });
    require_refused("zero_stage", "4", [] { held(1, "mixed-adam", {.zero_stage = 4}); });
    require_refused("ranks", "0", [] { held(1, "mixed-adam", {.ranks = 0}); });
    require_refused("matrices", "2", [] { state_bytes({.all = 1, .matrices = 2}, precision_recipe("muon"), {}); });
    PrecisionRecipe own = precision_recipe("mixed-adam");
    own.moment_bytes = -1;
    require_refused("moment_bytes", "-1", [&] { state_bytes({.all = 1}, own, {}); });
}

TEST_CASE("expert parallelism is carved out of data and context parallelism", "[layout]") {
    const Layout layout{.tp = 8, .pp = 4, .dp = 16, .cp = 2, .ep = 8};
    CHECK(require_layout(layout).ranks() == 1024);
    CHECK(layout.replicas() == 32);
    CHECK(layout.expert_replicas() == 4);
    require_refused("ep", "3", [] { require_layout({.dp = 4, .ep = 3}); });
    require_refused("dp", "0", [] { require_layout({.dp = 0}); });
    CHECK(refusal_of([] { require_layout({.tp = 2147483647, .dp = 2147483647}); }).parameter == "ranks");
}

TEST_CASE("gradients and weights are sent as the ZeRO paper counts: twice, twice, twice, three times the parameters",
          "[states]") {
    const PrecisionRecipe& recipe = precision_recipe("mixed-adam");
    const auto sent = [&](int stage, int micro_batches) {
        return data_parallel_bytes(1e9, recipe, {.zero_stage = stage, .ranks = 1e6}, micro_batches) / 2e9;
    };
    CHECK(sent(0, 1) == Approx(2).epsilon(1e-5));
    CHECK(sent(1, 1) == Approx(2).epsilon(1e-5));
    CHECK(sent(2, 1) == Approx(2).epsilon(1e-5));
    CHECK(sent(3, 1) == Approx(3).epsilon(1e-5));
    CHECK(sent(1, 4) == sent(1, 1));
    CHECK(sent(2, 4) == Approx(5).epsilon(1e-5));
    CHECK(sent(3, 4) == Approx(12).epsilon(1e-5));
}

TEST_CASE("hybrid sharding sends less inside groups and all-reduces shards between them", "[states]") {
    const PrecisionRecipe& recipe = precision_recipe("mixed-adam");
    const double sent = data_parallel_bytes(8e9, recipe, {.zero_stage = 3, .ranks = 64, .group = 8}, 1);
    CHECK(sent == Approx(6 * 8e9 * 7 / 8 + 2 * 2 * 1e9 * 7 / 8));
    require_refused("micro_batches", "0", [&] { data_parallel_bytes(1, recipe, {}, 0); });
}
