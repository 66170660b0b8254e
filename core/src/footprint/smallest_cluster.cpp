#include <array>
#include <exception>
#include <optional>

#include <shardlab/errors.hpp>
#include <shardlab/footprint/smallest_cluster.hpp>

#include "sizes.hpp"

namespace shardlab {
namespace {

/// The cheapest request so far.
class Cheapest {
public:
    Cheapest(const ChangeBounds& bounds, InFlightCache& cache) : bounds_(bounds), cache_(cache) {}

    /// Tries a layout of one replica under every ZeRO stage and recomputation.
    void try_layout(const FootprintRequest& layout) {
        for (const Recomputation recompute : {Recomputation::none, Recomputation::selective, Recomputation::full}) {
            for (int zero_stage = 0; zero_stage <= 3; ++zero_stage) {
                FootprintRequest tried = layout;
                tried.recompute = recompute;
                tried.recompute_every = recompute == Recomputation::full ? layout.recompute_every : 1;
                tried.zero_stage = zero_stage;
                try_with_data_parallel(tried);
            }
        }
    }

    /// @throws invalid_argument as the last layout did, where not one could be sized
    std::optional<FootprintRequest> found() const {
        if (!sized_ && refusal_) {
            std::rethrow_exception(refusal_);
        }
        return found_;
    }

private:
    /// Tries a request with the least dp that makes it fit, on no more cards than the best so far.
    void try_with_data_parallel(FootprintRequest request) {
        const int most_replicas = static_cast<int>(most() / request.layout.ranks());
        if (most_replicas < 1) {
            return;
        }
        const auto fits_on = [&](int dp) {
            request.layout.dp = dp;
            return fits(request);
        };
        if (fits_on(1)) {
            take(request);
            return;
        }
        // From two replicas on, more of them never hold more. The first two add what there is to send.
        const int dp = request.zero_stage == 0 ? 0 : least(2, most_replicas, fits_on);
        if (dp > 0) {
            request.layout.dp = dp;
            take(request);
        }
    }

    double most() const { return found_ ? found_->layout.ranks() : bounds_.most_ranks; }

    bool fits(const FootprintRequest& request) {
        try {
            const double bytes = footprint(request, cache_).most_loaded_rank_bytes();
            sized_ = true;
            return bytes <= bounds_.usable_bytes;
        } catch (const invalid_argument&) {
            // Heads, layers or the schedule do not allow this layout.
            refusal_ = std::current_exception();
            return false;
        }
    }

    void take(const FootprintRequest& request) {
        const StepCost cost = step_cost(request, cache_);
        const std::array<double, 3> price = {cost.ranks, cost.recomputed_flops, cost.sent_bytes()};
        if (!found_ || price < price_) {
            found_ = request;
            price_ = price;
        }
    }

    const ChangeBounds& bounds_;
    InFlightCache& cache_;
    std::optional<FootprintRequest> found_;
    std::array<double, 3> price_{};
    bool sized_ = false;
    std::exception_ptr refusal_;
};

/// The request without what a search chooses for itself.
FootprintRequest without_layout(const FootprintRequest& request) {
    FootprintRequest plain = request;
    plain.layout = {};
    plain.sequence_parallel = false;
    plain.layers_per_part.clear();
    plain.shard_ranks = 0;
    return plain;
}

/// Refuses what is wrong with the model or the sequence, and so with every layout.
void require_model(FootprintRequest plain, InFlightCache& cache) {
    plain.schedule = "1f1b";
    plain.chunks.reset();
    footprint(plain, cache);
}

}  // namespace

std::optional<FootprintRequest> smallest_cluster(const FootprintRequest& request, const ChangeBounds& bounds,
                                                 InFlightCache& cache) {
    require_between("usable_bytes", bounds.usable_bytes, 1, largest_count);
    require_int("per_node", bounds.per_node, 1);
    require_count("most_ranks", bounds.most_ranks, 1, most_world_size);
    FootprintRequest tried = without_layout(request);
    require_model(tried, cache);

    Cheapest cheapest(bounds, cache);
    for (const int tp : divisors(request.shape.heads, 0, bounds.per_node)) {
        for (const int pp : pipeline_sizes(request.shape.layers, 0, bounds.most_ranks)) {
            tried.layout.tp = tp;
            tried.layout.pp = pp;
            tried.sequence_parallel = tp > 1;
            cheapest.try_layout(tried);
        }
    }
    return cheapest.found();
}

}  // namespace shardlab
