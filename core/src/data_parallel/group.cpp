#include "group.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace shardlab::data_parallel {
namespace {

/// The part of a vector that a chunk names.
template <typename T>
std::span<T> part(std::span<T> values, Chunk chunk) {
    return values.subspan(static_cast<std::size_t>(chunk.offset), static_cast<std::size_t>(chunk.count));
}

/// The rows of one rank: those after the rows of the ranks before it.
class RowsOfRanks {
public:
    explicit RowsOfRanks(const Batch& batch) : batch_(batch) {}

    /// The next rank's.
    std::pair<MatrixView<double>, MatrixView<double>> next(int rows) {
        const auto count = static_cast<std::size_t>(rows);
        const std::size_t first = std::exchange(first_, first_ + count);
        return {rows_of(view(batch_.inputs), first, count), rows_of(view(batch_.targets), first, count)};
    }

private:
    const Batch& batch_;
    std::size_t first_ = 0;
};

}  // namespace

Group::Group(TrainingOptions options, std::span<const double> initial_parameters)
    : options_(std::move(options)),
      elements_(initial_parameters.size()),
      all_reduce_(ring_all_reduce_schedule(options_.ranks, static_cast<double>(elements_))),
      reduce_scatter_(ring_reduce_scatter_schedule(options_.ranks, static_cast<double>(elements_))),
      all_gather_(ring_all_gather_schedule(options_.ranks, static_cast<double>(elements_))),
      gradients_(zeros("ranks", options_.ranks, static_cast<double>(elements_))),
      parameters_(shards(1) ? gradients_ : Matrix()),
      bytes_sent_(static_cast<std::size_t>(options_.ranks)) {
    for (std::size_t rank = 0; rank < bytes_sent_.size(); ++rank) {
        const std::span<const double> held = part(initial_parameters, kept(rank, shards(3)));
        const auto gradients = static_cast<std::size_t>(kept(rank, shards(2)).count);
        const auto stepped = static_cast<std::size_t>(kept(rank, shards(1)).count);
        ranks_.push_back({.parameters = {held.begin(), held.end()},
                          .gradients = std::vector<double>(gradients),
                          .optimizer = Optimizer(options_.optimizer, stepped)});
        rows_ += options_.batches[rank];
    }
}

double Group::step(int index, const Batch& batch) {
    std::fill(bytes_sent_.begin(), bytes_sent_.end(), 0.0);
    const double loss = compute_gradients(index, batch);
    reduce_gradients(index);
    step_parameters();
    if (shards(1) && !shards(3)) {
        gather_parameters(index);
    }
    return loss;
}

bool Group::misses_gather(int index) const {
    return options_.fault && options_.fault->kind == TrainingFaultKind::miss_gather && options_.fault->step == index;
}

Chunk Group::shard(std::size_t rank) const {
    return chunk(elements_, options_.ranks, static_cast<int>(rank));
}

Chunk Group::kept(std::size_t rank, bool sharded) const {
    return sharded ? shard(rank) : Chunk{.offset = 0, .count = elements_};
}

std::span<const double> Group::weights(std::size_t rank) const {
    return shards(3) ? row(parameters_, rank) : std::span<const double>(ranks_[rank].parameters);
}

void Group::run(const CollectiveSchedule& schedule, Matrix& buffers) {
    const std::vector<double> sent = execute(schedule, buffers).bytes_sent_per_rank();
    std::transform(sent.begin(), sent.end(), bytes_sent_.begin(), bytes_sent_.begin(),
                   [](double bytes, double sum) { return sum + bytes; });
}

/// Forward and backward of every rank on its own rows; at stage 3 with parameters that are gathered for each.
double Group::compute_gradients(int index, const Batch& batch) {
    std::vector<MlpActivations> activations;
    double loss = 0;
    if (shards(3)) {
        gather_parameters(index);
    }
    RowsOfRanks forward_rows(batch);
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        const auto [inputs, targets] = forward_rows.next(options_.batches[rank]);
        activations.push_back(mlp_forward(options_.shape, weights(rank), inputs));
        loss += options_.batches[rank] * mean_squared_loss(activations.back().outputs, targets);
    }
    if (shards(3)) {
        gather_parameters(index);
    }
    RowsOfRanks backward_rows(batch);
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        const auto [inputs, targets] = backward_rows.next(options_.batches[rank]);
        contribute(rank, mlp_backward(options_.shape, weights(rank), inputs, activations[rank], targets));
    }
    return loss / rows_;
}

/// Puts a rank's gradient where it is reduced, weighted by its rows and spoilt by a fault.
void Group::contribute(std::size_t rank, std::span<const double> gradient) {
    double weight = options_.weighted ? options_.ranks * options_.batches[rank] / rows_ : 1;
    if (options_.fault && options_.fault->rank == static_cast<int>(rank)) {
        weight *= options_.fault->kind == TrainingFaultKind::drop         ? 0
                  : options_.fault->kind == TrainingFaultKind::duplicated ? 2
                                                                          : 1;
    }
    std::transform(gradient.begin(), gradient.end(), row(gradients_, rank).begin(),
                   [weight](double value) { return weight * value; });
}

/// The mean of the ranks' gradients, as far as each rank keeps it.
void Group::reduce_gradients(int index) {
    if (shards(1)) {
        run(reduce_scatter_, gradients_);
    } else {
        all_reduce_gradients(index);
    }
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        const std::span<const double> sums =
            part(std::span<const double>(row(gradients_, rank)), kept(rank, shards(2)));
        std::transform(sums.begin(), sums.end(), ranks_[rank].gradients.begin(),
                       [this](double sum) { return sum / options_.ranks; });
    }
}

/// Whoever misses the all-gather is left with what the reduce-scatter left.
void Group::all_reduce_gradients(int index) {
    Matrix scattered;
    if (misses_gather(index)) {
        scattered = gradients_;
        execute(all_reduce_, scattered, options_.ranks - 1);
    }
    run(all_reduce_, gradients_);
    if (misses_gather(index)) {
        const auto rank = static_cast<std::size_t>(options_.fault->rank);
        const std::span<const double> left = row(std::as_const(scattered), rank);
        std::copy(left.begin(), left.end(), row(gradients_, rank).begin());
    }
}

/// Each rank steps all parameters, or its shard.
void Group::step_parameters() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        Rank& held = ranks_[rank];
        // A vector that is a shard begins where the shard does.
        const auto stepped = [&](std::vector<double>& values) {
            const bool whole = values.size() == elements_;
            return whole ? part(std::span<double>(values), kept(rank, shards(1))) : std::span<double>(values);
        };
        held.optimizer.step(stepped(held.parameters), stepped(held.gradients));
    }
}

/// Every rank gets the shards of all others beside its own, but one that misses them.
void Group::gather_parameters(int index) {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        const std::vector<double>& held = ranks_[rank].parameters;
        const std::span<double> place = part(row(parameters_, rank), kept(rank, shards(3)));
        std::copy(held.begin(), held.end(), place.begin());
    }
    std::vector<double> missing;
    if (misses_gather(index)) {
        const std::span<double> old = row(parameters_, static_cast<std::size_t>(options_.fault->rank));
        missing.assign(old.begin(), old.end());
    }
    run(all_gather_, parameters_);
    if (misses_gather(index)) {
        std::copy(missing.begin(), missing.end(),
                  row(parameters_, static_cast<std::size_t>(options_.fault->rank)).begin());
    }
    for (std::size_t rank = 0; rank < ranks_.size() && !shards(3); ++rank) {
        const std::span<const double> gathered = row(std::as_const(parameters_), rank);
        std::copy(gathered.begin(), gathered.end(), ranks_[rank].parameters.begin());
    }
}

double Group::weight_difference(std::span<const double> serial) const {
    double largest = 0;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        largest = std::max(largest, max_abs_difference(ranks_[rank].parameters, part(serial, kept(rank, shards(3)))));
    }
    return largest;
}

double Group::replica_difference() const {
    double largest = 0;
    for (std::size_t i = 0; i < elements_; ++i) {
        double least = weights(0)[i];
        double most = least;
        for (std::size_t rank = 1; rank < ranks_.size(); ++rank) {
            least = std::min(least, weights(rank)[i]);
            most = std::max(most, weights(rank)[i]);
        }
        largest = std::max(largest, most - least);
    }
    return largest;
}

double Group::largest_weight() const {
    double largest = 0;
    for (const Rank& rank : ranks_) {
        for (const double weight : rank.parameters) {
            largest = std::max(largest, std::abs(weight));
        }
    }
    return largest;
}

std::vector<HeldElements> Group::held() const {
    std::vector<HeldElements> held;
    for (const Rank& rank : ranks_) {
        held.push_back({.parameter_elements = static_cast<double>(rank.parameters.size()),
                        .gradient_elements = static_cast<double>(rank.gradients.size()),
                        .optimizer_elements = static_cast<double>(rank.optimizer.state_elements())});
    }
    return held;
}

}  // namespace shardlab::data_parallel
