#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string>

#include <shardlab/collective_cost.hpp>
#include <shardlab/errors.hpp>

#include "collective/names.hpp"

namespace shardlab {
namespace {

// In the order of the enumeration.
constexpr const char* tree_names[] = {"binomial", "double-binary", "pipelined-bound"};

int levels_of(int ranks) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks) - 1));
}

/// What every closed form is made of: ranks and bytes that have been checked, and how they are cut.
struct Shape {
    int ranks;
    double bytes;
    int slices;
    int per_node;

    int levels() const { return levels_of(ranks); }
    /// Bytes of one chunk of the ring.
    double chunk_bytes() const { return bytes / ranks; }
    /// Ranks that take part in a recursive halving: the largest power of two up to all of them.
    int halving_ranks() const { return static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks))); }
    bool folds() const { return halving_ranks() < ranks; }
};

Shape require_shape(int ranks, double bytes, const ScheduleOptions& options) {
    require_int("ranks", ranks, 1, most_priced_ranks);
    require_count("bytes", bytes);
    require_int("slices", options.slices, 1, most_slices);
    require_int("per_node", options.per_node, 1, most_priced_ranks);
    return {.ranks = ranks, .bytes = bytes, .slices = options.slices, .per_node = options.per_node};
}

void require_full_nodes(const Shape& shape) {
    if (shape.ranks % shape.per_node != 0) {
        throw invalid_argument("per_node", std::to_string(shape.per_node),
                               "divide the " + std::to_string(shape.ranks) + " ranks, so that every node is full");
    }
}

/// Steps, and bytes that the busiest rank sends.
struct Sent {
    int steps;
    double bytes;
};

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
    return {.steps = 2 * (levels_of(ranks) + (shape.folds() ? 1 : 0)),
            .bytes = 2.0 * shape.bytes * (ranks - 1) / ranks + (shape.folds() ? shape.bytes : 0)};
}

Sent hierarchical_sent(const Shape& shape) {
    require_full_nodes(shape);
    const int nodes = shape.ranks / shape.per_node;
    return {.steps = 2 * (shape.per_node - 1) + 2 * (nodes - 1), .bytes = ring_sent(shape).bytes};
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

/// Slices that pass the busiest port of a binomial tree, added up over all steps: the root's way in or out, whichever
/// has more. `both` is where it receives and sends at once, and the lesser of the two does not count.
double tree_slices(const Shape& shape) {
    const double levels = shape.levels();
    const double slices = shape.slices;
    const double both = slices <= 2 * levels ? std::floor(slices * slices / 4) : levels * (slices - levels);
    return 2 * levels * slices - both;
}

/// The same for the double tree, whose busiest port passes four slices of halves in most steps.
double double_tree_slices(const Shape& shape) {
    switch (shape.ranks) {
        case 1:
            return 0;
        case 2:
            return 2.0 * shape.slices;
        case 3:
            return 3.0 * shape.slices + 3;
        default:
            return 4.0 * shape.slices + 4 * shape.levels() - 6;
    }
}

/// Bytes that pass the busiest port, added up over all steps.
double port_bytes(Algorithm algorithm, const Shape& shape, const Sent& sent) {
    switch (algorithm) {
        case Algorithm::naive:
            return sent.steps * shape.bytes;
        case Algorithm::tree:
            return tree_slices(shape) * shape.bytes / shape.slices;
        case Algorithm::double_tree:
            return double_tree_slices(shape) * shape.bytes / (2.0 * shape.slices);
        case Algorithm::halving_doubling:
            // The partner of a fold gets a whole tensor before, and sends one after.
            return sent.bytes + (shape.folds() ? shape.bytes : 0);
        case Algorithm::ring:
        case Algorithm::hierarchical:
            break;
    }
    return sent.bytes;
}

/// The only kind of link that a group uses, if it is one. Two kinds of equal latency and rate are two: each rank has a
/// port for either.
std::optional<Link> only_link(const Links& links, int ranks) {
    if (ranks <= links.per_node) {
        return links.intra;
    }
    return links.per_node == 1 ? std::optional(links.inter) : std::nullopt;
}

double hierarchical_seconds(const Shape& shape, const Links& links) {
    const int nodes = shape.ranks / shape.per_node;
    return 2 * (shape.per_node - 1) * message_seconds(shape.bytes / shape.per_node, links.intra) +
           2 * (nodes - 1) * message_seconds(shape.chunk_bytes(), links.inter);
}

/// Time where some messages stay inside a node and some do not.
std::optional<double> two_link_seconds(Algorithm algorithm, const Shape& shape, const Links& links) {
    switch (algorithm) {
        case Algorithm::ring:
            return 2.0 * (shape.ranks - 1) *
                   std::max(message_seconds(shape.chunk_bytes(), links.intra),
                            message_seconds(shape.chunk_bytes(), links.inter));
        case Algorithm::naive:
            return 2.0 * (links.per_node - 1) * message_seconds(shape.bytes, links.intra) +
                   2.0 * (shape.ranks - links.per_node) * message_seconds(shape.bytes, links.inter);
        case Algorithm::hierarchical:
            return shape.per_node == links.per_node ? std::optional(hierarchical_seconds(shape, links)) : std::nullopt;
        case Algorithm::tree:
        case Algorithm::double_tree:
        case Algorithm::halving_doubling:
            break;
    }
    return std::nullopt;
}

double bus_factor(int ranks) {
    return 2.0 * (ranks - 1) / ranks;
}

AllReduceCost cost_of(const Sent& sent, int ranks) {
    return {.steps = sent.steps, .bytes_sent_per_rank = sent.bytes, .bus_factor = bus_factor(ranks), .seconds = {}};
}

AllReduceCost pipelined_bound(int ranks, double bytes, const Link& link) {
    const Shape shape = require_shape(ranks, bytes, {});
    const double sent_bytes = ranks == 1 ? 0 : 2 * bytes;
    AllReduceCost cost = cost_of({.steps = 2 * shape.levels(), .bytes = sent_bytes}, ranks);
    require_link(link);
    cost.seconds = cost.steps * link.latency_seconds + sent_bytes / link.bytes_per_second;
    return cost;
}

}  // namespace

AllReduceBound all_reduce_lower_bound(int ranks, double bytes) {
    const Shape shape = require_shape(ranks, bytes, {});
    return {.total_bytes = 2.0 * bytes * (ranks - 1), .busiest_rank_bytes = ring_sent(shape).bytes};
}

AllReduceCost all_reduce_cost(int ranks, double bytes) {
    return all_reduce_cost(Algorithm::ring, ranks, bytes);
}

AllReduceCost all_reduce_cost(int ranks, double bytes, const Link& link) {
    return all_reduce_cost(Algorithm::ring, ranks, bytes, {}, uniform_links(link));
}

AllReduceCost all_reduce_cost(Algorithm algorithm, int ranks, double bytes, const ScheduleOptions& options) {
    return cost_of(sent(algorithm, require_shape(ranks, bytes, options)), ranks);
}

AllReduceCost all_reduce_cost(Algorithm algorithm, int ranks, double bytes, const ScheduleOptions& options,
                              const Links& links) {
    const Shape shape = require_shape(ranks, bytes, options);
    const Sent what = sent(algorithm, shape);
    require_links(links);
    AllReduceCost cost = cost_of(what, ranks);
    if (const std::optional<Link> link = only_link(links, ranks)) {
        cost.seconds = cost.steps * link->latency_seconds + port_bytes(algorithm, shape, what) / link->bytes_per_second;
    } else {
        cost.seconds = two_link_seconds(algorithm, shape, links);
    }
    return cost;
}

const char* name(Tree tree) {
    return collective::name_of(tree, tree_names);
}

Tree tree_from_name(std::string_view name) {
    return collective::from_name<Tree>("tree", name, tree_names);
}

AllReduceCost tree_all_reduce_cost(int ranks, double bytes, const Link& link, Tree tree, int slices) {
    ScheduleOptions options;
    options.slices = slices;
    switch (tree) {
        case Tree::binomial:
            return all_reduce_cost(Algorithm::tree, ranks, bytes, options, uniform_links(link));
        case Tree::double_binary:
            return all_reduce_cost(Algorithm::double_tree, ranks, bytes, options, uniform_links(link));
        case Tree::pipelined_bound:
            return pipelined_bound(ranks, bytes, link);
    }
    throw invalid_argument("tree", std::to_string(static_cast<int>(tree)), "be a Tree that has a name");
}

AllReduceCost tree_all_reduce_cost(int ranks, double bytes, double latency_per_step) {
    constexpr double longest_seconds = 1e9;
    AllReduceCost cost = all_reduce_cost(Algorithm::tree, ranks, bytes);
    require_between("latency_per_step", latency_per_step, 0, longest_seconds);
    cost.seconds = cost.steps * latency_per_step;
    return cost;
}

}  // namespace shardlab
