#include <algorithm>
#include <utility>

#include <shardlab/data_parallel/average.hpp>
#include <shardlab/errors.hpp>

namespace shardlab {
namespace {

Vector mean_in_one_place(const Matrix& gradients) {
    Vector mean = Vector::from_shape({gradients.shape(1)});
    std::fill(mean.begin(), mean.end(), 0.0);
    for (std::size_t rank = 0; rank < gradients.shape(0); ++rank) {
        const std::span<const double> gradient = row(gradients, rank);
        std::transform(gradient.begin(), gradient.end(), mean.begin(), mean.begin(),
                       [](double value, double sum) { return sum + value; });
    }
    const auto ranks = static_cast<double>(gradients.shape(0));
    std::transform(mean.begin(), mean.end(), mean.begin(), [ranks](double sum) { return sum / ranks; });
    return mean;
}

Vector divided_sum(const Matrix& sums) {
    Vector average = Vector::from_shape({sums.shape(1)});
    const auto ranks = static_cast<double>(sums.shape(0));
    const std::span<const double> sum = row(sums, 0);
    std::transform(sum.begin(), sum.end(), average.begin(), [ranks](double value) { return value / ranks; });
    return average;
}

}  // namespace

GradientAverage data_parallel_gradient_average(const Matrix& gradients) {
    AllReduce summed = [&] {
        try {
            return ring_all_reduce(gradients);
        } catch (const invalid_argument& error) {
            const std::string parameter = error.parameter() == "buffers" ? "gradients" : error.parameter();
            throw invalid_argument(parameter, error.value(), error.rule());
        }
    }();
    GradientAverage result{.average = divided_sum(summed.buffers),
                           .serial_mean = mean_in_one_place(gradients),
                           .max_abs_difference = 0,
                           .ledger = std::move(summed.ledger)};
    result.max_abs_difference = max_abs_difference(elements(result.average), elements(result.serial_mean));
    return result;
}

}  // namespace shardlab
