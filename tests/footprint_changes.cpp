#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <shardlab/accelerators.hpp>
#include <shardlab/errors.hpp>
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

/// A model of few layers and heads, trained at random: small enough to try every layout of it.
FootprintRequest small_request(Random& random) {
    FootprintRequest request;
    const int heads = 2 * random.whole(2, 6);
    request.shape = llama_shape(64 * heads, random.whole(2, 7), heads, 2, 48 * heads, 1000 * random.whole(1, 20));
    request.sequence = 240 * random.whole(1, 4);
    request.layout = {.pp = random.whole(1, 3), .dp = random.whole(1, 6), .cp = random.whole(1, 2)};
    request.micro_batches = random.whole(1, 6);
    request.zero_stage = random.whole(0, 3);
    request.flash = random.whole(0, 1) == 1;
    const char* schedules[] = {"1f1b", "gpipe", "zb-h1"};
    request.schedule = schedules[random.whole(0, 2)];
    request.recipe = precision_recipe("mixed-adam");
    request.allowances.context_bytes = 0;
    request.allowances.communication_bytes = 1e5 * random.whole(0, 20);
    request.allowances.bucket_bytes = 1e5 * random.whole(0, 20);
    return request;
}

/// A card that has from a twentieth to a half of what one has to hold that is alone.
ChangeBounds small_bounds(FootprintRequest request, Random& random, InFlightCache& cache) {
    request.layout = {};
    return {.usable_bytes = footprint(request, cache).most_loaded_rank_bytes() * random.whole(5, 50) / 100,
            .per_node = 6,
            .most_ranks = 24};
}

/// Gives a request 2 of an axis and a multiple of 3 of dp, and tells what it holds with 3 of the axis and ranks from
/// dp.
double bytes_of_three(FootprintRequest& request, Random& random, InFlightCache& cache) {
    int Layout::*axis = random.whole(0, 1) == 1 ? &Layout::pp : &Layout::cp;
    request.layout = {.dp = 3 * random.whole(1, 2)};
    request.layout.*axis = 2;
    FootprintRequest three = request;
    three.layout.*axis = 3;
    three.layout.dp = request.layout.dp * 2 / 3;
    three.micro_batches = request.micro_batches * 3 / 2;
    return footprint(three, cache).most_loaded_rank_bytes();
}

bool holds(const FootprintRequest& request, const ChangeBounds& bounds, InFlightCache& cache) {
    try {
        return request.layout.ranks() <= bounds.most_ranks &&
               footprint(request, cache).most_loaded_rank_bytes() <= bounds.usable_bytes;
    } catch (const invalid_argument&) {
        return false;
    }
}

/// The least size of an axis that fits, of all that there are: with ranks of dp where one does, else with more cards.
std::optional<FootprintRequest> least_of_axis(const FootprintRequest& request, const ChangeBounds& bounds,
                                              int Layout::*axis, InFlightCache& cache) {
    const int before = request.layout.*axis;
    const int most = axis == &Layout::tp   ? bounds.per_node
                     : axis == &Layout::pp ? request.shape.layers
                                           : static_cast<int>(bounds.most_ranks);
    for (const bool from_dp : {true, false}) {
        for (int size = before + 1; size <= most; ++size) {
            FootprintRequest changed = request;
            changed.layout.*axis = size;
            if (from_dp && (axis == &Layout::dp || (request.layout.dp * before) % size != 0 ||
                            (request.micro_batches * size) % before != 0)) {
                continue;
            }
            if (from_dp) {
                changed.layout.dp = request.layout.dp * before / size;
                changed.micro_batches = request.micro_batches * size / before;
            }
            if (holds(changed, bounds, cache) && (axis != &Layout::dp || request.zero_stage > 0)) {
                return changed;
            }
        }
    }
    return std::nullopt;
}

using Price = std::array<double, 3>;

Price price_of(const FootprintRequest& request, InFlightCache& cache) {
    const StepCost cost = step_cost(request, cache);
    return {cost.ranks, cost.recomputed_flops, cost.sent_bytes()};
}

/// The price of the cheapest layout that fits, of all that there are.
std::optional<Price> least_price(FootprintRequest request, const ChangeBounds& bounds, InFlightCache& cache) {
    std::optional<Price> best;
    const int most = static_cast<int>(bounds.most_ranks);
    for (int tp = 1; tp <= bounds.per_node; ++tp) {
        for (int pp = 1; pp <= request.shape.layers; ++pp) {
            for (int dp = 1; dp * tp * pp <= most; ++dp) {
                for (int choice = 0; choice < 12; ++choice) {
                    request.layout = {.tp = tp, .pp = pp, .dp = dp};
                    request.sequence_parallel = tp > 1;
                    request.recompute = static_cast<Recomputation>(choice / 4);
                    request.zero_stage = choice % 4;
                    if (holds(request, bounds, cache)) {
                        best = std::min(best.value_or(price_of(request, cache)), price_of(request, cache));
                    }
                }
            }
        }
    }
    return best;
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
    fewer.layout.dp -= 1;
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

TEST_CASE("on one card stage 2 takes the gradients off it where states are offloaded", "[footprint]") {
    FootprintRequest request = llama_70b_on(1);
    request.shape = llama_shape(4096, 32, 32, 32, 11008, 32000);
    request.sequence = 2048;
    request.recompute = Recomputation::full;
    request.offload = Offload::optimizer;
    for (const int stage : {0, 1}) {
        request.zero_stage = stage;
        const Changes changes = changes_on(request, 22e9);
        const Change* offer = offered(changes, "zero_stage");
        REQUIRE(offer != nullptr);
        CHECK(offer->value == "2");
        CHECK(reason(changes_on(request, 1e9), "zero_stage") ==
              "No value of it takes enough off the most loaded rank.");
    }
    request.zero_stage = 3;
    CHECK(reason(changes_on(request, 1e9), "zero_stage").find("one data-parallel rank") != std::string::npos);
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

TEST_CASE("what is offered of an axis is the least size that fits, on no more cards than there are where one does",
          "[footprint]") {
    Random random(7007);
    InFlightCache cache;
    std::array<int, 4> offers{};
    int no_multiples = 0;
    for (int trial = 0; trial < 400; ++trial) {
        FootprintRequest request = small_request(random);
        ChangeBounds bounds = small_bounds(request, random, cache);
        if (trial % 2 == 1) {
            bounds.usable_bytes = bytes_of_three(request, random, cache);
        }
        const Changes changes = changes_that_fit(request, bounds, cache);
        if (changes.fits) {
            continue;
        }
        const std::array<std::pair<const char*, int Layout::*>, 4> axes{
            {{"tp", &Layout::tp}, {"pp", &Layout::pp}, {"cp", &Layout::cp}, {"dp", &Layout::dp}}};
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            const auto& [name, size] = axes[axis];
            const std::optional<FootprintRequest> expected = least_of_axis(request, bounds, size, cache);
            const Change* change = offered(changes, name);
            CAPTURE(trial, name);
            if (change != nullptr) {
                ++offers[axis];
                REQUIRE(expected);
                REQUIRE(change->value == std::to_string(expected->layout.*size));
                REQUIRE(change->request.layout.ranks() == expected->layout.ranks());
                REQUIRE(change->request.layout.dp == expected->layout.dp);
                REQUIRE(change->request.micro_batches == expected->micro_batches);
                const bool from_dp = expected->layout.dp < request.layout.dp;
                no_multiples += from_dp && expected->layout.*size % request.layout.*size != 0 ? 1 : 0;
            } else if (expected) {
                REQUIRE(reason(changes, name).find("costs no more in any respect") != std::string::npos);
                REQUIRE(reason(changes, name).find(std::to_string(expected->layout.*size)) != std::string::npos);
            }
        }
    }
    CHECK(*std::min_element(offers.begin(), offers.end()) > 5);
    CHECK(no_multiples > 5);
}

TEST_CASE("of 2 stages and 3 data-parallel ranks 3 and 2 are made where the micro-batches come out whole",
          "[footprint]") {
    FootprintRequest request = llama_70b_on(3);
    request.layout.tp = 8;
    request.layout.pp = 2;
    request.sequence = 16384;
    request.sequence_parallel = true;
    request.zero_stage = 1;
    request.micro_batches = 4;
    const Changes changes = changes_on(request, 82e9);
    const Change* deeper = offered(changes, "pp");
    REQUIRE(deeper != nullptr);
    CHECK(deeper->value == "3");
    CHECK(deeper->request.layout.dp == 2);
    CHECK(deeper->request.micro_batches == 6);

    request.micro_batches = 5;  // 3 stages would leave 7.5 to each rank, and 6 leave 15
    const Changes odd = changes_on(request, 82e9);
    REQUIRE(offered(odd, "pp") != nullptr);
    CHECK(offered(odd, "pp")->value == "6");
    CHECK(offered(odd, "pp")->request.layout.dp == 1);
    CHECK(offered(odd, "pp")->request.micro_batches == 15);
}

TEST_CASE("of deep pipelines powers of two and divisors of the layers are tried", "[footprint]") {
    InFlightCache cache;
    FootprintRequest request = llama_70b_on(1);
    request.shape = llama_shape(1024, 599, 16, 16, 4096, 1000);  // a prime number of layers
    const auto least_like = [&](int pp) {
        FootprintRequest enough = request;
        enough.layout.pp = pp;
        const ChangeBounds bounds{.usable_bytes = footprint(enough, cache).most_loaded_rank_bytes()};
        const Changes changes = changes_that_fit(request, bounds, cache);
        const Change* offer = offered(changes, "pp");
        return offer == nullptr ? 0 : offer->request.layout.pp;
    };
    CHECK(least_like(86) == 86);    // no stage has more than 7 layers
    CHECK(least_like(250) == 200);  // nor more than 3
    CHECK(least_like(400) == 512);  // 300 is the least that has no more than 2
}

TEST_CASE("what refuses every value of an axis is named as the request names it", "[footprint]") {
    FootprintRequest request = llama_70b_on(1);
    request.shape.layers = 3;
    request.layout.pp = 2;
    request.schedule = "dualpipe";
    request.micro_batches = 8;
    const std::string refused = reason(changes_on(request, 1e9), "pp");
    CAPTURE(refused);
    CHECK(refused.find("Refused: pp is 3; it must be even") == 0);
}

TEST_CASE("more cards than are allowed are the reason why an axis is not offered", "[footprint]") {
    InFlightCache cache;
    const Changes changes = changes_that_fit(llama_70b_on(1), {.usable_bytes = h100_bytes(), .most_ranks = 1}, cache);
    for (const char* axis : {"tp", "pp", "cp"}) {
        CHECK(reason(changes, axis) == "Any more of it takes more cards than the search allows.");
    }
}

TEST_CASE("under expert parallelism and in groups that share states, dp grows by what they go into", "[footprint]") {
    FootprintRequest request;
    request.shape = mixture_shape();
    request.sequence = 512;
    request.layout = {.dp = 8, .ep = 4};
    request.zero_stage = 3;
    request.recipe = precision_recipe("mixed-adam");
    InFlightCache cache;
    int offers = 0;
    for (const int group : {0, 2, 4}) {
        for (int percent = 40; percent < 100; ++percent) {
            request.shard_ranks = group;
            const ChangeBounds bounds{
                .usable_bytes = footprint(request, cache).most_loaded_rank_bytes() * percent / 100, .most_ranks = 101};
            const Changes changes = changes_that_fit(request, bounds, cache);
            const auto expected = least_of_axis(request, bounds, &Layout::dp, cache);
            CAPTURE(group, percent);
            REQUIRE((offered(changes, "dp") != nullptr) == expected.has_value());
            if (expected) {
                ++offers;
                CHECK(offered(changes, "dp")->request.layout.dp == expected->layout.dp);
            }
        }
    }
    CHECK(offers > 10);
}

TEST_CASE("the smallest cluster is that of every layout there is", "[footprint]") {
    Random random(7008);
    InFlightCache cache;
    int found_any = 0;
    int found_none = 0;
    int odd = 0;
    for (int trial = 0; trial < 150; ++trial) {
        const FootprintRequest request = small_request(random);
        ChangeBounds bounds = small_bounds(request, random, cache);
        bounds.most_ranks = random.whole(1, 24);
        const auto smallest = smallest_cluster(request, bounds, cache);
        const std::optional<Price> expected = least_price(request, bounds, cache);
        CAPTURE(trial, bounds.usable_bytes, bounds.most_ranks);
        REQUIRE(smallest.has_value() == expected.has_value());
        if (!smallest) {
            ++found_none;
            continue;
        }
        REQUIRE(footprint(*smallest, cache).most_loaded_rank_bytes() <= bounds.usable_bytes);
        REQUIRE(price_of(*smallest, cache) == *expected);
        ++found_any;
        odd += smallest->layout.ranks() == 8 || smallest->layout.ranks() == 4 || smallest->layout.ranks() <= 2 ? 0 : 1;
    }
    CHECK(found_any > 50);
    CHECK(found_none > 5);
    CHECK(odd > 10);
}

TEST_CASE("a schedule that one stage has no place in is searched, and one that there is none of is refused",
          "[footprint]") {
    InFlightCache cache;
    FootprintRequest request = llama_70b_on(1);
    request.schedule = "dualpipe";
    request.micro_batches = 64;
    const auto smallest = smallest_cluster(request, {.usable_bytes = h100_bytes()}, cache);
    REQUIRE(smallest);
    CHECK(smallest->layout.pp % 2 == 0);
    request.schedule = "fifo";
    require_refused("schedule", "fifo", [&] { smallest_cluster(request, {.usable_bytes = h100_bytes()}, cache); });
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
