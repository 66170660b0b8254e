#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include <shardlab/errors.hpp>
#include <shardlab/footprint/smallest_cluster.hpp>

namespace shardlab {
namespace {

std::vector<int> pipelines(int layers) {
    std::vector<int> sizes;
    for (int size = 1; size <= layers; ++size) {
        if ((size & (size - 1)) == 0 || layers % size == 0) {
            sizes.push_back(size);
        }
    }
    return sizes;
}

/// The cheapest request so far.
class Cheapest {
public:
    Cheapest(const ChangeBounds& bounds, InFlightCache& cache) : bounds_(bounds), cache_(cache) {}

    /// Tries a request with the least dp, a power of two, that makes it fit; no more cards than the best so far.
    void try_with_data_parallel(FootprintRequest request) {
        const double without = request.layout.ranks();
        for (int dp = 1; without * dp <= most(); dp *= 2) {
            request.layout.dp = dp;
            if (fits(request)) {
                take(request);
                return;
            }
            if (request.zero_stage == 0) {
                return;
            }
        }
    }

    std::optional<FootprintRequest> found() const { return found_; }

private:
    double most() const { return found_ ? found_->layout.ranks() : bounds_.most_ranks; }

    bool fits(const FootprintRequest& request) const {
        try {
            return footprint(request, cache_).most_loaded_rank_bytes() <= bounds_.usable_bytes;
        } catch (const invalid_argument&) {
            // Heads, layers or the schedule do not allow this layout.
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
};

}  // namespace

std::optional<FootprintRequest> smallest_cluster(const FootprintRequest& request, const ChangeBounds& bounds,
                                                 InFlightCache& cache) {
    require_between("usable_bytes", bounds.usable_bytes, 1, largest_count);
    require_int("per_node", bounds.per_node, 1);
    require_count("most_ranks", bounds.most_ranks, 1, most_world_size);
    // Whatever is wrong with the model or the sequence is wrong with every layout.
    FootprintRequest one = request;
    one.layout = {};
    one.sequence_parallel = false;
    one.layers_per_part.clear();
    one.shard_ranks = 0;
    footprint(one, cache);

    Cheapest cheapest(bounds, cache);
    for (const Recomputation recompute : {Recomputation::none, Recomputation::selective, Recomputation::full}) {
        for (int tp = 1; tp <= bounds.per_node; tp *= 2) {
            for (const int pp : pipelines(request.shape.layers)) {
                for (int zero_stage = 0; zero_stage <= 3; ++zero_stage) {
                    FootprintRequest tried = one;
                    tried.recompute = recompute;
                    tried.layout.tp = tp;
                    tried.layout.pp = pp;
                    tried.zero_stage = zero_stage;
                    tried.sequence_parallel = tp > 1;
                    cheapest.try_with_data_parallel(tried);
                }
            }
        }
    }
    return cheapest.found();
}

}  // namespace shardlab
