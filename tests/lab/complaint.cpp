#include "complaint.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace lab_test {

namespace {

/// How often each rank's contribution is in a sum.
using Counts = std::vector<int>;

/// Combinations of contributions that are tried at most before a wrong sum is left unexplained.
constexpr double most_combinations = 70000;

double sum_of(const std::vector<double>& parts, const Counts& counts) {
    double sum = 0;
    for (std::size_t r = 0; r < parts.size(); ++r) sum += counts[r] * parts[r];
    return sum;
}

/// Moves on to the next combination of counts from 0 to `most`; false after the last.
bool next(Counts& counts, int most) {
    for (int& count : counts) {
        if (count < most) {
            ++count;
            return true;
        }
        count = 0;
    }
    return false;
}

/// The only combination with counts from 0 to `most` whose sum is `value`; empty if there is none or another one.
Counts only_combination(double value, const std::vector<double>& parts, int most, double tolerance) {
    Counts found;
    Counts counts(parts.size(), 0);
    do {
        if (std::abs(sum_of(parts, counts) - value) > tolerance) continue;
        if (!found.empty()) return {};
        found = counts;
    } while (next(counts, most));
    return found;
}

std::string plural(const std::vector<int>& ranks, const char* one, const char* many) {
    return contributions(ranks) + (ranks.size() == 1 ? one : many);
}

}  // namespace

std::string text(double value) {
    char buffer[40];
    if (std::abs(value) < 1e15 && std::floor(value) == value) {
        std::snprintf(buffer, sizeof buffer, "%.0f", value);
        return buffer;
    }
    for (int digits = 1; digits <= 17; ++digits) {
        std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
        if (std::strtod(buffer, nullptr) == value) break;
    }
    return buffer;
}

std::string counted(double count, const char* noun, const char* ending) {
    return text(count) + " " + noun + (count == 1 ? "" : ending);
}

Chunk chunk(std::size_t elements, int chunks, int index) {
    const auto parts = static_cast<std::size_t>(chunks);
    const auto i = static_cast<std::size_t>(index);
    const std::size_t longer = elements % parts;
    const std::size_t count = elements / parts;
    return {index, i * count + std::min(i, longer), count + (i < longer ? 1 : 0)};
}

Chunk chunk_of(std::size_t elements, int chunks, std::size_t element) {
    int index = 0;
    while (element >= chunk(elements, chunks, index).first + chunk(elements, chunks, index).count) ++index;
    return chunk(elements, chunks, index);
}

std::string contributions(const std::vector<int>& ranks) {
    std::string sentence;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (i > 0) sentence += i + 1 == ranks.size() ? " and " : ", ";
        sentence += "rank " + std::to_string(ranks[i]) + "'s";
    }
    return sentence + (ranks.size() == 1 ? " contribution" : " contributions");
}

std::string explain_sum(double value, const std::vector<double>& parts, double tolerance) {
    const auto ranks = static_cast<double>(parts.size());
    const int most = std::pow(3, ranks) <= most_combinations ? 2 : 1;
    if (std::pow(most + 1, ranks) > most_combinations) return {};
    const Counts counts = only_combination(value, parts, most, tolerance);
    if (counts.empty()) return {};

    std::vector<int> missing;
    std::vector<int> twice;
    for (std::size_t r = 0; r < counts.size(); ++r) {
        if (counts[r] == 0) missing.push_back(static_cast<int>(r));
        if (counts[r] == 2) twice.push_back(static_cast<int>(r));
    }
    std::string sentence;
    if (!missing.empty()) sentence = plural(missing, " is missing", " are missing");
    if (!missing.empty() && !twice.empty()) sentence += ", ";
    if (!twice.empty()) sentence += plural(twice, " is counted twice", " are counted twice");
    return sentence;
}

MatrixDifference first_difference(const lab::Rows& got, const lab::Rows& expected, const MatrixWords& words,
                                  double tolerance) {
    if (got.size() != expected.size()) {
        return {std::string(words.matrix) + " has " + std::to_string(got.size()) + " rows, must have " +
                std::to_string(expected.size()) + ": one for each " + words.row};
    }
    for (std::size_t r = 0; r < expected.size(); ++r) {
        const std::string where = std::string(words.row) + " " + std::to_string(r);
        if (got[r].size() != expected[r].size()) {
            return {where + ": the row has " + std::to_string(got[r].size()) + " numbers, must have " +
                    std::to_string(expected[r].size()) + ": one for each " + words.column};
        }
        for (std::size_t c = 0; c < expected[r].size(); ++c) {
            // Negated, so that a NaN is a difference too.
            if (std::abs(got[r][c] - expected[r][c]) <= tolerance) continue;
            return {where + ", " + words.column + " " + std::to_string(c) + ": is " + text(got[r][c]) + ", must be " +
                        text(expected[r][c]),
                    true, r, c};
        }
    }
    return {};
}

Complaint wrong_number(const std::string& what, double got, double expected, double relative) {
    if (std::abs(got - expected) <= relative * std::abs(expected)) return {};
    return what + " is " + text(got) + ", must be " + text(expected);
}

}  // namespace lab_test
