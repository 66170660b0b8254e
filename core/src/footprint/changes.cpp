#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <shardlab/errors.hpp>
#include <shardlab/footprint/changes.hpp>

#include "sizes.hpp"

namespace shardlab {
namespace {

/// The most that a change makes of a rank's micro-batches: each schedule of them is simulated.
constexpr double most_micro_batches = 1 << 20;

/// Tries changes of one request.
class Search {
public:
    Search(const FootprintRequest& request, const ChangeBounds& bounds, InFlightCache& cache)
        : request_(request), bounds_(bounds), cache_(cache) {}

    Changes run() {
        Changes result;
        result.fits = footprint(request_, cache_).most_loaded_rank_bytes() <= bounds_.usable_bytes;
        result.cost = step_cost(request_, cache_);
        if (!result.fits) {
            try_zero_stage();
            try_recompute();
            try_sequence_parallel();
            try_micro_batch();
            try_tensor_parallel();
            try_pipeline();
            try_context_parallel();
            try_data_parallel();
            drop_dominated();
        }
        result.offered = std::move(offered_);
        result.not_offered = std::move(not_offered_);
        return result;
    }

private:
    /// Whether a request is valid and fits.
    bool fits(const FootprintRequest& changed) {
        if (changed.layout.ranks() > bounds_.most_ranks) {
            too_many_cards_ = true;
            return false;
        }
        try {
            const double bytes = footprint(changed, cache_).most_loaded_rank_bytes();
            least_ = std::min(least_.value_or(bytes), bytes);
            return bytes <= bounds_.usable_bytes;
        } catch (const invalid_argument& error) {
            // The model or the schedule does not allow this value; another may do.
            refused_ = std::string(error.what());
            return false;
        }
    }

    /// Offers a request if it is valid and fits.
    bool offers(const std::string& parameter, const std::string& value, const FootprintRequest& changed) {
        if (!fits(changed)) {
            return false;
        }
        const double bytes = footprint(changed, cache_).most_loaded_rank_bytes();
        offered_.push_back({parameter, value, changed, bytes, step_cost(changed, cache_)});
        return true;
    }

    void none(const std::string& parameter, const std::string& reason) {
        not_offered_.push_back({parameter, reason, {}});
    }

    /// Says why no value of a parameter helped.
    void none_tried(const std::string& parameter, const std::string& untried) {
        if (least_) {
            not_offered_.push_back({parameter, "No value of it takes enough off the most loaded rank.", least_});
        } else if (!refused_.empty()) {
            none(parameter, "Refused: " + refused_ + ".");
        } else {
            none(parameter, too_many_cards_ ? "Any more of it takes more cards than the search allows." : untried);
        }
    }

    void begin() {
        least_.reset();
        refused_.clear();
        too_many_cards_ = false;
    }

    void try_zero_stage() {
        begin();
        // On one rank a stage still says what of the states goes to host memory.
        const bool moves_states = request_.offload != Offload::none && request_.zero_stage < 3;
        if (request_.layout.replicas() == 1 && !moves_states) {
            none("zero_stage", "There is one data-parallel rank: no other to share the states with.");
            return;
        }
        for (int stage = request_.zero_stage + 1; stage <= 3; ++stage) {
            FootprintRequest changed = request_;
            changed.zero_stage = stage;
            if (offers("zero_stage", std::to_string(stage), changed)) {
                return;
            }
        }
        none_tried("zero_stage", "All states are sharded already.");
    }

    void try_recompute() {
        begin();
        for (const Recomputation recompute : {Recomputation::selective, Recomputation::full}) {
            FootprintRequest changed = request_;
            changed.recompute = recompute;
            if (recompute > request_.recompute && offers("recompute", std::string(name_of(recompute)), changed)) {
                return;
            }
        }
        none_tried("recompute", "Recomputation is full already.");
    }

    void try_sequence_parallel() {
        begin();
        FootprintRequest changed = request_;
        changed.sequence_parallel = true;
        if (request_.sequence_parallel) {
            none("sequence_parallel", "It is on already.");
        } else if (request_.layout.tp == 1) {
            none("sequence_parallel", "It cuts what tensor parallelism leaves whole, and tp is 1.");
        } else if (!offers("sequence_parallel", "true", changed)) {
            none_tried("sequence_parallel", "");
        }
    }

    void try_micro_batch() {
        begin();
        for (int times = 2; times <= request_.micro_batch; ++times) {
            const double micro_batches = 1.0 * request_.micro_batches * times;
            if (micro_batches > most_micro_batches) {
                break;
            }
            if (request_.micro_batch % times != 0) {
                continue;
            }
            FootprintRequest changed = request_;
            changed.micro_batches = static_cast<int>(micro_batches);
            changed.micro_batch = request_.micro_batch / times;
            if (offers("micro_batch", std::to_string(changed.micro_batch), changed)) {
                return;
            }
        }
        none_tried("micro_batch", "A micro-batch is one sequence already.");
    }

    /// The request with an axis at `size`, whose ranks are taken from dp, so that dp times the axis and the sequences
    /// of a step stay as they are; nothing where data-parallel ranks or their micro-batches do not come out whole.
    std::optional<FootprintRequest> taken_from_dp(int Layout::*axis, int size) const {
        const int before = request_.layout.*axis;
        const double dp = 1.0 * request_.layout.dp * before / size;
        const double micro_batches = 1.0 * request_.micro_batches * size / before;
        if (dp != std::floor(dp) || micro_batches != std::floor(micro_batches) || micro_batches > most_micro_batches) {
            return std::nullopt;
        }
        FootprintRequest taken = request_;
        taken.layout.*axis = size;
        taken.layout.dp = static_cast<int>(dp);
        taken.micro_batches = static_cast<int>(micro_batches);
        return taken;
    }

    /// Offers the least size of an axis that fits on the cards there are, or else the least on more.
    bool offers_axis(const std::string& parameter, int Layout::*axis, const std::vector<int>& sizes) {
        for (const int size : sizes) {
            const auto taken = taken_from_dp(axis, size);
            if (taken && offers(parameter, std::to_string(size), *taken)) {
                return true;
            }
        }
        return std::any_of(sizes.begin(), sizes.end(), [&](int size) {
            FootprintRequest more = request_;
            more.layout.*axis = size;
            return offers(parameter, std::to_string(size), more);
        });
    }

    void try_tensor_parallel() {
        begin();
        const int tp = request_.layout.tp;
        if (!offers_axis("tp", &Layout::tp, divisors(request_.shape.heads, tp, bounds_.per_node))) {
            none_tried("tp",
                       "More than " + std::to_string(tp) + " ranks would span nodes, or do not divide the heads.");
        }
    }

    void try_pipeline() {
        begin();
        if (!request_.layers_per_part.empty()) {
            none("pp", "The layers of each stage were given.");
            return;
        }
        const int layers = request_.shape.layers;
        too_many_cards_ = request_.layout.pp < layers;  // which none that is tried takes
        if (!offers_axis("pp", &Layout::pp, pipeline_sizes(layers, request_.layout.pp, bounds_.most_ranks))) {
            none_tried("pp", "Every layer has a stage of its own already.");
        }
    }

    void try_context_parallel() {
        begin();
        too_many_cards_ = request_.layout.cp < request_.sequence;  // which none that is tried takes
        if (!offers_axis("cp", &Layout::cp, divisors(request_.sequence, request_.layout.cp, bounds_.most_ranks))) {
            none_tried("cp", "A rank has one token of a sequence already.");
        }
    }

    void try_data_parallel() {
        begin();
        if (request_.zero_stage == 0) {
            none("dp", "Without ZeRO every data-parallel rank holds all states, however many there are.");
            return;
        }
        const Layout& layout = request_.layout;
        int last = static_cast<int>(bounds_.most_ranks / (layout.ranks() / layout.dp));
        while (last > layout.dp && !is_shared_out(last)) {
            --last;
        }
        const auto changed = [&](int at_least) {
            FootprintRequest more = request_;
            more.layout.dp = at_least;
            while (!is_shared_out(more.layout.dp)) {
                ++more.layout.dp;
            }
            return more;
        };
        // With any dp that is possible a rank holds no more than with one before it.
        const int dp = least(layout.dp + 1, last, [&](int some) { return fits(changed(some)); });
        if (dp == 0) {
            none_tried("dp", "There are as many cards as the search allows.");
            return;
        }
        const FootprintRequest more = changed(dp);
        offers("dp", std::to_string(more.layout.dp), more);
    }

    /// Whether ep and the ranks of a group go into the replicas that a dp makes.
    bool is_shared_out(int dp) const {
        Layout layout = request_.layout;
        layout.dp = dp;
        const double experts = layout.expert_replicas();
        const double group = request_.shard_ranks;
        return std::fmod(layout.replicas(), layout.ep) == 0 &&
               (group == 0 ||
                (std::fmod(layout.replicas(), group) == 0 && (experts <= group || std::fmod(experts, group) == 0)));
    }

    static std::array<double, 5> price(const StepCost& cost) {
        return {cost.ranks, cost.sent_bytes(), cost.recomputed_flops, cost.bubble_of_total, -cost.product_flops};
    }

    static bool dominates(const Change& a, const Change& b) {
        const auto first = price(a.cost);
        const auto second = price(b.cost);
        return first != second &&
               std::equal(first.begin(), first.end(), second.begin(), [](double x, double y) { return x <= y; });
    }

    void drop_dominated() {
        std::vector<Change> kept;
        for (const Change& change : offered_) {
            const auto better = std::find_if(offered_.begin(), offered_.end(),
                                             [&](const Change& other) { return dominates(other, change); });
            if (better == offered_.end()) {
                kept.push_back(change);
            } else {
                none(change.parameter, "With " + change.value + " it fits, but " + better->parameter + " " +
                                           better->value + " costs no more in any respect and less in one.");
            }
        }
        offered_ = std::move(kept);
    }

    const FootprintRequest& request_;
    const ChangeBounds& bounds_;
    InFlightCache& cache_;
    std::vector<Change> offered_;
    std::vector<NoChange> not_offered_;
    std::optional<double> least_;  ///< of the kind at hand, the least that a value tried leaves
    std::string refused_;          ///< of the kind at hand, why a value is not possible
    bool too_many_cards_ = false;  ///< of the kind at hand, whether a value takes more than are allowed
};

}  // namespace

Changes changes_that_fit(const FootprintRequest& request, const ChangeBounds& bounds, InFlightCache& cache) {
    require_between("usable_bytes", bounds.usable_bytes, 1, largest_count);
    require_int("per_node", bounds.per_node, 1);
    require_count("most_ranks", bounds.most_ranks, 1, most_world_size);
    return Search(request, bounds, cache).run();
}

}  // namespace shardlab
