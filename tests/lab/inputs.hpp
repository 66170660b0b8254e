#pragma once

/// @file
/// Random input that is the same on every platform: the standard fixes the engine's output, not its distributions'.

#include <cstdint>
#include <random>

#include "module.hpp"

namespace lab_test {

class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    /// A whole number from `least` to `most`.
    int integer(int least, int most) {
        const auto span = static_cast<std::uint64_t>(most - least) + 1;
        return least + static_cast<int>(engine_() % span);
    }

    /// A number in [-1, 1).
    double real() { return static_cast<double>(engine_() >> 11U) * 0x1p-52 - 1; }

    /// A matrix of whole numbers from -`most` to `most` in `double`, whose sums are exact.
    lab::Rows integers(int rows, int columns, int most) {
        return matrix(rows, columns, [&] { return static_cast<double>(integer(-most, most)); });
    }

    /// A matrix of numbers in [-1, 1).
    lab::Rows reals(int rows, int columns) {
        return matrix(rows, columns, [&] { return real(); });
    }

private:
    template <typename Draw>
    static lab::Rows matrix(int rows, int columns, Draw draw) {
        lab::Rows result(static_cast<std::size_t>(rows), lab::Tensor(static_cast<std::size_t>(columns)));
        for (auto& row : result) {
            for (double& value : row) value = draw();
        }
        return result;
    }

    std::mt19937_64 engine_;
};

}  // namespace lab_test
