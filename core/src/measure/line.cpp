#include "line.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace shardlab::measure {
namespace {

double sum_of_errors(std::span<const Measurement> points, const Line& line) {
    double sum = 0;
    for (const Measurement& point : points) {
        sum += relative_error(line.seconds(point.bytes), point.seconds);
    }
    return sum;
}

/// A value with its weight, and the point that it comes from.
struct Weighted {
    double value;
    double weight;
    std::size_t point;
};

/// The value that has half of the weight on either side.
Weighted median(std::vector<Weighted>& values) {
    std::sort(values.begin(), values.end(), [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
    double whole = 0;
    for (const Weighted& value : values) {
        whole += value.weight;
    }
    double below = 0;
    for (const Weighted& value : values) {
        below += value.weight;
        if (below >= whole / 2) {
            return value;
        }
    }
    return values.back();
}

/// Turns a line until no point that it goes through gives a better one.
class Descent {
public:
    Descent(std::span<const Measurement> points, std::size_t pivot) : points_(points) {
        best_ = turned_about(std::min(pivot, points.size() - 1));
    }

    LineFit run() {
        while (turn_about(best_.pivot) || turn_about_any_on_line()) {
        }
        return best_;
    }

private:
    bool consider(const LineFit& candidate) {
        // Rounding must not be mistaken for a descent, or the loop might never end.
        constexpr double of_rounding = 1e-12;
        if (candidate.error >= best_.error * (1 - of_rounding)) {
            return false;
        }
        best_ = candidate;
        return true;
    }

    bool turn_about(std::size_t pivot) { return consider(turned_about(pivot)); }

    /// More than two points on the line may each lead further, and so may a latency of 0.
    bool turn_about_any_on_line() {
        if (consider(turned_about_origin()) || consider(levelled())) {
            return true;
        }
        const Slope slope = slope_of_sum();
        return std::any_of(on_line_.begin(), on_line_.end(),
                           [&](std::size_t pivot) { return falls_about(pivot, slope) && turn_about(pivot); });
    }

    /// How the errors of the points beside the line grow with its latency and with its slope.
    struct Slope {
        double by_latency = 0;
        double by_slope = 0;
    };

    /// Also gathers the points on the line.
    Slope slope_of_sum() {
        constexpr double on_line = 1e-9;
        Slope slope;
        on_line_.clear();
        for (std::size_t index = 0; index < points_.size(); ++index) {
            const Measurement& point = points_[index];
            const double off = best_.line.seconds(point.bytes) - point.seconds;
            if (std::abs(off) <= on_line * point.seconds) {
                on_line_.push_back(index);
            } else {
                slope.by_latency += (off > 0 ? 1 : -1) / point.seconds;
                slope.by_slope += (off > 0 ? 1 : -1) * point.bytes / point.seconds;
            }
        }
        return slope;
    }

    /// Whether the line turned about a point gains more beside it than it loses at the other points on it.
    bool falls_about(std::size_t pivot, const Slope& slope) const {
        const double arm = points_[pivot].bytes;
        double lost = 0;
        for (const std::size_t index : on_line_) {
            lost += std::abs(points_[index].bytes - arm) / points_[index].seconds;
        }
        return std::abs(slope.by_slope - arm * slope.by_latency) > lost;
    }

    /// The best line through a point.
    LineFit turned_about(std::size_t pivot) {
        const Measurement& fixed = points_[pivot];
        values_.clear();
        for (std::size_t index = 0; index < points_.size(); ++index) {
            const double distance = points_[index].bytes - fixed.bytes;
            if (index != pivot) {
                values_.push_back({.value = (points_[index].seconds - fixed.seconds) / distance,
                                   .weight = std::abs(distance) / points_[index].seconds,
                                   .point = index});
            }
        }
        const Weighted slope = values_.empty() ? Weighted{0, 1, pivot} : median(values_);
        Line line;
        line.seconds_per_byte = std::clamp(slope.value, 0.0, fixed.seconds / fixed.bytes);
        line.latency = std::max(0.0, fixed.seconds - line.seconds_per_byte * fixed.bytes);
        return fit_of(line, slope.point);
    }

    /// The best line with a latency of 0.
    LineFit turned_about_origin() {
        values_.clear();
        for (std::size_t index = 0; index < points_.size(); ++index) {
            values_.push_back({.value = points_[index].seconds / points_[index].bytes,
                               .weight = points_[index].bytes / points_[index].seconds,
                               .point = index});
        }
        const Weighted slope = median(values_);
        return fit_of({.latency = 0, .seconds_per_byte = slope.value}, slope.point);
    }

    /// The best line with a slope of 0.
    LineFit levelled() {
        values_.clear();
        for (std::size_t index = 0; index < points_.size(); ++index) {
            values_.push_back({.value = points_[index].seconds, .weight = 1 / points_[index].seconds, .point = index});
        }
        const Weighted latency = median(values_);
        return fit_of({.latency = latency.value, .seconds_per_byte = 0}, latency.point);
    }

    LineFit fit_of(const Line& line, std::size_t pivot) const {
        return {.line = line, .error = sum_of_errors(points_, line), .pivot = pivot};
    }

    std::span<const Measurement> points_;
    std::vector<Weighted> values_;
    std::vector<std::size_t> on_line_;
    LineFit best_;
};

}  // namespace

double relative_error(double fitted, double measured) {
    return std::abs(fitted - measured) / measured;
}

LineFit fit_line(std::span<const Measurement> points, std::size_t pivot) {
    return Descent(points, pivot).run();
}

}  // namespace shardlab::measure
