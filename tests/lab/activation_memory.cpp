#include <string>

#include "catch.hpp"
#include "complaint.hpp"

using lab::Recomputation;
using lab_test::Complaint;

namespace {

/// A layer and how it is run.
struct Layer {
    int sequence = 4096;
    int micro_batch = 1;
    int hidden = 8192;
    int heads = 64;
    int tp = 8;
};

const char* name(Recomputation recompute) {
    switch (recompute) {
        case Recomputation::none:
            return "no";
        case Recomputation::selective:
            return "selective";
        case Recomputation::full:
            return "full";
    }
    return "an unknown";
}

std::string setting(const Layer& layer, bool sequence_parallel, Recomputation recompute) {
    return "s=" + std::to_string(layer.sequence) + " b=" + std::to_string(layer.micro_batch) +
           " h=" + std::to_string(layer.hidden) + " a=" + std::to_string(layer.heads) +
           " t=" + std::to_string(layer.tp) + ", " + name(recompute) + " recomputation, " +
           (sequence_parallel ? "with" : "without") + " sequence parallelism: the bytes of a layer";
}

double bytes(const Layer& layer, bool sequence_parallel, Recomputation recompute) {
    return lab::activation_memory_bytes(layer.sequence, layer.micro_batch, layer.hidden, layer.heads, layer.tp,
                                        sequence_parallel, recompute);
}

/// @param expected what the paper's formula gives, worked out by hand
Complaint wrong_bytes(const Layer& layer, bool sequence_parallel, Recomputation recompute, double expected) {
    return lab_test::wrong_number(setting(layer, sequence_parallel, recompute),
                                  bytes(layer, sequence_parallel, recompute), expected, 1e-12);
}

}  // namespace

TEST_CASE("lab activation_memory_bytes: a layer of 8192 features on 8 ranks", "[lab][activation_memory_bytes]") {
    REQUIRE_RIGHT(wrong_bytes({}, false, Recomputation::none, 1107296256));
    REQUIRE_RIGHT(wrong_bytes({}, true, Recomputation::none, 813694976));
}

TEST_CASE("lab activation_memory_bytes: selective recomputation drops the attention scores",
          "[lab][activation_memory_bytes]") {
    REQUIRE_RIGHT(wrong_bytes({}, false, Recomputation::selective, 436207616));
    REQUIRE_RIGHT(wrong_bytes({}, true, Recomputation::selective, 142606336));
}

TEST_CASE("lab activation_memory_bytes: full recomputation keeps the whole input of the layer",
          "[lab][activation_memory_bytes]") {
    REQUIRE_RIGHT(wrong_bytes({}, false, Recomputation::full, 67108864));
    REQUIRE_RIGHT(wrong_bytes({}, true, Recomputation::full, 67108864));
}

TEST_CASE("lab activation_memory_bytes: sequence parallelism changes nothing on one rank and never costs memory",
          "[lab][activation_memory_bytes]") {
    for (int tp = 1; tp <= 64; tp *= 2) {
        Layer layer;
        layer.tp = tp;
        for (auto recompute : {Recomputation::none, Recomputation::selective, Recomputation::full}) {
            const double without = bytes(layer, false, recompute);
            const double with = bytes(layer, true, recompute);
            const bool same = tp == 1 || recompute == Recomputation::full;
            const bool right = with > 0 && (same ? with == without : with < without);
            REQUIRE_RIGHT(right ? ""
                                : setting(layer, true, recompute) + " are " + lab_test::text(with) +
                                      ", without it they are " + lab_test::text(without) + ", must be " +
                                      (same ? "the same" : "less"));
        }
    }
}

TEST_CASE("lab activation_memory_bytes: a long sequence does not overflow", "[lab][activation_memory_bytes]") {
    INFO("s b h is 2^32 here, more than an int holds: multiply in double from the first factor on");
    const Layer layer{.sequence = 65536, .micro_batch = 4, .hidden = 16384, .heads = 128, .tp = 8};
    REQUIRE_RIGHT(wrong_bytes(layer, true, Recomputation::selective, 34.0 * 4294967296.0 / 8));
    REQUIRE_RIGHT(wrong_bytes(layer, true, Recomputation::none, (34.0 + 2560) * 4294967296.0 / 8));
}
