#pragma once

// Compares arrays bit for bit and names the first place where they differ.

#include <string>

#include <shardlab/array.hpp>
#include <shardlab/errors.hpp>

/// Empty if both have one shape and the same elements.
template <typename T>
std::string difference(const shardlab::MatrixOf<T>& a, const shardlab::MatrixOf<T>& b) {
    if (a.shape() != b.shape()) {
        return "the shapes differ";
    }
    for (std::size_t i = 0; i < a.shape(0); ++i) {
        for (std::size_t j = 0; j < a.shape(1); ++j) {
            if (a(i, j) != b(i, j)) {
                return "row " + std::to_string(i) + ", element " + std::to_string(j) + ": " +
                       shardlab::number_text(a(i, j)) + " and " + shardlab::number_text(b(i, j));
            }
        }
    }
    return {};
}
