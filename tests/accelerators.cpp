#include <string>

#include <shardlab/accelerators.hpp>

#include "catch.hpp"
#include "refusal.hpp"

using namespace shardlab;

TEST_CASE("a card has two sizes: what is built in, and what a program sees", "[accelerators]") {
    CHECK(accelerator_from_name("h100-80gb").capacity_bytes == 85520809984.0);
    CHECK(accelerator_from_name("a100-80gb").capacity_bytes == 85899345920.0);
    CHECK(accelerator_from_name("a100-80gb").usable_bytes / 1073741824 == Approx(79.15).margin(0.001));
    for (const Accelerator& card : accelerators()) {
        CAPTURE(card.id);
        CHECK(card.usable_bytes < card.capacity_bytes);
        CHECK(card.usable_bytes > 0.95 * card.capacity_bytes);
        CHECK_FALSE(card.source.empty());
        CHECK(accelerator_from_name(card.id).name == card.name);
    }
}

TEST_CASE("the cards of the field are known by id", "[accelerators]") {
    for (const char* id : {"v100-32gb", "a100-40gb", "a100-80gb", "h100-80gb", "h200-141gb", "b200-180gb",
                           "mi300x-192gb", "l40s-48gb", "rtx4090-24gb"}) {
        CHECK(accelerator_from_name(id).id == id);
    }
}

TEST_CASE("a card of one's own is its bytes, all usable", "[accelerators]") {
    const Accelerator card = accelerator_from_name("custom:24e9");
    CHECK(card.capacity_bytes == 24e9);
    CHECK(card.usable_bytes == 24e9);
}

TEST_CASE("a card that is not known is refused with the ids that are", "[accelerators]") {
    const Refusal refusal = refusal_of([] { accelerator_from_name("h100"); });
    CHECK(refusal.parameter == "gpu");
    CHECK(refusal.rule.find("h100-80gb") != std::string::npos);
    require_refused("gpu", "custom:lots", [] { accelerator_from_name("custom:lots"); });
    require_refused("gpu", "0", [] { accelerator_from_name("custom:0"); });
    require_refused("gpu", "1.5", [] { accelerator_from_name("custom:1.5"); });
}
