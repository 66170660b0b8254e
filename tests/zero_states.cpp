#include <string>
#include <string_view>
#include <vector>

#include <shardlab/footprint.hpp>
#include <shardlab/transformer.hpp>
#include <shardlab/zero_states.hpp>

#include "catch.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

FootprintRequest request_of(int zero_stage, const std::string& recipe = "mixed-adam") {
    FootprintRequest request;
    request.layout.dp = 8;
    request.zero_stage = zero_stage;
    request.recipe = precision_recipe(recipe);
    return request;
}

double times(const ZeroStates& found, std::string_view collective, std::string_view pass) {
    for (const StateCollective& one : found.sent) {
        if (one.collective == collective && one.pass == pass) {
            return one.times;
        }
    }
    return 0;
}

}  // namespace

TEST_CASE("a bare size is cut by tensor and pipeline parallelism to whole elements, and then sharded",
          "[zero_states]") {
    FootprintRequest request = request_of(2);
    request.layout.tp = 3;
    request.layout.pp = 2;
    const ZeroStates found = zero_states(100, request);
    CHECK(found.params == 100);
    CHECK(found.params_on_rank == 17);
    CHECK(found.bytes_per_param == 16);
    CHECK(found.states.weight_bytes == 2 * 17);
    CHECK(found.states.gradient_bytes == 2 * 3);
    CHECK(found.states.optimizer_bytes == 12 * 3);
}

TEST_CASE("the collectives of every stage add up to what a rank sends", "[zero_states]") {
    for (const PrecisionRecipe& recipe : precision_recipes()) {
        for (int stage = 0; stage <= 3; ++stage) {
            for (const int shard_ranks : {0, 2, 8}) {
                FootprintRequest request = request_of(stage, recipe.name);
                request.shard_ranks = shard_ranks;
                request.micro_batches = 5;
                const double sent = zero_states(7e9, request).sent_bytes();
                const StateSharding sharding = state_sharding(request, 8);
                CHECK(sent == Approx(data_parallel_bytes(7e9, request.recipe, sharding, 5)));
            }
        }
    }
}

TEST_CASE("a model with experts sends what its footprint is priced at", "[zero_states]") {
    FootprintRequest request = request_of(3);
    request.shape = model_preset("mixtral-8x7b").shape;
    request.layout.ep = 2;
    request.layout.pp = 2;
    request.sequence = 1;
    request.micro_batches = 4;
    InFlightCache cache;
    const ZeroStates found = zero_states(request);
    const StageFootprint last = footprint(request, cache).per_stage.back();
    CHECK(found.params == count_parameters(request.shape).total);
    CHECK(found.states.total() == last.states.total());
    CHECK(found.params_on_rank == last.parameters);
    CHECK(found.sent_bytes() == Approx(data_parallel_bytes(request, last)));
    request.layout.ep = 8;
    CHECK(zero_states(request).sent_bytes() < found.sent_bytes());
}

TEST_CASE("weights that stage 3 keeps are gathered once, and are all on the rank", "[zero_states]") {
    FootprintRequest request = request_of(3);
    request.micro_batches = 4;
    const ZeroStates freed = zero_states(8e9, request);
    const ZeroStates kept = zero_states(8e9, request, Gathered::kept);
    CHECK(times(freed, "all-gather", "backward") == 4);
    CHECK(times(kept, "all-gather", "backward") == 0);
    CHECK(times(kept, "all-gather", "forward") == 4);
    CHECK(kept.states.weight_bytes == 8 * freed.states.weight_bytes);
    CHECK(kept.states.gradient_bytes == freed.states.gradient_bytes);
    CHECK(kept.sent_bytes() == Approx(freed.sent_bytes() * 2 / 3));
}

TEST_CASE("states refuse experts of a size, and weights that are kept where none are gathered", "[zero_states]") {
    const FootprintRequest request = request_of(2);
    require_refused("gathered", "kept", [&] { zero_states(1, request, Gathered::kept); });
    require_refused("gathered", "lost", [] { gathered_from_name("lost"); });
    CHECK(gathered_from_name("kept") == Gathered::kept);
    CHECK(gathered_from_name("freed") == Gathered::freed);
    require_refused("params", "0", [&] { zero_states(0, request); });
    FootprintRequest experts = request;
    experts.layout.ep = 2;
    require_refused("ep", "2", [&] { zero_states(1, experts); });
    FootprintRequest idle = request;
    idle.micro_batches = 0;
    require_refused("micro_batches", "0", [&] { zero_states(1, idle); });
}
