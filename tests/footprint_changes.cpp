#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <shardlab/accelerators.hpp>
#include <shardlab/footprint.hpp>

#include "catch.hpp"
#include "random.hpp"
#include "refusal.hpp"
#include "shapes.hpp"

using namespace shardlab;

namespace {

FootprintRequest llama_70b_on(int cards) {
    FootprintRequest request;
    request.shape = llama_3_70b();
    request.sequence = 4096;
    request.layout.dp = cards;
    request.flash = true;
    request.recipe = precision_recipe("mixed-adam");
    return request;
}

Changes changes_on(const FootprintRequest& request, double usable_bytes) {
    InFlightCache cache;
    return changes_that_fit(request, {.usable_bytes = usable_bytes}, cache);
}

double h100_bytes() {
    return accelerator_from_name("h100-80gb").usable_bytes;
}

const Change* offered(const Changes& changes, const std::string& parameter) {
    const auto found = std::find_if(changes.offered.begin(), changes.offered.end(),
                                    [&](const Change& change) { return change.parameter == parameter; });
    return found == changes.offered.end() ? nullptr : &*found;
}

std::string reason(const Changes& changes, const std::string& parameter) {
    const auto found = std::find_if(changes.not_offered.begin(), changes.not_offered.end(),
                                    [&](const NoChange& change) { return change.parameter == parameter; });
    return found == changes.not_offered.end() ? "" : found->reason;
}

bool no_dearer(const StepCost& a, const StepCost& b) {
    return a.ranks <= b.ranks && a.sent_bytes() <= b.sent_bytes() && a.recomputed_flops <= b.recomputed_flops &&
           a.bubble_of_total <= b.bubble_of_total && a.product_flops >= b.product_flops;
}

bool cheaper(const StepCost& a, const StepCost& b) {
    return no_dearer(a, b) && !no_dearer(b, a);
}

}  // namespace

TEST_CASE("what fits needs no change", "[footprint]") {
    FootprintRequest small = llama_70b_on(1);
    small.shape = llama_shape(1024, 8, 16, 16, 4096, 5000);
    const Changes changes = changes_on(small, h100_bytes());
    CHECK(changes.fits);
    CHECK(changes.offered.empty());
    CHECK(changes.not_offered.empty());
}

TEST_CASE("70 billion parameters on 8 cards at stage 3 fit with more cards alone, and each other change says why not",
          "[footprint]") {
    FootprintRequest request = llama_70b_on(8);
    request.zero_stage = 3;
    request.recompute = Recomputation::full;
    const Changes changes = changes_on(request, h100_bytes());
    CHECK_FALSE(changes.fits);
    const Change* cards = offered(changes, "dp");
    REQUIRE(cards != nullptr);
    CHECK(cards->value == std::to_string(cards->request.layout.dp));
    CHECK(cards->most_loaded_rank_bytes <= h100_bytes());
    FootprintRequest fewer = cards->request;
    fewer.layout.dp -= 8;
    InFlightCache cache;
    CHECK(footprint(fewer, cache).most_loaded_rank_bytes() > h100_bytes());
    CHECK(reason(changes, "zero_stage") == "All states are sharded already.");
    CHECK(reason(changes, "recompute") == "Recomputation is full already.");
    CHECK(reason(changes, "sequence_parallel") == "It cuts what tensor parallelism leaves whole, and tp is 1.");
    CHECK(reason(changes, "micro_batch") == "A micro-batch is one sequence already.");
    // Tensor parallelism helps with more cards alone: taken from the 8, their states stay as many.
    REQUIRE(offered(changes, "tp") != nullptr);
    CHECK(offered(changes, "tp")->request.layout.ranks() > 8);
}

TEST_CASE("without ZeRO more data parallelism cannot help", "[footprint]") {
    const Changes changes = changes_on(llama_70b_on(8), h100_bytes());
    CHECK(reason(changes, "dp").find("Without ZeRO") == 0);
    CHECK(reason(changes, "zero_stage") == "No value of it takes enough off the most loaded rank.");
}

TEST_CASE("on one card there is nobody to share states with", "[footprint]") {
    const Changes changes = changes_on(llama_70b_on(1), h100_bytes());
    CHECK(reason(changes, "zero_stage").find("one data-parallel rank") != std::string::npos);
}

TEST_CASE("each offer fits when it is applied, keeps the sequences of a step, and none is dominated", "[footprint]") {
    Random random(7005);
    InFlightCache cache;
    int offers = 0;
    for (int trial = 0; trial < 300; ++trial) {
        FootprintRequest request = llama_70b_on(1 << random.whole(0, 5));
        request.shape = llama_shape(4096, 32, 32, 8, 14336, 128256);
        request.sequence = 1024 << random.whole(0, 4);
        request.micro_batch = random.whole(1, 6);
        request.micro_batches = random.whole(1, 8);
        request.layout.tp = 1 << random.whole(0, 2);
        request.layout.pp = 1 << random.whole(0, 2);
        request.zero_stage = random.whole(0, 3);
        request.recompute = static_cast<Recomputation>(random.whole(0, 2));
        request.flash = random.whole(0, 1) == 1;
        const ChangeBounds bounds{.usable_bytes = 1e9 * random.whole(8, 100), .most_ranks = 4096};
        const Changes changes = changes_that_fit(request, bounds, cache);
        CAPTURE(trial);
        for (const Change& change : changes.offered) {
            ++offers;
            REQUIRE(footprint(change.request, cache).most_loaded_rank_bytes() == change.most_loaded_rank_bytes);
            REQUIRE(change.most_loaded_rank_bytes <= bounds.usable_bytes);
            const auto sequences = [](const FootprintRequest& some) {
                return 1.0 * some.layout.dp * some.micro_batch * some.micro_batches;
            };
            if (change.parameter != "dp" && change.request.layout.ranks() == request.layout.ranks()) {
                REQUIRE(sequences(change.request) == sequences(request));
            }
            for (const Change& other : changes.offered) {
                REQUIRE_FALSE(cheaper(other.cost, change.cost));
            }
        }
        if (!changes.fits) {
            REQUIRE(changes.offered.size() + changes.not_offered.size() == 8);
        }
    }
    CHECK(offers > 100);
}

TEST_CASE("the smallest change of a micro-batch is its largest divisor that fits, and any size is searched",
          "[footprint]") {
    FootprintRequest request = llama_70b_on(1);
    request.micro_batch = 2147483647;
    CHECK(offered(changes_on(request, h100_bytes()), "micro_batch") == nullptr);

    request.shape = llama_shape(1024, 8, 16, 16, 4096, 5000);
    request.micro_batch = 210;
    const Changes changes = changes_on(request, 40e9);
    const Change* smaller = offered(changes, "micro_batch");
    REQUIRE(smaller != nullptr);
    CHECK(210 % smaller->request.micro_batch == 0);
    CHECK(smaller->request.micro_batch * smaller->request.micro_batches == 210);
    InFlightCache cache;
    for (int larger = smaller->request.micro_batch + 1; larger < 210; ++larger) {
        FootprintRequest tried = request;
        tried.micro_batch = larger;
        if (210 % larger == 0) {
            CHECK(footprint(tried, cache).most_loaded_rank_bytes() > 40e9);
        }
    }
}

TEST_CASE("what a step sends follows the rings' volumes", "[footprint]") {
    InFlightCache cache;
    FootprintRequest request = llama_70b_on(8);
    request.micro_batches = 3;
    const double params = 70553706496.0;
    CHECK(step_cost(request, cache).data_bytes == Approx(2 * 2 * params * 7 / 8));
    request.zero_stage = 1;
    CHECK(step_cost(request, cache).data_bytes == Approx((2 + 2) * params * 7 / 8));
    request.zero_stage = 2;
    CHECK(step_cost(request, cache).data_bytes == Approx((3 * 2 + 2) * params * 7 / 8));
    request.zero_stage = 3;
    CHECK(step_cost(request, cache).data_bytes == Approx(3 * (2 + 2 + 2) * params * 7 / 8));
    CHECK(step_cost(request, cache).tensor_bytes == 0);
    CHECK(step_cost(request, cache).pipeline_bytes == 0);

    request.layout = {.tp = 8};
    request.micro_batches = 1;
    // Four all-reduces of 2sbh bytes a layer: Shoeybi et al., arXiv:1909.08053, section 3.
    CHECK(step_cost(request, cache).tensor_bytes == Approx(80 * 4 * 2 * 7.0 / 8 * 2 * 4096 * 8192));
    const double plain = step_cost(request, cache).tensor_bytes;
    request.sequence_parallel = true;
    CHECK(step_cost(request, cache).tensor_bytes == Approx(plain * 10 / 8));
    request.sequence_parallel = false;
    request.recompute = Recomputation::full;
    CHECK(step_cost(request, cache).tensor_bytes == Approx(plain * 12 / 8));
    CHECK(step_cost(request, cache).recomputed_flops > 0);
}

TEST_CASE("the smallest cluster fits, and half of it does not under the same search", "[footprint]") {
    InFlightCache cache;
    const ChangeBounds bounds{.usable_bytes = h100_bytes()};
    const auto smallest = smallest_cluster(llama_70b_on(1), bounds, cache);
    REQUIRE(smallest);
    CHECK(footprint(*smallest, cache).most_loaded_rank_bytes() <= bounds.usable_bytes);
    ChangeBounds fewer = bounds;
    fewer.most_ranks = smallest->layout.ranks() - 1;
    CHECK_FALSE(smallest_cluster(llama_70b_on(1), fewer, cache));
}

TEST_CASE("changes refuse bounds that allow nothing", "[footprint]") {
    InFlightCache cache;
    require_refused("usable_bytes", "0", [&] { changes_that_fit(llama_70b_on(1), {}, cache); });
    require_refused("per_node", "0",
                    [&] { changes_that_fit(llama_70b_on(1), {.usable_bytes = 1, .per_node = 0}, cache); });
    require_refused("most_ranks", "0",
                    [&] { changes_that_fit(llama_70b_on(1), {.usable_bytes = 1, .most_ranks = 0}, cache); });
}
