#include <string>

#include "catch.hpp"
#include "complaint.hpp"

using lab_test::wrong_number;

namespace {

std::string of(int ranks, double bytes) {
    return " of " + lab_test::counted(ranks, "rank") + " with " + lab_test::text(bytes) + " bytes each";
}

/// How often 1 is doubled until it is at least `ranks`: ceil(log2 ranks).
int doublings(int ranks) {
    int count = 0;
    while ((1 << count) < ranks) ++count;
    return count;
}

}  // namespace

TEST_CASE("lab all_reduce_cost: 4 ranks with 1 GB take 6 steps and send 1.5 GB each", "[lab][all_reduce_cost]") {
    const lab::Cost cost = lab::all_reduce_cost(4, 1e9);
    REQUIRE_RIGHT(wrong_number("the number of steps" + of(4, 1e9), cost.steps, 6));
    REQUIRE_RIGHT(wrong_number("bytes_sent_per_rank" + of(4, 1e9), cost.bytes_sent_per_rank, 1.5e9));
}

TEST_CASE("lab all_reduce_cost: one rank costs nothing and two send their tensor once", "[lab][all_reduce_cost]") {
    for (int ranks : {1, 2}) {
        const lab::Cost cost = lab::all_reduce_cost(ranks, 4096);
        REQUIRE_RIGHT(wrong_number("the number of steps" + of(ranks, 4096), cost.steps, 2 * (ranks - 1)));
        REQUIRE_RIGHT(
            wrong_number("bytes_sent_per_rank" + of(ranks, 4096), cost.bytes_sent_per_rank, ranks == 1 ? 0 : 4096));
    }
}

TEST_CASE("lab all_reduce_cost: bytes approach twice the tensor and do not overflow", "[lab][all_reduce_cost]") {
    const double bytes = 2491416576;  // a 152064 x 8192 embedding in 16 bits: more than an int holds
    for (int ranks = 2; ranks <= 1024; ranks *= 2) {
        const lab::Cost cost = lab::all_reduce_cost(ranks, bytes);
        REQUIRE_RIGHT(wrong_number("the number of steps" + of(ranks, bytes), cost.steps, 2 * (ranks - 1)));
        REQUIRE_RIGHT(wrong_number("bytes_sent_per_rank" + of(ranks, bytes), cost.bytes_sent_per_rank,
                                   2 * bytes - 2 * bytes / ranks, 1e-12));
    }
}

TEST_CASE("lab tree_all_reduce_cost: goes down and up in ceil log2 N steps each", "[lab][tree_all_reduce_cost]") {
    // Powers of two and their neighbours first: that is where a rounded logarithm goes wrong.
    for (int ranks : {1, 2, 3, 4, 5, 7, 8, 9, 64, 65, 127, 128, 129, 1000, 1023, 1024}) {
        REQUIRE_RIGHT(wrong_number("the number of steps" + of(ranks, 8),
                                   lab::tree_all_reduce_cost(ranks, 8, 1e-6).steps, 2 * doublings(ranks)));
    }
}

TEST_CASE("lab tree_all_reduce_cost: seconds are steps times latency", "[lab][tree_all_reduce_cost]") {
    for (int ranks : {2, 3, 8, 100, 1024}) {
        for (double latency : {1e-6, 5e-6, 1.0}) {
            INFO("latency_per_step is " << latency);
            REQUIRE_RIGHT(wrong_number("seconds" + of(ranks, 1024),
                                       lab::tree_all_reduce_cost(ranks, 1024, latency).seconds,
                                       2 * doublings(ranks) * latency, 1e-12));
        }
    }
}

TEST_CASE("lab tree_all_reduce_cost: rank 0 sends the whole tensor in every step back", "[lab][tree_all_reduce_cost]") {
    for (int ranks : {2, 3, 4, 6, 64, 1024}) {
        REQUIRE_RIGHT(wrong_number("bytes_sent_per_rank" + of(ranks, 1e9),
                                   lab::tree_all_reduce_cost(ranks, 1e9, 1e-6).bytes_sent_per_rank,
                                   doublings(ranks) * 1e9, 1e-12));
    }
}
