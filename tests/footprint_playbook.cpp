// The tables of the Ultra-Scale Playbook that do not size a whole model: each is this library's footprint under the
// assumptions that the playbook makes, which the verified cells spell out one by one.

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "catch.hpp"
#include "verified.hpp"

namespace {

/// How many cells of these plots agree, activations or states.
std::size_t agreeing(std::initializer_list<std::string_view> plots, bool activations) {
    return agreeing_cells("ultrascale_memory", [&](const std::string& row, const std::string& column) {
        const std::string plot = row.substr(0, row.find(':'));
        return (column == "activations") == activations && std::find(plots.begin(), plots.end(), plot) != plots.end();
    });
}

}  // namespace

TEST_CASE("the playbook's activations are a GPT's layers with dropout whose scores are not kept", "[footprint]") {
    CHECK(agreeing({"dp_ourjourney_memoryusage", "cp_8B", "pp_memoryusage", "zero3_memoryusage", "tp_memoryusage",
                    "tp_sp_memoryusage"},
                   true) == 25);
}

TEST_CASE("the playbook's states of whole models leave norms and master weights out", "[footprint]") {
    CHECK(agreeing({"dp_ourjourney_memoryusage"}, false) == 30);
}

TEST_CASE("the playbook's states under context, pipeline and tensor parallelism leave the norms out", "[footprint]") {
    CHECK(agreeing({"cp_8B", "pp_memoryusage"}, false) == 15);
}

TEST_CASE("the playbook's states under ZeRO and tensor parallelism are rounded to halves of a GiB before they are cut",
          "[footprint]") {
    CHECK(agreeing({"zero3_memoryusage", "tp_memoryusage", "tp_sp_memoryusage"}, false) == 30);
}
