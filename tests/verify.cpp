#include <cmath>
#include <set>
#include <string>
#include <variant>

#include <shardlab/verify.hpp>

#include "catch.hpp"
#include "refusal.hpp"

using namespace shardlab;

TEST_CASE("every cell of every published table agrees, or differs for a reason that is named", "[verify]") {
    for (const std::string_view id : published_tables()) {
        const VerifiedTable table = verify(id);
        for (const VerifiedCell& cell : table.cells) {
            INFO(id << ' ' << cell.id << ": " << table.derivations[cell.derivation].formula);
            CHECK(cell.verdict != Verdict::differs);
        }
    }
}

TEST_CASE("a table says where it stands and how each cell is computed", "[verify]") {
    CHECK(published_tables().size() == 14);
    for (const std::string_view id : published_tables()) {
        CAPTURE(id);
        const VerifiedTable table = verify(id);
        CHECK(table.id == id);
        CHECK_FALSE(table.title.empty());
        CHECK_FALSE(table.row_header.empty());
        CHECK_FALSE(table.source.title.empty());
        CHECK_FALSE(table.source.place.empty());
        CHECK(table.source.address.rfind("https://", 0) == 0);
        for (const Derivation& derivation : table.derivations) {
            CHECK_FALSE(derivation.formula.empty());
            CHECK_FALSE(derivation.tolerance.empty());
        }
        std::set<std::string> ids;
        for (const VerifiedCell& cell : table.cells) {
            CHECK(ids.insert(cell.id).second);
            REQUIRE(cell.row < table.rows.size());
            REQUIRE(cell.column < table.columns.size());
            REQUIRE(cell.derivation < table.derivations.size());
            CHECK(cell.tolerance >= 0);
        }
        const VerifiedCounts counts = table.counts();
        CHECK(counts.cells == table.cells.size());
        CHECK(counts.agree + counts.known_differences == counts.cells);
        CHECK(counts.agree_under_assumption <= counts.agree);
    }
}

TEST_CASE("a published table has a cell for every number that is computed", "[verify]") {
    const auto cells = [](const char* table) { return verify(table).cells.size(); };
    CHECK(cells("zero_table1") == 18);
    CHECK(cells("zero_table2") == 20);
    CHECK(cells("korthikanti_table3_5") == 12);
    CHECK(cells("korthikanti_text") == 6);
    CHECK(cells("ultrascale_memory") == 216);
    CHECK(cells("ultrascale_bubble") == 24);
    CHECK(cells("zero_bubble_table5") == 48);
    CHECK(cells("mleng_worked_example") == 5);
    CHECK(cells("nccl_double_binary_tree") == 624);
    CHECK(cells("nccl_tuning_printed") == 12);
    CHECK(cells("nccl_tests_allreduce_runs") == 328);
}

TEST_CASE("the cells that differ are those of four tables", "[verify]") {
    const auto differing = [](const char* table) { return verify(table).counts().known_differences; };
    CHECK(differing("zero_table2") == 7);
    CHECK(differing("ultrascale_bubble") == 9);
    CHECK(differing("zb1p_2rank_2stagep_compute") == 2);
    CHECK(differing("zero_bubble_table5") == 11);
}

TEST_CASE("a cell is printed as its source prints it, zeros and all", "[verify]") {
    const auto printed = [](const char* table, const char* id) {
        for (const VerifiedCell& cell : verify(table).cells) {
            if (cell.id == id) {
                return cell.printed;
            }
        }
        return std::string("no such cell");
    };
    CHECK(printed("korthikanti_table3_5", "22b.throughput-increase") == "29.0");
    CHECK(printed("ultrascale_memory", "memusage-activations-8b-1024-tokens.weights") == "25.979034423828125");
    CHECK(printed("mleng_worked_example", "flat-ring-one-card.time") == "166.4");
    CHECK(printed("dualpipev_4rank_10mb", "rank-0.slot-1") == "0F0");
    for (const std::string_view id : published_tables()) {
        for (const VerifiedCell& cell : verify(id).cells) {
            CAPTURE(id, cell.id);
            const double* const number = std::get_if<double>(&cell.expected);
            CHECK((number != nullptr ? std::stod(cell.printed) == *number
                                     : cell.printed == std::get<std::string>(cell.expected)));
        }
    }
}

TEST_CASE("two values agree within a tolerance, and words if they are the same", "[verify]") {
    const Derivation must_agree{.formula = "x", .tolerance = "y"};
    const Derivation excused{.formula = "x", .tolerance = "y", .known_difference = "z"};
    CHECK(compared(41.3, 41.25, 0.05, must_agree) == Verdict::agrees);
    CHECK(compared(41.3, 41.2499, 0.05, must_agree) == Verdict::differs);
    CHECK(compared(41.3, 41.2499, 0.05, excused) == Verdict::known_difference);
    CHECK(compared(7.0, 7.0, 0, excused) == Verdict::agrees);
    CHECK(compared(7.0, 7.0000001, 0, must_agree) == Verdict::differs);
    CHECK(compared("0F0", "0F0", 0, must_agree) == Verdict::agrees);
    CHECK(compared("0F0", "0F1", 9, must_agree) == Verdict::differs);
    CHECK(compared(0.0, "0F0", 9, must_agree) == Verdict::differs);
}

TEST_CASE("a difference is got less expected, over expected, and words have none", "[verify]") {
    const auto cell = [](const PublishedValue& expected, const PublishedValue& got) {
        return VerifiedCell{.id = "cell", .expected = expected, .printed = {}, .got = got};
    };
    CHECK(cell(-4.0, -5.0).difference() == -1.0);
    CHECK(cell(-4.0, -5.0).relative_difference() == -0.25);
    CHECK(cell(0.0, -5.0).difference() == -5.0);
    CHECK_FALSE(cell(0.0, -5.0).relative_difference());
    CHECK_FALSE(cell(0.0, "0F0").difference());
    CHECK_FALSE(cell(0.0, "0F0").relative_difference());
}

TEST_CASE("a table that is not carried is refused", "[verify]") {
    require_refused("table", "gpipe", [] { verify("gpipe"); });
    require_refused("table", "", [] { published_csv(""); });
    CHECK(published_csv("zero_table1").rfind("params_B,dp_degree,stage,paper_GB,source\n", 0) == 0);
}
