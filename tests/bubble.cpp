#include <limits>

#include <shardlab/bubble.hpp>

#include "catch.hpp"
#include "refusal.hpp"

using namespace shardlab;

TEST_CASE("bubble fraction: (P-1)/(M+P-1)", "[bubble]") {
    CHECK(pipeline_bubble_fraction(8, 4) == 7.0 / 11);
    CHECK(pipeline_bubble_fraction(4, 1) == 0.75);
    CHECK(pipeline_bubble_fraction(4, 8) == 3.0 / 11);
    CHECK(pipeline_bubble_fraction(8, 8) == 7.0 / 15);
    CHECK(pipeline_bubble_fraction(1, 5) == 0);
    CHECK(pipeline_bubble_fraction(2147483647, 2147483647) == Approx(0.5));
}

TEST_CASE("interleaved bubble fraction: (P-1)/(VM+P-1)", "[bubble]") {
    CHECK(interleaved_bubble_fraction(4, 8, 2) == 3.0 / 19);
    CHECK(interleaved_bubble_fraction(4, 8, 1) == pipeline_bubble_fraction(4, 8));
}

TEST_CASE("interleaving with V chunks divides the bubble of the ideal time by V", "[bubble]") {
    const auto of_ideal = [](double fraction) { return fraction / (1 - fraction); };
    for (int chunks = 1; chunks <= 8; ++chunks) {
        CHECK(of_ideal(interleaved_bubble_fraction(8, 16, chunks)) == Approx(7.0 / 16 / chunks).epsilon(1e-13));
    }
}

TEST_CASE("bubble fractions refuse what is no pipeline", "[bubble]") {
    require_refused("stages", "0", [] { pipeline_bubble_fraction(0, 4); });
    require_refused("micro_batches", "0", [] { pipeline_bubble_fraction(4, 0); });
    require_refused("chunks", "-1", [] { interleaved_bubble_fraction(4, 4, -1); });
}
