#include <shardlab/activations.hpp>

#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

ActivationShape layer(int sequence, int micro_batch, int hidden, int heads, int tp) {
    return {.sequence = sequence, .micro_batch = micro_batch, .hidden = hidden, .heads = heads, .tp = tp};
}

double bytes(ActivationShape shape, bool sequence_parallel, Recomputation recompute) {
    shape.sequence_parallel = sequence_parallel;
    shape.recompute = recompute;
    return activation_memory_bytes(shape);
}

}  // namespace

TEST_CASE("activations: a GELU layer with s=4096, b=1, h=8192, a=64, t=8", "[activations]") {
    const ActivationShape shape = layer(4096, 1, 8192, 64, 8);
    CHECK(bytes(shape, true, Recomputation::none) == 813694976.0);
    CHECK(bytes(shape, false, Recomputation::none) == 1107296256.0);
}

TEST_CASE("activations: bytes a layer of the published 22B and 175B models", "[activations]") {
    // Korthikanti et al., arXiv:2205.05198, table 3 for the shapes and table 2 for the formulas.
    const ActivationShape small = layer(2048, 4, 6144, 64, 8);
    CHECK(bytes(layer(2048, 4, 6144, 64, 1), false, Recomputation::none) == 7079985152.0);
    CHECK(bytes(small, false, Recomputation::none) == 1325400064.0);
    CHECK(bytes(small, true, Recomputation::none) == 884998144.0);
    CHECK(bytes(small, false, Recomputation::selective) == 654311424.0);
    CHECK(bytes(small, true, Recomputation::selective) == 213909504.0);
    CHECK(bytes(small, true, Recomputation::full) == 100663296.0);
    const ActivationShape large = layer(2048, 1, 12288, 96, 8);
    CHECK(bytes(large, false, Recomputation::none) == 578813952.0);
    CHECK(bytes(large, true, Recomputation::selective) == 106954752.0);
    CHECK(bytes(large, false, Recomputation::full) == 50331648.0);
}

TEST_CASE("activations: neither sequence parallelism nor recomputation nor more ranks raise memory", "[activations]") {
    Random random(41);
    for (int trial = 0; trial < 500; ++trial) {
        const int tp = 1 << random.whole(0, 4);
        const int heads = 16 * random.whole(1, 8);
        const ActivationShape shape = layer(128 * random.whole(1, 64), random.whole(1, 8), heads * 64, heads, tp);
        for (const Recomputation recompute : {Recomputation::none, Recomputation::selective, Recomputation::full}) {
            REQUIRE(bytes(shape, true, recompute) <= bytes(shape, false, recompute));
        }
        REQUIRE(bytes(shape, false, Recomputation::selective) <= bytes(shape, false, Recomputation::none));
        REQUIRE(bytes(shape, false, Recomputation::full) <= bytes(shape, false, Recomputation::selective));
        ActivationShape fewer = shape;
        fewer.tp = 1;
        REQUIRE(bytes(shape, true, Recomputation::none) <= bytes(fewer, true, Recomputation::none));
    }
}

TEST_CASE("activations: a stage holds its layers times its micro-batches in flight", "[activations]") {
    const ActivationShape shape = layer(4096, 1, 8192, 64, 8);
    CHECK(activation_memory_bytes(shape, 20, 4) == 80 * 1107296256.0);
    require_refused("layers", "0", [&] { activation_memory_bytes(shape, 0, 4); });
    require_refused("in_flight", "0", [&] { activation_memory_bytes(shape, 20, 0); });
}

TEST_CASE("activations: a shape that is none is refused by its field", "[activations]") {
    require_refused("heads", "28", [] { activation_memory_bytes(layer(4096, 1, 3584, 28, 8)); });
    require_refused("sequence", "0", [] { activation_memory_bytes(layer(0, 1, 64, 4, 1)); });
    require_refused("micro_batch", "-1", [] { activation_memory_bytes(layer(8, -1, 64, 4, 1)); });
    require_refused("hidden", "0", [] { activation_memory_bytes(layer(8, 1, 0, 4, 1)); });
    require_refused("tp", "0", [] { activation_memory_bytes(layer(8, 1, 64, 4, 0)); });
    require_refused("recompute", "some", [] { recomputation_from_name("some"); });
    CHECK(recomputation_from_name("selective") == Recomputation::selective);
}
