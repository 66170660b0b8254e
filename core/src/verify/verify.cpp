#include <algorithm>
#include <array>
#include <cmath>

#include <shardlab/errors.hpp>
#include <shardlab/verify.hpp>

#include "published_tables.hpp"
#include "recomputations.hpp"

namespace shardlab {
namespace {

struct Carried {
    std::string_view id;
    std::string_view csv;
    VerifiedTable (*recompute)(std::string_view csv);
};

constexpr std::array carried = {
    Carried{"zero_table1", published::zero_table1, verifying::zero_table1},
    Carried{"zero_table2", published::zero_table2, verifying::zero_table2},
    Carried{"korthikanti_table3_5", published::korthikanti_table3_5, verifying::korthikanti_table3_5},
    Carried{"korthikanti_text", published::korthikanti_text, verifying::korthikanti_text},
    Carried{"model_params", published::model_params, verifying::model_params},
    Carried{"ultrascale_memory", published::ultrascale_memory, verifying::ultrascale_memory},
    Carried{"ultrascale_bubble", published::ultrascale_bubble, verifying::ultrascale_bubble},
    Carried{"zero_bubble_table5", published::zero_bubble_table5, verifying::zero_bubble_table5},
    Carried{"dualpipev_4rank_10mb", published::dualpipev_4rank_10mb, verifying::dualpipev_4rank_10mb},
    Carried{"zb1p_2rank_2stagep_compute", published::zb1p_2rank_2stagep_compute, verifying::zb1p_2rank_2stagep_compute},
    Carried{"mleng_worked_example", published::mleng_worked_example, verifying::mleng_worked_example},
    Carried{"nccl_double_binary_tree", published::nccl_double_binary_tree, verifying::nccl_double_binary_tree},
    Carried{"nccl_tuning_printed", published::nccl_tuning_printed, verifying::nccl_tuning_printed},
    Carried{"nccl_tests_allreduce_runs", published::nccl_tests_allreduce_runs, verifying::nccl_tests_allreduce_runs},
};

const Carried& carried_table(std::string_view id) {
    const auto* const found =
        std::find_if(carried.begin(), carried.end(), [&](const Carried& table) { return table.id == id; });
    if (found == carried.end()) {
        std::string ids;
        for (const Carried& table : carried) {
            ids += (ids.empty() ? "" : ", ") + std::string(table.id);
        }
        throw invalid_argument("table", std::string(id), "be one of " + ids);
    }
    return *found;
}

std::optional<double> difference_of(const PublishedValue& expected, const PublishedValue& got) {
    const double* const printed = std::get_if<double>(&expected);
    const double* const computed = std::get_if<double>(&got);
    return printed != nullptr && computed != nullptr ? std::optional(*computed - *printed) : std::nullopt;
}

}  // namespace

const char* name(Verdict verdict) {
    constexpr std::array names = {"agrees", "known-difference", "differs"};
    return names.at(static_cast<std::size_t>(verdict));
}

Verdict compared(const PublishedValue& expected, const PublishedValue& got, double tolerance,
                 const Derivation& derivation) {
    constexpr double of_rounding = 1e-9;
    const std::optional<double> off = difference_of(expected, got);
    const bool agrees = off ? std::abs(*off) <= tolerance * (1 + of_rounding) : expected == got;
    const bool excused = !derivation.known_difference.empty();
    return agrees ? Verdict::agrees : excused ? Verdict::known_difference : Verdict::differs;
}

std::optional<double> VerifiedCell::difference() const {
    return difference_of(expected, got);
}

std::optional<double> VerifiedCell::relative_difference() const {
    const std::optional<double> absolute = difference();
    const bool comparable = absolute && std::get<double>(expected) != 0;
    return comparable ? std::optional(*absolute / std::abs(std::get<double>(expected))) : std::nullopt;
}

VerifiedCounts& VerifiedCounts::operator+=(const VerifiedCounts& other) {
    cells += other.cells;
    agree += other.agree;
    agree_under_assumption += other.agree_under_assumption;
    known_differences += other.known_differences;
    differ += other.differ;
    return *this;
}

VerifiedCounts VerifiedTable::counts() const {
    VerifiedCounts counts;
    for (const VerifiedCell& cell : cells) {
        const bool agrees = cell.verdict == Verdict::agrees;
        const bool assumed = agrees && !derivations[cell.derivation].assumption.empty();
        counts += {.cells = 1,
                   .agree = agrees ? 1U : 0U,
                   .agree_under_assumption = assumed ? 1U : 0U,
                   .known_differences = cell.verdict == Verdict::known_difference ? 1U : 0U,
                   .differ = cell.verdict == Verdict::differs ? 1U : 0U};
    }
    return counts;
}

const std::vector<std::string_view>& published_tables() {
    static const std::vector<std::string_view> ids = [] {
        std::vector<std::string_view> list;
        list.reserve(std::size(carried));
        for (const Carried& table : carried) {
            list.emplace_back(table.id);
        }
        return list;
    }();
    return ids;
}

std::string_view published_csv(std::string_view table) {
    return carried_table(table).csv;
}

VerifiedTable verify(std::string_view table) {
    const Carried& found = carried_table(table);
    VerifiedTable result = found.recompute(found.csv);
    result.id = found.id;
    return result;
}

}  // namespace shardlab
