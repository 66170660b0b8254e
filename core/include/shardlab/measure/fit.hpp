#pragma once

/// @file
/// Latency and bandwidth fitted to measured times.

#include <optional>
#include <vector>

#include <shardlab/measure/runs.hpp>

namespace shardlab {

/// Most regimes: NCCL has three protocols, LL, LL128 and Simple, that hand over from size to size.
inline constexpr int most_regimes = 3;

/// Fewest sizes in a regime: its line has two unknowns, so that with fewer it would fit anything.
inline constexpr int fewest_points_of_regime = 3;

/// Most different sizes that are fitted. The search takes time that grows with their third power.
inline constexpr int most_fitted_sizes = 128;

/// Most different sizes for which each is left out in turn, which takes as many searches.
inline constexpr int most_left_out_sizes = 64;

/// Greatest bandwidth of a fit, that of the fastest link the library knows: above it times grow by rounding alone.
inline constexpr double fastest_fitted_bytes_per_second = 1e18;

/// A contiguous range of sizes in which seconds = latency_seconds + bytes / bytes_per_second, or latency_seconds alone
/// where times do not grow with the size.
struct Regime {
    double from_bytes = 0;       ///< smallest size measured in it
    double to_bytes = 0;         ///< largest size measured in it
    double latency_seconds = 0;  ///< at least 0
    /// Algorithm bandwidth, over 0 and at most fastest_fitted_bytes_per_second; none where times do not grow.
    std::optional<double> bytes_per_second;
    int points = 0;  ///< sizes measured in it
};

/// A size, how long it took and how long the fit says.
struct FittedPoint {
    double bytes = 0;             ///< size of each rank's tensor
    double measured_seconds = 0;  ///< the median, where a size was measured more than once
    double fitted_seconds = 0;    ///< by fitted_seconds()
    double relative_error = 0;    ///< |fitted - measured| / measured
    /// The relative error of a fit made without this size: what the model would have said of it. None above
    /// most_left_out_sizes sizes.
    std::optional<double> left_out_relative_error;
};

/// How far a fit is off over all its sizes.
struct FitError {
    double mean = 0;    ///< what the fit makes smallest
    double median = 0;  ///< of an even number: the mean of the two in the middle
    double p90 = 0;     ///< 90th percentile by nearest rank: the smallest error that at least 90 percent do not exceed
};

/// A fit with its regimes by size, and what they leave.
struct Fit {
    std::vector<Regime> regimes;       ///< by size
    std::vector<FittedPoint> points;   ///< by size
    FitError error;                    ///< of relative_error
    std::optional<FitError> left_out;  ///< of left_out_relative_error
};

/// Fits seconds = latency + bytes / bandwidth in contiguous ranges of size.
///
/// Of all ways to cut the sizes into `regimes` ranges of at least fewest_points_of_regime sizes, with all latencies of
/// at least 0 and no slope below 0, it is the one whose mean relative error is the smallest. Relative, because
/// sizes span nine powers of ten; its mean and not its square, so that one size that was disturbed does not bend the
/// line of the others. The lines are exact (least absolute deviations by pivoting from point to point), the cuts are
/// found by dynamic programming.
/// @param measurements in any order; a size that was measured more than once counts once, with its median
/// @param regimes 1 to most_regimes. Without it, as many as pay for their unknowns by Schwarz's criterion
///        ("Estimating the dimension of a model", Annals of Statistics 6, 1978).
/// @throws invalid_argument naming measurements (fewer than 3 different sizes, more than most_fitted_sizes, or a size
///         or time outside its range), or regimes if there are too few sizes for them
Fit fit_regimes(const std::vector<Measurement>& measurements, std::optional<int> regimes = std::nullopt);

/// What a fit of half of the sizes says of the other half.
struct HeldOut {
    std::vector<Regime> regimes;      ///< of the first, third, ... size
    std::vector<FittedPoint> points;  ///< the second, fourth, ... size, without left_out_relative_error
    FitError error;                   ///< of these
};

/// Fewest different sizes that can be halved.
inline constexpr int fewest_halved_sizes = 2 * fewest_points_of_regime - 1;

/// Fits every other size, from the smallest on, and predicts those between: whether a model that was fitted holds for
/// what it has not seen.
/// @throws invalid_argument as fit_regimes(); measurements must have at least fewest_halved_sizes different sizes
HeldOut predict_held_out(const std::vector<Measurement>& measurements, std::optional<int> regimes = std::nullopt);

/// Seconds that a fit says for a size: by the line of its regime; between two regimes by the straight line that joins
/// them; outside all by the nearest.
/// @throws invalid_argument naming regimes (none, or out of order) or bytes
double fitted_seconds(const std::vector<Regime>& regimes, double bytes);

}  // namespace shardlab
