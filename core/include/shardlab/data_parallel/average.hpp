#pragma once

/// @file
/// The gradients of all ranks, averaged.

#include <shardlab/array.hpp>
#include <shardlab/collective.hpp>

namespace shardlab {

/// The averaged gradient and the proof that it is the serial one.
struct GradientAverage {
    Vector average;                 ///< shape (elements): what every rank holds after the all-reduce and the division
    Vector serial_mean;             ///< shape (elements): the mean, summed rank by rank in one place
    double max_abs_difference = 0;  ///< between the two; 0 where the sums are exact, a rounding error elsewhere
    Ledger ledger;                  ///< what the all-reduce sent
};

/// Averages the gradients of all ranks by a ring all-reduce and a division by the number of ranks.
///
/// Equal to the gradient of the whole batch when every rank has as many samples; with unequal batches the mean of
/// means is another number.
/// @param gradients shape (ranks, elements), a row per rank
/// @throws invalid_argument as ring_all_reduce() does, naming gradients
GradientAverage data_parallel_gradient_average(const Matrix& gradients);

}  // namespace shardlab
