#pragma once

// Seeded random numbers for property tests: the same on every platform, which the standard's distributions are not.

#include <cstdint>
#include <random>

#include <shardlab/array.hpp>

class Random {
public:
    explicit Random(std::uint64_t seed) : generator_(seed) {}

    /// A whole number from least to most.
    int whole(int least, int most) {
        const auto choices = static_cast<std::uint64_t>(most - least) + 1;
        return least + static_cast<int>(generator_() % choices);
    }

    /// A matrix of whole numbers from -magnitude to magnitude, whose sums are exact.
    shardlab::Matrix whole_matrix(int rows, int columns, int magnitude) {
        shardlab::Matrix matrix = shardlab::zeros("matrix", rows, columns);
        for (double& element : matrix) {
            element = whole(-magnitude, magnitude);
        }
        return matrix;
    }

    /// A matrix of numbers that use all 53 bits, so that the order of a sum shows.
    shardlab::Matrix matrix(int rows, int columns) {
        return shardlab::random_matrix(rows, columns, static_cast<double>(generator_() >> 32));
    }

private:
    std::mt19937_64 generator_;
};
