#include <algorithm>
#include <string>

#include <shardlab/collective_cost.hpp>
#include <shardlab/errors.hpp>

#include "closed_forms.hpp"

namespace shardlab::closed_forms {
namespace {

Sent ring_sent(const Shape& shape) {
    return {.steps = 2 * (shape.ranks - 1), .bytes = 2.0 * shape.bytes * (shape.ranks - 1) / shape.ranks};
}

Sent tree_sent(const Shape& shape, double bytes) {
    return {.steps = shape.ranks == 1 ? 0 : 2 * shape.levels() + shape.slices - 1, .bytes = bytes};
}

/// A rank with two children sends three halves in one tree and, as a leaf, one in the other.
double double_tree_bytes(const Shape& shape) {
    constexpr double most_halves = 4;
    return std::min<double>(most_halves, shape.ranks == 1 ? 0 : shape.ranks) * shape.bytes / 2;
}

Sent halving_doubling_sent(const Shape& shape) {
    const int ranks = shape.halving_ranks();
    return {.steps = 2 * (collective::levels_of(ranks) + (shape.folds() ? 1 : 0)),
            .bytes = 2.0 * shape.bytes * (ranks - 1) / ranks + (shape.folds() ? shape.bytes : 0)};
}

Sent hierarchical_sent(const Shape& shape) {
    const int nodes = collective::require_full_nodes(shape.ranks, shape.per_node);
    return {.steps = 2 * (shape.per_node - 1) + 2 * (nodes - 1), .bytes = ring_sent(shape).bytes};
}

}  // namespace

Shape require_shape(int ranks, double bytes, const ScheduleOptions& options) {
    require_int("ranks", ranks, 1, most_priced_ranks);
    require_count("bytes", bytes);
    require_int("slices", options.slices, 1, most_slices);
    require_int("per_node", options.per_node, 1, most_priced_ranks);
    return {.ranks = ranks, .bytes = bytes, .slices = options.slices, .per_node = options.per_node};
}

Sent sent(Algorithm algorithm, const Shape& shape) {
    switch (algorithm) {
        case Algorithm::ring:
            return ring_sent(shape);
        case Algorithm::naive:
            return {.steps = 2 * (shape.ranks - 1), .bytes = shape.bytes * (shape.ranks - 1)};
        case Algorithm::tree:
            return tree_sent(shape, shape.levels() * shape.bytes);
        case Algorithm::double_tree:
            return tree_sent(shape, double_tree_bytes(shape));
        case Algorithm::halving_doubling:
            return halving_doubling_sent(shape);
        case Algorithm::hierarchical:
            return hierarchical_sent(shape);
    }
    throw invalid_argument("algorithm", std::to_string(static_cast<int>(algorithm)), "be one that has a name");
}

}  // namespace shardlab::closed_forms
