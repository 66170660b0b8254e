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

/// How many times a rank's gradient counts.
int times_counted(const std::optional<TrainingFault>& fault, std::size_t rank) {
    if (!fault || fault->rank != static_cast<int>(rank)) {
        return 1;
    }
    switch (fault->kind) {
        case TrainingFaultKind::drop:
            return 0;
        case TrainingFaultKind::duplicated:
            return 2;
        case TrainingFaultKind::miss_gather:
            break;
    }
    return 1;
}

}  // namespace

Group::Group(const TrainingOptions& options, std::span<const double> initial_parameters)
    : options_(options),
      elements_(initial_parameters.size()),
      reduce_(shards(1) ? ring_reduce_scatter_schedule(options.ranks, static_cast<double>(elements_))
                        : ring_all_reduce_schedule(options.ranks, static_cast<double>(elements_))),
      gather_(ring_all_gather_schedule(options.ranks, static_cast<double>(elements_))),
      ranks_(static_cast<std::size_t>(options.ranks)),
      gradients_(zeros("ranks", options.ranks, static_cast<double>(elements_))),
      parameters_(gradients_),
      bytes_sent_(ranks_.size()) {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        const std::span<const double> held = part(initial_parameters, kept(rank, shards(3)));
        ranks_[rank].parameters.assign(held.begin(), held.end());
        ranks_[rank].gradients.resize(static_cast<std::size_t>(kept(rank, shards(2)).count));
        ranks_[rank].optimizer = Optimizer(options.optimizer, static_cast<std::size_t>(kept(rank, shards(1)).count));
        ranks_[rank].first_row = static_cast<std::size_t>(rows_);
        rows_ += options.batches[rank];
    }
}

double Group::step(int index, const Batch& batch) {
    std::fill(bytes_sent_.begin(), bytes_sent_.end(), 0.0);
    const double loss = compute_gradients(index, batch);
    reduce_gradients(index);
    step_parameters();
    if (shards(1) && !shards(3)) {
        gather_parameters(index);
        keep_gathered();
    }
    return loss;
}

bool Group::misses_gather(int index) const {
    return options_.fault && options_.fault->kind == TrainingFaultKind::miss_gather && options_.fault->step == index;
}

std::vector<double> Group::row_at_fault(const Matrix& buffers) const {
    const std::span<const double> held = row(buffers, static_cast<std::size_t>(options_.fault->rank));
    return {held.begin(), held.end()};
}

/// Puts what the faulty rank had, if anything, in place of what it got.
void Group::put_back(std::span<const double> old, Matrix& buffers) const {
    if (!old.empty()) {
        std::copy(old.begin(), old.end(), row(buffers, static_cast<std::size_t>(options_.fault->rank)).begin());
    }
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

MatrixView<double> Group::rows_at(std::size_t rank, const Matrix& batch) const {
    return rows_of(view(batch), ranks_[rank].first_row, static_cast<std::size_t>(options_.batches[rank]));
}

void Group::run(const CollectiveSchedule& schedule, Matrix& buffers) {
    const std::vector<double> sent = execute(schedule, buffers).bytes_sent_per_rank();
    std::transform(sent.begin(), sent.end(), bytes_sent_.begin(), bytes_sent_.begin(),
                   [](double bytes, double sum) { return sum + bytes; });
}

/// Forward and backward of every rank on its own rows; at stage 3 with parameters that are gathered for each.
double Group::compute_gradients(int index, const Batch& batch) {
    std::vector<MlpActivations> activations(ranks_.size());
    double loss = 0;
    if (shards(3)) {
        gather_parameters(index);
    }
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        activations[rank] = mlp_forward(options_.shape, weights(rank), rows_at(rank, batch.inputs));
        loss += options_.batches[rank] * mean_squared_loss(activations[rank].outputs, rows_at(rank, batch.targets));
    }
    if (shards(3)) {
        gather_parameters(index);
    }
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        contribute(rank, mlp_backward(options_.shape, weights(rank), rows_at(rank, batch.inputs), activations[rank],
                                      rows_at(rank, batch.targets)));
    }
    return loss / rows_;
}

/// Puts a rank's gradient where it is reduced, weighted by its rows and spoilt by a fault.
void Group::contribute(std::size_t rank, std::span<const double> gradient) {
    const double weight = options_.weighted ? options_.ranks * options_.batches[rank] / rows_ : 1;
    const double factor = weight * times_counted(options_.fault, rank);
    std::transform(gradient.begin(), gradient.end(), row(gradients_, rank).begin(),
                   [factor](double value) { return factor * value; });
}

/// The mean of the ranks' gradients, as far as each rank keeps it.
void Group::reduce_gradients(int index) {
    // Whoever misses the all-gather of an all-reduce is left with what the reduce-scatter left.
    std::vector<double> left;
    if (misses_gather(index) && !shards(1)) {
        Matrix scattered = gradients_;
        execute(reduce_, scattered, options_.ranks - 1);
        left = row_at_fault(scattered);
    }
    run(reduce_, gradients_);
    put_back(left, gradients_);
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        const std::span<const double> sums =
            part(std::span<const double>(row(gradients_, rank)), kept(rank, shards(2)));
        std::transform(sums.begin(), sums.end(), ranks_[rank].gradients.begin(),
                       [this](double sum) { return sum / options_.ranks; });
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
    const std::vector<double> old = misses_gather(index) ? row_at_fault(parameters_) : std::vector<double>();
    run(gather_, parameters_);
    put_back(old, parameters_);
}

/// Where ranks keep all parameters.
void Group::keep_gathered() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
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

std::vector<HeldElements> Group::held() const {
    std::vector<HeldElements> held(ranks_.size());
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        held[rank] = {.parameter_elements = static_cast<double>(ranks_[rank].parameters.size()),
                      .gradient_elements = static_cast<double>(ranks_[rank].gradients.size()),
                      .optimizer_elements = static_cast<double>(ranks_[rank].optimizer.state_elements())};
    }
    return held;
}

}  // namespace shardlab::data_parallel
