#pragma once

#include <algorithm>
#include <vector>

namespace shardlab::mpi {

/// Of an even number of values the mean of the two in the middle; there must be one.
inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

}  // namespace shardlab::mpi
