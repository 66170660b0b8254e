#pragma once

/// @file
/// Sentences about what is wrong with an answer: where it first goes wrong, what stands there, what must, and, where
/// that can be told, why.

#include <string>
#include <vector>

#include "module.hpp"

namespace lab_test {

/// One sentence; empty if nothing is wrong.
using Complaint = std::string;

/// A number as short as it can be written: a whole one in full, another so that it reads back as itself.
std::string text(double value);

/// `1 rank`, `2 ranks`, `2 micro-batches`.
std::string counted(double count, const char* noun, const char* ending = "s");

/// A chunk of a tensor that is cut into nearly equal parts, the longer ones first.
struct Chunk {
    int index = 0;
    std::size_t first = 0;
    std::size_t count = 0;
};

/// Part `index` of `elements` in `chunks` parts.
Chunk chunk(std::size_t elements, int chunks, int index);

/// The part that has `element`.
Chunk chunk_of(std::size_t elements, int chunks, std::size_t element);

/// What a rank's contribution is called: `rank 0's and rank 3's contributions`.
std::string contributions(const std::vector<int>& ranks);

/// Explains a wrong sum by the ranks' contributions: which of them are missing from it or counted twice.
/// @param tolerance how far a sum of contributions may be from `value` to count as it
/// @return empty if no or more than one combination of contributions makes `value`
std::string explain_sum(double value, const std::vector<double>& parts, double tolerance = 0);

/// How the rows and columns of a matrix are called in a complaint.
struct MatrixWords {
    const char* matrix = "the output";
    const char* row = "output feature";
    const char* column = "sample";
};

/// Where a matrix first differs by more than `tolerance` from what it must be, in shape or in value.
struct MatrixDifference {
    Complaint complaint;  ///< empty if there is none
    bool in_value = false;
    std::size_t row = 0;
    std::size_t column = 0;
};
MatrixDifference first_difference(const lab::Rows& got, const lab::Rows& expected, const MatrixWords& words,
                                  double tolerance = 0);

/// That a number is not what it must be, up to `relative` times that.
Complaint wrong_number(const std::string& what, double got, double expected, double relative = 0);

}  // namespace lab_test

/// Fails the case with a complaint, at the line that made it.
#define REQUIRE_RIGHT(...)                                       \
    do {                                                         \
        const lab_test::Complaint lab_complaint = (__VA_ARGS__); \
        if (lab_complaint.empty()) {                             \
            SUCCEED();                                           \
        } else {                                                 \
            FAIL(lab_complaint);                                 \
        }                                                        \
    } while (false)
