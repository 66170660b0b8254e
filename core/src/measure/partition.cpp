#include "partition.hpp"

#include <algorithm>
#include <limits>

#include <shardlab/measure/fit.hpp>

namespace shardlab::measure {
namespace {

constexpr auto fewest = static_cast<std::size_t>(fewest_points_of_regime);

/// The lines of all runs of points.
class Lines {
public:
    explicit Lines(std::span<const Measurement> points) : size_(points.size()), fits_(size_ * (size_ + 1)) {
        for (std::size_t first = 0; first + fewest <= size_; ++first) {
            std::size_t pivot = fewest / 2;
            for (std::size_t end = first + fewest; end <= size_; ++end) {
                LineFit& fit = fits_[first * (size_ + 1) + end];
                fit = fit_line(points.subspan(first, end - first), pivot);
                pivot = fit.pivot;
            }
        }
    }

    const LineFit& of(std::size_t first, std::size_t end) const { return fits_[first * (size_ + 1) + end]; }

private:
    std::size_t size_;
    std::vector<LineFit> fits_;
};

/// Where the last part of the best partition of the first `end` points begins.
struct Cut {
    double error = std::numeric_limits<double>::max();
    std::size_t first = 0;
};

/// cuts[k][end] is the last part of the best partition of the first `end` points into k + 1 parts.
using Cuts = std::vector<std::vector<Cut>>;

Cut best_cut(const std::vector<Cut>& before, const Lines& lines, std::size_t parts_before, std::size_t end) {
    Cut best;
    for (std::size_t first = parts_before * fewest; first + fewest <= end; ++first) {
        const double error = before[first].error + lines.of(first, end).error;
        if (error < best.error) {
            best = {.error = error, .first = first};
        }
    }
    return best;
}

Cuts cuts_of(const Lines& lines, std::size_t points, std::size_t most) {
    Cuts cuts(most, std::vector<Cut>(points + 1));
    for (std::size_t end = fewest; end <= points; ++end) {
        cuts[0][end] = {.error = lines.of(0, end).error, .first = 0};
    }
    for (std::size_t part = 1; part < most; ++part) {
        for (std::size_t end = (part + 1) * fewest; end <= points; ++end) {
            cuts[part][end] = best_cut(cuts[part - 1], lines, part, end);
        }
    }
    return cuts;
}

Partition partition_at(const Cuts& cuts, const Lines& lines, std::size_t points, std::size_t last_part) {
    Partition partition{.parts = std::vector<Part>(last_part + 1), .error = cuts[last_part][points].error};
    std::size_t end = points;
    for (std::size_t part = last_part + 1; part-- > 0;) {
        const std::size_t first = cuts[part][end].first;
        partition.parts[part] = {.first = first, .count = end - first, .fit = lines.of(first, end)};
        end = first;
    }
    return partition;
}

}  // namespace

std::vector<Partition> best_partitions(std::span<const Measurement> points, int most) {
    if (points.size() < fewest) {
        const LineFit fit = fit_line(points, 0);
        return {{.parts = {{.first = 0, .count = points.size(), .fit = fit}}, .error = fit.error}};
    }
    const Lines lines(points);
    const std::size_t parts = std::min(static_cast<std::size_t>(most), points.size() / fewest);
    const Cuts cuts = cuts_of(lines, points.size(), parts);
    std::vector<Partition> partitions;
    for (std::size_t last_part = 0; last_part < parts; ++last_part) {
        partitions.push_back(partition_at(cuts, lines, points.size(), last_part));
    }
    return partitions;
}

}  // namespace shardlab::measure
