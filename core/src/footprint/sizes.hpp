#pragma once

/// @file
/// The sizes of axes that searches try.

#include <algorithm>
#include <vector>

namespace shardlab {

/// The most pipeline stages of which every number is tried. Each is a simulation: of deeper pipelines too many.
inline constexpr int most_stages_one_by_one = 256;

/// The pipeline stages to try above `above`, up to `most`: every number that a model of today has layers for, and
/// beyond these the powers of two and the divisors of the layers.
inline std::vector<int> pipeline_sizes(int layers, int above, double most) {
    std::vector<int> sizes;
    for (int size = above + 1; size <= std::min(most, 1.0 * layers); ++size) {
        if (size <= most_stages_one_by_one || (size & (size - 1)) == 0 || layers % size == 0) {
            sizes.push_back(size);
        }
    }
    return sizes;
}

/// The divisors of a number above `above`, up to `most`.
inline std::vector<int> divisors(int number, int above, double most) {
    std::vector<int> found;
    for (int size = above + 1; size <= std::min(most, 1.0 * number); ++size) {
        if (number % size == 0) {
            found.push_back(size);
        }
    }
    return found;
}

/// The least number from `first` to `last` for which `holds`, by bisection: what holds for a number holds for every
/// larger one.
/// @return 0 where it holds for none; `first` is at least 1
template <typename Holds>
int least(int first, int last, Holds holds) {
    if (first > last || !holds(last)) {
        return 0;
    }
    while (first < last) {
        const int middle = first + (last - first) / 2;
        if (holds(middle)) {
            last = middle;
        } else {
            first = middle + 1;
        }
    }
    return last;
}

}  // namespace shardlab
